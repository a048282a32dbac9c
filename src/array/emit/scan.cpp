#include "array/emit/scan.h"

#include "array/emit/producers.h"
#include "array/form/user_function.h"

namespace hither::array {

namespace {

using Ir = llvm::Value;
using Values = std::vector<Ir*>;

/// Emits one kernel. A chunk's first element starts its running result. No identity is combined
/// with an element, because (inf + 0i) * (1 + 0i) contains a NaN.
class ScanEmitter {
 public:
  explicit ScanEmitter(const ScanKernel& k)
      : k_(k), m_("hither_scan"), operand_(k.producers, k.read) {}

  target::KernelModule run() {
    const bool prefixed = k_.pass == ScanPass::kFromPrefix;
    m_.parameter(target::Parameter::kPointer);
    operand_.declare(m_);
    if (prefixed) m_.parameter(target::Parameter::kPointer);
    for (int i = 0; i < 3; ++i) m_.parameter(target::Parameter::kInt64);
    llvm::IRBuilder<>& b = m_.begin();
    out_ = m_.next_parameter();
    operand_.take(m_);
    Ir* prefixes = prefixed ? m_.next_parameter() : nullptr;
    along_ = m_.next_parameter();
    inner_ = m_.next_parameter();
    Ir* length = m_.next_parameter();
    chunk_ = m_.global_id(0);
    outer_ = m_.global_id(1);
    ElementEmitter e(b, k_.across ? k_.lanes : 1);
    take_columns(e);
    begin_ = b.CreateNSWMul(chunk_, length);
    end_ = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, b.CreateNSWAdd(begin_, length), along_);
    if (prefixed) take_prefix(e, prefixes, length);
    if (k_.initial && k_.pass != ScanPass::kTotals) store_initial(e);
    const Element last = k_.across || k_.lanes == 1 ? walk(e) : walk_in_vectors(e);
    if (k_.pass == ScanPass::kTotals) {
      Ir* at = b.CreateNSWAdd(b.CreateNSWMul(outer_, m_.global_size(0)), chunk_);
      e.store(k_.accumulation.dtype, last, out_, place(at), mask_);
    }
    b.CreateRetVoid();
    target::KernelModule module = m_.finish();
    add_user_code(module, {k_.producers.form}, k_.accumulation.user);
    module.independent_items = true;
    return module;
  }

 private:
  Element combined(ElementEmitter& e, const Element& x, const Element& y) {
    return Combiner(k_.accumulation).in_order(m_.b(), e, {x}, {y}).value;
  }

  void take_columns(ElementEmitter& e) {
    if (!k_.across) return;
    llvm::IRBuilder<>& b = m_.b();
    column_ = b.CreateNSWMul(m_.global_id(2), b.getInt64(static_cast<uint64_t>(k_.lanes)));
    if (k_.lanes == 1) return;
    Ir* left =
        b.CreateVectorSplat(static_cast<unsigned>(k_.lanes), b.CreateNSWSub(inner_, column_));
    mask_ = b.CreateICmpSLT(b.CreateStepVector(e.widen(b.getInt64Ty())), left);
  }

  // The element of row `row` at this item's columns.
  Ir* place(Ir* row) {
    llvm::IRBuilder<>& b = m_.b();
    return k_.across ? b.CreateNSWAdd(b.CreateNSWMul(row, inner_), column_) : row;
  }

  // All chunks but the last have totals. Chunk 0 has no prefix; its load is ignored.
  void take_prefix(ElementEmitter& e, Ir* prefixes, Ir* length) {
    llvm::IRBuilder<>& b = m_.b();
    Ir* totals = b.CreateSDiv(b.CreateNSWSub(along_, b.getInt64(1)), length);
    Ir* before = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax,
                                         b.CreateNSWSub(chunk_, b.getInt64(1)), b.getInt64(0));
    Ir* row = b.CreateNSWAdd(b.CreateNSWMul(outer_, totals), before);
    prefix_ = e.load(k_.accumulation.dtype, prefixes, place(row), nullptr, mask_);
    has_prefix_ = b.CreateICmpSGT(chunk_, b.getInt64(0));
  }

  void store_initial(ElementEmitter& e) {
    llvm::IRBuilder<>& b = m_.b();
    emit_if(b, b.CreateICmpEQ(chunk_, b.getInt64(0)), {}, [&](const Values&) {
      const DType t = k_.accumulation.dtype;
      const Element value = Combiner(k_.accumulation).identity(e, nullptr).value;
      Ir* row = b.CreateNSWMul(outer_, b.CreateNSWAdd(along_, b.getInt64(1)));
      e.store(k_.stored, e.cast(value, t, k_.stored), out_, place(row), mask_);
      return Values{};
    });
  }

  Element load(ElementEmitter& e, Ir* i) {
    llvm::IRBuilder<>& b = m_.b();
    Ir* row = b.CreateNSWAdd(b.CreateNSWMul(outer_, along_), i);
    Ir* column = k_.across ? column_ : b.getInt64(0);
    const ScanOperand::Place at{outer_, i, column, place(row), k_.across};
    return Combiner(k_.accumulation).prepare(e, operand_.load(e, at, mask_), k_.read);
  }

  void store(ElementEmitter& e, const Element& running, Ir* i) {
    if (k_.pass == ScanPass::kTotals) return;
    llvm::IRBuilder<>& b = m_.b();
    Element result = running;
    if (prefix_.re) {
      const Element before = e.lanes() > 1 && !k_.across ? spread(prefix_) : prefix_;
      result = combined(e, before, running);
      result.re = b.CreateSelect(has_prefix_, result.re, running.re);
      if (result.im) result.im = b.CreateSelect(has_prefix_, result.im, running.im);
    }
    Ir* rows = k_.initial ? b.CreateNSWAdd(along_, b.getInt64(1)) : along_;
    Ir* row = b.CreateNSWAdd(b.CreateNSWMul(outer_, rows), i);
    if (k_.initial) row = b.CreateNSWAdd(row, b.getInt64(1));
    e.store(k_.stored, e.cast(result, k_.accumulation.dtype, k_.stored), out_, place(row), mask_);
  }

  Element spread(const Element& x) {
    return {m_.b().CreateVectorSplat(static_cast<unsigned>(k_.lanes), x.re)};
  }

  static Values values_of(const Element& x) { return x.im ? Values{x.re, x.im} : Values{x.re}; }
  static Element element_of(const Values& v) { return {v[0], v.size() > 1 ? v[1] : nullptr}; }

  // Scans element by element, starting at `from`.
  Element steps(ElementEmitter& e, const Element& running, Ir* from) {
    llvm::IRBuilder<>& b = m_.b();
    return element_of(emit_loop(b, from, end_, b.getInt64(1), values_of(running),
                                [&](Ir* i, const Values& carried) {
                                  const Element next = combined(e, element_of(carried), load(e, i));
                                  store(e, next, i);
                                  return values_of(next);
                                }));
  }

  Element walk(ElementEmitter& e) {
    const Element first = load(e, begin_);
    store(e, first, begin_);
    return steps(e, first, m_.b().CreateNSWAdd(begin_, m_.b().getInt64(1)));
  }

  // Scans vectors of neighbours along the axis in registers, then the remaining elements one by
  // one.
  Element walk_in_vectors(ElementEmitter& one) {
    llvm::IRBuilder<>& b = m_.b();
    ElementEmitter wide(b, k_.lanes);
    const auto lanes = static_cast<uint64_t>(k_.lanes);
    const Element first = load(one, begin_);
    store(one, first, begin_);
    Ir* from = b.CreateNSWAdd(begin_, b.getInt64(1));
    Ir* rest = b.CreateURem(b.CreateNSWSub(end_, from), b.getInt64(lanes));
    Ir* full = b.CreateNSWSub(end_, rest);
    const Values carried = emit_loop(
        b, from, full, b.getInt64(lanes), values_of(first), [&](Ir* i, const Values& before) {
          const Element inside = scanned(wide, load(wide, i));
          const Element running = combined(wide, spread(element_of(before)), inside);
          store(wide, running, i);
          return Values{b.CreateExtractElement(running.re, lanes - 1)};
        });
    return steps(one, element_of(carried), full);
  }

  // J. Sklansky's conditional-sum order: the upper half of each block is combined with the last
  // element of the lower half. Running sums of non-negative elements therefore never decrease.
  Element scanned(ElementEmitter& e, const Element& x) {
    llvm::IRBuilder<>& b = m_.b();
    Ir* v = x.re;
    for (int half = 1; half < k_.lanes; half *= 2) {
      llvm::SmallVector<int, 64> lower, chosen;
      for (int i = 0; i < k_.lanes; ++i) {
        const bool upper = (i & half) != 0;
        lower.push_back(upper ? (i & ~(2 * half - 1)) + half - 1 : i);
        chosen.push_back(upper ? k_.lanes + i : i);
      }
      Ir* sum = combined(e, {b.CreateShuffleVector(v, lower)}, {v}).re;
      v = b.CreateShuffleVector(v, sum, chosen);
    }
    return {v};
  }

  const ScanKernel& k_;
  ModuleBuilder m_;
  ScanOperand operand_;
  Ir *out_ = nullptr, *along_ = nullptr, *inner_ = nullptr;
  Ir *outer_ = nullptr, *chunk_ = nullptr, *column_ = nullptr, *mask_ = nullptr;
  Ir *begin_ = nullptr, *end_ = nullptr, *has_prefix_ = nullptr;
  Element prefix_;
};

}  // namespace

std::string ScanKernel::key() const {
  std::string k = "c4";
  for (int v : {static_cast<int>(accumulation.reduction), static_cast<int>(accumulation.dtype),
                static_cast<int>(read), static_cast<int>(stored), static_cast<int>(pass),
                static_cast<int>(across), lanes, static_cast<int>(initial)})
    k.push_back(static_cast<char>(v));
  producers.append_key(k);
  return accumulation.user ? k + accumulation.user->key : k;
}

target::KernelModule emit(const ScanKernel& kernel) { return ScanEmitter(kernel).run(); }

}  // namespace hither::array
