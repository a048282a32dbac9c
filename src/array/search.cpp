#include "array/search.h"

#include <fmt/format.h>

#include <hither/ops.h>

#include "array/emit/producers.h"
#include "array/flush.h"
#include "array/form/divide_up.h"
#include "array/kernel_call.h"
#include "array/placed.h"
#include "array/plan/gpu_forms.h"

namespace hither {

namespace array {

namespace {

using Ir = llvm::Value;
using Values = std::vector<Ir*>;

// Whether x sorts before y. NaN sorts last.
Ir* before(llvm::IRBuilder<>& b, DType t, Ir* x, Ir* y) {
  if (is_floating(t))
    return b.CreateOr(b.CreateFCmpOLT(x, y),
                      b.CreateAnd(b.CreateFCmpORD(x, x), b.CreateFCmpUNO(y, y)));
  return kind_of(t) == DTypeKind::kInt ? b.CreateICmpSLT(x, y) : b.CreateICmpULT(x, y);
}

// The same for elements that may be complex: those without NaN come first, then those with a NaN in
// the imaginary part, in the real part, in both. Otherwise the real parts decide, then the
// imaginary parts.
Ir* before(llvm::IRBuilder<>& b, DType t, const Element& x, const Element& y) {
  if (!x.im) return before(b, t, x.re, y.re);
  const DType part = real_dtype(t);
  const auto either = [&](Ir* of_x, Ir* of_y, Ir* if_equal) {
    return b.CreateSelect(b.CreateICmpEQ(of_x, of_y), if_equal,
                          b.CreateAnd(b.CreateNot(of_x), of_y));
  };
  const auto is_nan = [&](Ir* v) { return b.CreateFCmpUNO(v, v); };
  Ir* equal = b.CreateOr(b.CreateFCmpOEQ(x.re, y.re), b.CreateAnd(is_nan(x.re), is_nan(y.re)));
  Ir* parts = b.CreateSelect(equal, before(b, part, x.im, y.im), before(b, part, x.re, y.re));
  return either(is_nan(x.re), is_nan(y.re), either(is_nan(x.im), is_nan(y.im), parts));
}

// GPUs: values that an item looks for, so that their loads overlap. CPUs interleave items.
constexpr int64_t kValuesOfItem = 4;

/// The largest float that is less than x; infinity for NaN.
Ir* float_below(llvm::IRBuilder<>& b, DType t, Ir* x) {
  llvm::Type* word = b.getIntNTy(static_cast<unsigned>(8 * size_of(t)));
  Ir* bits = b.CreateBitCast(x, word);
  Ir* one = llvm::ConstantInt::get(word, 1);
  Ir* zero = llvm::ConstantInt::get(word, 0);
  Ir* below =
      b.CreateSelect(b.CreateICmpSLT(bits, zero), b.CreateAdd(bits, one), b.CreateSub(bits, one));
  Ir* negative = b.CreateBitCast(llvm::ConstantFP::get(x->getType(), -0.0), word);
  below = b.CreateSelect(b.CreateFCmpOEQ(x, llvm::ConstantFP::get(x->getType(), 0.0)),
                         b.CreateOr(negative, one), below);
  return b.CreateSelect(b.CreateFCmpUNO(x, x), llvm::ConstantFP::getInfinity(x->getType()),
                        b.CreateBitCast(below, x->getType()));
}

/// Emits one kernel. Parameters: result, sorted, values, the numbers of sorted elements and of
/// values. Item i looks for values i, i + items, ...; those behind the end are the last value. The
/// interval that contains the result is halved as often for every value, so that neighbouring
/// items do not diverge.
class SearchEmitter {
 public:
  SearchEmitter(DType t, SearchSide side, int64_t together)
      : t_(t), side_(side), together_(together), m_("hither_searchsorted") {}

  target::KernelModule run() {
    for (int i = 0; i < 3; ++i) m_.parameter(target::Parameter::kPointer);
    for (int i = 0; i < 2; ++i) m_.parameter(target::Parameter::kInt64);
    llvm::IRBuilder<>& b = m_.begin();
    Ir* result = m_.next_parameter();
    sorted_ = m_.next_parameter();
    Ir* values = m_.next_parameter();
    Ir* length = m_.next_parameter();
    Ir* last = b.CreateNSWSub(m_.next_parameter(), b.getInt64(1));
    ElementEmitter e(b, 1);
    Values places;
    for (int64_t k = 0; k < together_; ++k) {
      Ir* at = k == 0 ? m_.global_id(0) : b.CreateNSWAdd(places.back(), m_.global_size(0));
      places.push_back(at);
    }
    for (Ir*& at : places) at = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, at, last);
    for (Ir* at : places) wanted_.push_back(e.load(t_, values, at));
    const std::vector<Element> given = wanted_;
    const bool is_left = side_ == SearchSide::kLeft;
    if (is_floating(t_) && is_left)
      for (Element& v : wanted_) v.re = float_below(b, t_, v.re);
    Values found = search(e, length);
    for (size_t k = 0; k < places.size(); ++k) {
      if (is_floating(t_) && !is_left)  // NaN comes after all elements
        found[k] = b.CreateSelect(b.CreateFCmpUNO(given[k].re, given[k].re), length, found[k]);
      e.store(DType::kInt64, {found[k]}, result, places[k]);
    }
    b.CreateRetVoid();
    target::KernelModule module = m_.finish();
    module.independent_items = true;
    return module;
  }

 private:
  // `length` is not 0. The result is in [first, first + left] for each value.
  Values search(ElementEmitter& e, Ir* length) {
    llvm::IRBuilder<>& b = m_.b();
    Ir* one = b.getInt64(1);
    Ir* halvings = b.CreateSub(
        b.getInt64(64),
        b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, b.CreateNSWSub(length, one), b.getFalse()));
    Values carried(wanted_.size(), b.getInt64(0));
    carried.push_back(length);
    carried =
        emit_loop(b, b.getInt64(0), halvings, one, std::move(carried), [&](Ir*, const Values& now) {
          Values next = now;
          Ir* half = b.CreateLShr(now.back(), one);
          step(e, half, next);
          next.back() = b.CreateNSWSub(now.back(), half);
          return next;
        });
    carried.pop_back();
    step(e, one, carried);
    return carried;
  }

  // Moves behind the next `count` elements where the last of them is before the value.
  void step(ElementEmitter& e, Ir* count, Values& firsts) {
    llvm::IRBuilder<>& b = m_.b();
    std::vector<Element> read;
    for (size_t k = 0; k < wanted_.size(); ++k) {
      Ir* at = b.CreateNSWAdd(firsts[k], b.CreateNSWSub(count, b.getInt64(1)));
      read.push_back(e.load(t_, sorted_, at));
    }
    for (size_t k = 0; k < wanted_.size(); ++k) {
      Ir* moved = b.CreateSelect(is_before(read[k], wanted_[k]), count, b.getInt64(0));
      if (auto* select = llvm::dyn_cast<llvm::SelectInst>(moved))  // no branch
        select->setMetadata(llvm::LLVMContext::MD_unpredictable,
                            llvm::MDNode::get(b.getContext(), {}));
      firsts[k] = b.CreateNSWAdd(firsts[k], moved);
    }
  }

  // Whether the result is behind x. For floats of either side the value has been chosen so that one
  // comparison decides, which is false for NaN.
  Ir* is_before(const Element& x, const Element& wanted) {
    llvm::IRBuilder<>& b = m_.b();
    if (is_floating(t_)) return b.CreateFCmpOLE(x.re, wanted.re);
    return side_ == SearchSide::kLeft ? before(b, t_, x, wanted)
                                      : b.CreateNot(before(b, t_, wanted, x));
  }

  const DType t_;
  const SearchSide side_;
  const int64_t together_;
  ModuleBuilder m_;
  Ir* sorted_ = nullptr;
  std::vector<Element> wanted_;
};

}  // namespace

void SearchRecipe::launch(Value& value, std::span<const Operated> operands) const {
  const int64_t size = value.layout->size;
  const DType t = value.compute;
  std::string key = "b2";
  key.push_back(static_cast<char>(t));
  key.push_back(static_cast<char>(side_));
  const int64_t together = takes_gpu_forms(value.queue) ? kValuesOfItem : 1;
  key.push_back(static_cast<char>(together));
  const ReadyKernel kernel = find_kernel(
      value.queue, key, [&] { return SearchEmitter(t, side_, together).run(); },
      [] { return std::string("searchsorted"); });
  value.memory = Memory::for_work(value.queue, static_cast<size_t>(size) * 8, value.usm_type);
  value.offset_bytes = 0;
  KernelCall call;
  call.writes(value.memory);
  for (const Operated& x : operands) {
    call.reads(*x.value);
    call.shift(x.offset * size_of(t));
  }
  call.integer(count_);
  call.integer(size);
  value.written = call.submit(value.queue, kernel, Range(divide_up(size, together)),
                              size * (8 + size_of(t)) + count_ * size_of(t), size);
}

std::string SearchRecipe::describe(const Value&) const { return "searchsorted"; }

}  // namespace array

using namespace array;

Array searchsorted(const Array& sorted, const Array& values, SearchSide side, const Queue* queue) {
  if (sorted.ndim() != 1)
    throw Error(
        ErrorKind::kValue, "searchsorted",
        fmt::format("x1 has shape {}; it must have one dimension", shape_text(sorted.shape())));
  DType common = promote(sorted.dtype(), values.dtype());
  if (common == DType::kBool) common = DType::kUInt8;
  require_arithmetic("searchsorted", sorted.dtype());
  require_arithmetic("searchsorted", values.dtype());
  common = wide_dtype(common);
  const Placed placed = place_arrays("searchsorted", {&sorted, &values}, queue);
  if (sorted.size() == 0 || values.size() == 0)
    return full(values.shape(), Scalar(0), DType::kInt64, {placed.queue, placed.usm_type});
  ValueRef node = make_node(ValueKind::kRecipe, contiguous_layout(placed.queue, values.shape()),
                            DType::kInt64, common, placed.usm_type);
  node->input_count = 2;
  bool escaped = false;
  int i = 0;
  for (const Array* x : {&sorted, &values}) {
    const Array cast = astype(*x, common, false);
    node->inputs[i++] = operand_input(cast, cast.layout(), placed.queue, escaped);
  }
  node->recipe = std::make_unique<SearchRecipe>(sorted.size(), side);
  bound(*node);
  return finish(std::move(node), escaped);
}

}  // namespace hither
