#include "array/index/gather.h"

#include <fmt/format.h>

#include "array/emit/combine.h"
#include "array/emit/producers.h"
#include "array/flush.h"
#include "array/form/divide_up.h"
#include "array/index/gather_batches.h"
#include "array/index/last_writes.h"
#include "array/index/partition.h"
#include "array/kernel_call.h"
#include "array/plan/gpu_forms.h"

namespace hither::array {

namespace {

using Ir = llvm::Value;
using Values = std::vector<Ir*>;

// Inner elements that one item copies.
constexpr int64_t kBlock = 8192;
// GPUs: elements that an item copies from rows that are not short, with overlapping loads.
constexpr int64_t kTogether = 4, kShortRow = 128;
// CPUs: the longest rows whose length is a constant of a gather's code.
constexpr int64_t kTinyRow = 32;
// Maximum number of slots of a scatter's table of claims: 4 GiB.
constexpr int64_t kMostSlots = int64_t{1} << 30;
// If the table has fewer words per index than this, clearing all of it is faster than clearing only
// the words that are used.
constexpr int64_t kClearedWhole = 32;

/// Everything that the code of one gather or scatter depends on.
struct Form {
  DType dtype;
  bool scatter = false, scalar = false;
  int outer = 0, inner = 0;  ///< collapsed dimensions
  bool inner_unit = false;   ///< the last inner stride is 1
  bool flat = false;         ///< one inner element: the indices are the innermost dimension
  bool single = false;  ///< an item has one inner element: for GPUs, where consecutive items access
                        ///< consecutive memory
  bool in_line = false;   ///< for `single`: all items are in one dimension
  bool alone = false;     ///< for `single` and `flat`: one outer element; items are indices
  bool together = false;  ///< for `single`: an item has kTogether elements, far apart in the row
  bool claimed = false;   ///< for `single` scatters: the last index of each slot has claimed it
  int64_t tiny = 0;       ///< gathers on CPUs: the length of contiguous rows that an item copies
  bool walks = false;     ///< scatters: an item processes all indices, in order
  bool own = false;       ///< each outer element has indices of its own
  bool clamped = false;   ///< GatherShape::clamped
  std::optional<DType> checked;      ///< the dtype of the indices of a CheckedAxis
  std::optional<Reduction> combine;  ///< scatters: combines the old element with the new one

  /// Inner elements of an item of a `single` form.
  int64_t pieces() const { return together ? kTogether : 1; }

  std::string key() const {
    std::string k = scatter ? "s4" : "g4";
    for (int v : {static_cast<int>(dtype), static_cast<int>(scalar), outer, inner,
                  static_cast<int>(inner_unit), static_cast<int>(flat), static_cast<int>(single),
                  static_cast<int>(in_line), static_cast<int>(alone), static_cast<int>(together),
                  static_cast<int>(claimed), static_cast<int>(tiny), static_cast<int>(walks),
                  static_cast<int>(own), static_cast<int>(clamped),
                  checked ? 1 + static_cast<int>(*checked) : 0,
                  combine ? 1 + static_cast<int>(*combine) : 0})
      k.push_back(static_cast<char>(v));
    return k;
  }
};

// When several indices name one slot, the last index wins. Indices claim slots in a table of one
// word per slot. Parameters: table, offsets, and GatherShape's `first` and `step`.
struct Claims {
  Ir *table, *first, *step;

  void declare(ModuleBuilder& m) const {
    m.parameter(target::Parameter::kPointer);
    m.parameter(target::Parameter::kInt64);
    m.parameter(target::Parameter::kInt64);
  }
  void take(ModuleBuilder& m) {
    table = m.next_parameter();
    first = m.next_parameter();
    step = m.next_parameter();
  }
  Ir* word(llvm::IRBuilder<>& b, Ir* offset) const {
    return b.CreateGEP(b.getInt32Ty(), table,
                       b.CreateExactSDiv(b.CreateNSWSub(offset, first), step));
  }
  // Numbers start at 1, so 0 means that a slot is unclaimed.
  static Ir* number_of(llvm::IRBuilder<>& b, Ir* index) {
    return b.CreateTrunc(b.CreateNSWAdd(index, b.getInt64(1)), b.getInt32Ty());
  }
  static void pack(KernelCall& call, const Memory& table, const Event& written,
                   const GatherShape& shape) {
    call.reads(table, written);
    call.integer(shape.first);
    call.integer(shape.step);
  }
};

// Clears the words of the slots that will be claimed, or claims the slots. An item handles one
// index.
target::KernelModule emit_claims(bool clears) {
  ModuleBuilder m(clears ? "hither_unclaim" : "hither_claim");
  Claims claims{};
  claims.declare(m);
  m.parameter(target::Parameter::kPointer);
  llvm::IRBuilder<>& b = m.begin();
  claims.take(m);
  Ir* offsets = m.next_parameter();
  Ir* index = m.global_id(0);
  Ir* word = claims.word(b, ElementEmitter(b, 1).load(DType::kInt64, offsets, index).re);
  if (clears)
    b.CreateAlignedStore(b.getInt32(0), word, llvm::Align(4));
  else
    b.CreateAtomicRMW(llvm::AtomicRMWInst::UMax, word, Claims::number_of(b, index), llvm::Align(4),
                      llvm::AtomicOrdering::Monotonic,
                      b.getContext().getOrInsertSyncScopeID("device"));
  b.CreateRetVoid();
  return m.finish();
}

/// Parameters: x, offsets, dense, their counts (indices, inner), outer and inner extents and
/// strides, and claims. Items: (outer, index, block of inner elements, or one or several of them);
/// with `walks` (outer, block). With one inner element the indices are the innermost dimension.
class Emitter {
 public:
  explicit Emitter(const Form& form)
      : f_(form), m_(form.scatter ? "hither_scatter" : "hither_gather") {}

  target::KernelModule run() {
    for (int i = 0; i < 3; ++i) m_.parameter(target::Parameter::kPointer);
    for (int i = 0; i < 2 + 2 * f_.outer - 1 + 2 * f_.inner - 1; ++i)
      m_.parameter(target::Parameter::kInt64);
    if (f_.claimed) claims_.declare(m_);
    if (f_.checked) m_.parameter(target::Parameter::kPointer);
    if (f_.clamped || f_.checked)
      for (int i = 0; i < 2; ++i) m_.parameter(target::Parameter::kInt64);
    llvm::IRBuilder<>& b = m_.begin();
    x_ = m_.next_parameter();
    offsets_ = m_.next_parameter();
    dense_ = m_.next_parameter();
    index_count_ = m_.next_parameter();
    inner_count_ = m_.next_parameter();
    take_walk(f_.outer, outer_extents_, outer_strides_);
    take_walk(f_.inner, inner_extents_, inner_strides_);
    if (f_.inner_unit) inner_strides_.back() = b.getInt64(1);
    if (f_.claimed) claims_.take(m_);
    if (f_.checked) {
      found_ = m_.next_parameter();
      extent_ = m_.next_parameter();
      stride_ = m_.next_parameter();
    } else if (f_.clamped) {
      least_ = m_.next_parameter();
      most_ = m_.next_parameter();
    }
    find_item(b);
    Ir* start = emit_offsets(b, outer_, outer_extents_, {outer_strides_})[0];
    if (f_.walks) {
      emit_loop(b, b.getInt64(0), index_count_, b.getInt64(1), {}, [&](Ir* i, const Values&) {
        block(i, start);
        return Values{};
      });
    } else {
      block(index_, start);
    }
    if (outside_)
      emit_if(b, outside_, {}, [&](const Values&) {
        b.CreateStore(b.getInt8(1), found_);
        return Values{};
      });
    b.CreateRetVoid();
    target::KernelModule module = m_.finish();
    module.independent_items = true;
    return module;
  }

 private:
  void take_walk(int dims, Values& extents, Values& strides) {
    for (int d = 0; d < dims; ++d) extents.push_back(d == 0 ? nullptr : m_.next_parameter());
    for (int d = 0; d < dims; ++d) strides.push_back(m_.next_parameter());
  }

  // Computes the item's outer element, index, and inner element or block.
  void find_item(llvm::IRBuilder<>& b) {
    if (f_.alone) {
      outer_ = inner_ = b.getInt64(0);
      index_ = m_.global_id(0);
      return;
    }
    if (!f_.in_line) {
      outer_ = m_.global_id(0);
      index_ = m_.global_id(1);
      if (!f_.flat && f_.tiny == 0) inner_ = m_.global_id(2);
      return;
    }
    Ir* rest = m_.global_id(0);
    if (!f_.flat) {
      Ir* items = b.CreateUDiv(inner_count_, b.getInt64(static_cast<uint64_t>(f_.pieces())));
      inner_ = b.CreateURem(rest, items);
      rest = b.CreateUDiv(rest, items);
    }
    index_ = b.CreateURem(rest, index_count_);
    outer_ = b.CreateUDiv(rest, index_count_);
  }

  Ir* offset_at(ElementEmitter& e, Ir* at) {
    llvm::IRBuilder<>& b = m_.b();
    if (f_.checked) {
      Ir* index = e.cast(e.load(*f_.checked, offsets_, at), *f_.checked, DType::kInt64).re;
      if (kind_of(*f_.checked) == DTypeKind::kInt)
        index = b.CreateSelect(b.CreateICmpSLT(index, b.getInt64(0)),
                               b.CreateNSWAdd(index, extent_), index);
      outside_ = b.CreateICmpUGE(index, extent_);  // negative ones are large as unsigned integers
      Ir* last = b.CreateNSWSub(extent_, b.getInt64(1));
      return b.CreateNSWMul(b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, index, last), stride_);
    }
    Ir* offset = e.load(DType::kInt64, offsets_, at).re;
    if (!f_.clamped) return offset;
    offset = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, offset, least_);
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, offset, most_);
  }

  // Copies the elements of one index: one, or a block of inner elements.
  void block(Ir* index, Ir* start) {
    llvm::IRBuilder<>& b = m_.b();
    ElementEmitter e(b, 1);
    Ir* flat = b.CreateNSWAdd(b.CreateNSWMul(outer_, index_count_), index);
    Ir* offset = offset_at(e, f_.own ? flat : index);
    Ir* at = b.CreateNSWAdd(start, offset);
    if (f_.tiny > 0) return tiny_row(e, at, flat);
    if (!f_.flat) flat = b.CreateNSWMul(flat, inner_count_);
    if (f_.flat || f_.single) {
      Values from, to;
      Ir* inner = inner_;
      for (int64_t k = 0; k < f_.pieces(); ++k) {
        from.push_back(at);
        to.push_back(flat);
        if (f_.flat) continue;
        if (k > 0) inner = b.CreateNSWAdd(inner, b.CreateUDiv(inner_count_, b.getInt64(kTogether)));
        from.back() =
            b.CreateNSWAdd(at, emit_offsets(b, inner, inner_extents_, {inner_strides_})[0]);
        to.back() = b.CreateNSWAdd(flat, inner);
      }
      if (!f_.claimed) return move(e, from, to, nullptr);
      Ir* last = b.CreateAlignedLoad(b.getInt32Ty(), claims_.word(b, offset), llvm::Align(4));
      emit_if(b, b.CreateICmpEQ(last, Claims::number_of(b, index)), {}, [&](const Values&) {
        move(e, from, to, nullptr);
        return Values{};
      });
      return;
    }
    Ir* first = b.CreateNSWMul(inner_, b.getInt64(kBlock));
    Ir* end = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin,
                                      b.CreateNSWAdd(first, b.getInt64(kBlock)), inner_count_);
    if (f_.inner != 1 || !f_.inner_unit || is_complex(f_.dtype)) {
      emit_loop(b, first, end, b.getInt64(1), {}, [&](Ir* i, const Values&) {
        Ir* inner = emit_offsets(b, i, inner_extents_, {inner_strides_})[0];
        move(e, {b.CreateNSWAdd(at, inner)}, {b.CreateNSWAdd(flat, i)}, nullptr);
        return Values{};
      });
      return;
    }
    const int lanes = 128 / size_of(f_.dtype);
    ElementEmitter wide(b, lanes);
    Ir* rest = b.CreateURem(b.CreateNSWSub(end, first), b.getInt64(static_cast<uint64_t>(lanes)));
    Ir* full = b.CreateNSWSub(end, rest);
    emit_loop(b, first, full, b.getInt64(static_cast<uint64_t>(lanes)), {},
              [&](Ir* i, const Values&) {
                move(wide, {b.CreateNSWAdd(at, i)}, {b.CreateNSWAdd(flat, i)}, nullptr);
                return Values{};
              });
    Ir* mask = b.CreateICmpULT(b.CreateStepVector(wide.widen(b.getInt64Ty())),
                               b.CreateVectorSplat(static_cast<unsigned>(lanes), rest));
    emit_if(b, b.CreateICmpNE(rest, b.getInt64(0)), {}, [&](const Values&) {
      move(wide, {b.CreateNSWAdd(at, full)}, {b.CreateNSWAdd(flat, full)}, mask);
      return Values{};
    });
  }

  void tiny_row(ElementEmitter& e, Ir* at, Ir* flat) {
    llvm::IRBuilder<>& b = m_.b();
    flat = b.CreateNSWMul(flat, b.getInt64(static_cast<uint64_t>(f_.tiny)));
    Values from, to;
    for (int64_t k = 0; k < f_.tiny; ++k) {
      from.push_back(b.CreateNSWAdd(at, b.getInt64(static_cast<uint64_t>(k))));
      to.push_back(b.CreateNSWAdd(flat, b.getInt64(static_cast<uint64_t>(k))));
    }
    move(e, from, to, nullptr);
  }

  // All elements are read before the first is written, so that the loads overlap.
  void move(ElementEmitter& e, const Values& at, const Values& flat, Ir* mask) {
    std::vector<Element> moved;
    for (size_t k = 0; k < at.size(); ++k) {
      moved.push_back(value(e, at[k], flat[k], mask));
      if (f_.combine)
        moved.back() = combined(m_.b(), e, *f_.combine, f_.dtype,
                                e.load(f_.dtype, x_, at[k], nullptr, mask), moved.back());
    }
    for (size_t k = 0; k < at.size(); ++k)
      e.store(f_.dtype, moved[k], f_.scatter ? x_ : dense_, f_.scatter ? at[k] : flat[k], mask);
  }

  Element value(ElementEmitter& e, Ir* at, Ir* flat, Ir* mask) {
    if (!f_.scatter) return e.load(f_.dtype, x_, at, nullptr, mask);
    if (!f_.scalar) return e.load(f_.dtype, dense_, flat, nullptr, mask);
    ElementEmitter one(m_.b(), 1);
    Element v = one.load(f_.dtype, dense_, m_.b().getInt64(0));
    if (e.lanes() > 1) v.re = m_.b().CreateVectorSplat(static_cast<unsigned>(e.lanes()), v.re);
    return v;
  }

  const Form& f_;
  ModuleBuilder m_;
  Ir *x_ = nullptr, *offsets_ = nullptr, *dense_ = nullptr, *index_count_ = nullptr,
     *inner_count_ = nullptr;
  Ir *outer_ = nullptr, *index_ = nullptr, *inner_ = nullptr;
  Ir *least_ = nullptr, *most_ = nullptr;                        ///< of `clamped`
  Ir *found_ = nullptr, *extent_ = nullptr, *stride_ = nullptr;  ///< of `checked`
  Ir* outside_ = nullptr;  ///< of `checked`: whether the item's index is out of range
  Claims claims_{};
  Values outer_extents_, outer_strides_, inner_extents_, inner_strides_;
};

ReadyKernel kernel_for(const Queue& queue, const Form& form) {
  return find_kernel(
      queue, form.key(), [&] { return Emitter(form).run(); },
      [&] {
        if (form.combine) return fmt::format("scatter_{}", name_of(*form.combine));
        return std::string(form.scatter ? "scatter" : "gather");
      });
}

Form form_of(const Queue& queue, DType dtype, const Walk& outer, const Walk& inner,
             int64_t indices) {
  Form form;
  form.dtype = dtype;
  form.outer = outer.extents.size();
  form.inner = inner.extents.size();
  form.inner_unit = inner.strides.back() == 1;
  form.flat = inner.extents.product() == 1;
  form.single = takes_gpu_forms(queue);
  const int64_t row = inner.extents.product();
  form.alone = form.single && form.flat && outer.extents.product() == 1;
  form.together = form.single && row >= kShortRow && row % kTogether == 0;
  const int64_t rows = outer.extents.product();
  form.in_line =
      form.single && (form.flat ? rows > kLongestMiddleOnGpus
                                : rows > kLongestOuterOnGpus || indices > kLongestMiddleOnGpus);
  return form;
}

Range range_of(const Form& form, const Walk& outer, const Walk& inner, int64_t indices) {
  const int64_t row = inner.extents.product(), rows = outer.extents.product();
  const int64_t of_row = divide_up(row, form.single ? form.pieces() : kBlock);
  if (form.alone) return Range(indices);
  if (form.in_line) return Range(rows * indices * of_row);
  if (form.flat || form.tiny > 0) return Range(rows, indices);
  return Range(rows, indices, of_row);
}

// Records in the table the last index of each slot; the kernel of `call` reads the table.
void claim(KernelCall& call, const Memory& table, const Queue& queue, const GatherShape& shape,
           Value& offsets) {
  const int64_t count = offsets.layout->size;
  Event done;
  const auto take_step = [&](bool clears) {
    const ReadyKernel kernel = find_kernel(
        queue, clears ? "su1" : "sc1", [&] { return emit_claims(clears); },
        [&] { return std::string(clears ? "unclaim" : "claim"); });
    KernelCall step;
    Claims::pack(step, table, done, shape);
    step.reads(offsets);
    done = step.submit(queue, kernel, Range(count), 12 * count);
  };
  if (shape.slots <= kClearedWhole * count) {
    const int32_t nothing = 0;
    done = queue.fill(table.data(), &nothing, sizeof nothing, static_cast<size_t>(shape.slots));
    table.release_after(done);
  } else {
    take_step(true);
  }
  take_step(false);
  Claims::pack(call, table, done, shape);
}

}  // namespace

Memory table_memory(const Queue& queue, size_t bytes) {
  try {
    return Memory::for_work(queue, bytes, UsmType::kDevice);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kMemory) throw;
    return {};
  }
}

void GatherRecipe::launch(Value& value, std::span<const Operated> operands) const {
  Value& offsets = *operands[1].value;
  const Walk outer(shape_.outer, shape_.outer_strides), inner(shape_.inner, shape_.inner_strides);
  Form form = form_of(value.queue, value.dtype, outer, inner, offsets.layout->size);
  form.clamped = shape_.clamped;
  form.own = shape_.own_indices;
  if (checked_) form.checked = offsets.dtype;
  const int64_t row = inner.extents.product();
  if (!form.single && !form.flat && inner.extents.size() == 1 && form.inner_unit && row <= kTinyRow)
    form.tiny = row;
  const int64_t indices = offsets.layout->size, bytes = value.layout->size * size_of(value.dtype);
  const int64_t count = indices / (form.own ? outer.extents.product() : 1);
  if (checked_ && form.flat && !form.single && takes_batches(count))
    return gather_batches(value, operands[0], outer, offsets, count, form.own, *checked_);
  const ReadyKernel kernel = kernel_for(value.queue, form);
  allocate(value);
  if (value.layout->size == 0) return;
  KernelCall call;
  call.reads(operands[0], value.dtype);
  call.reads(offsets);
  call.writes(value.memory);
  call.integer(count);
  call.integer(inner.extents.product());
  outer.pack(call);
  inner.pack(call);
  if (checked_) {
    call.writes(checked_->found);
    call.integer(checked_->extent);
    call.integer(checked_->stride);
  } else if (form.clamped) {
    call.integer(shape_.first);
    call.integer(shape_.first + (shape_.slots - 1) * shape_.step);
  }
  const Range range = range_of(form, outer, inner, count);
  value.written =
      call.submit(value.queue, kernel, range, 2 * bytes + size_of(offsets.dtype) * indices);
}

std::string GatherRecipe::describe(const Value&) const { return "gather"; }

Event run_scatter(Value& target, const Layout& layout, const GatherShape& shape, Value& offsets,
                  Value& values, bool scalar, bool unique, std::optional<Reduction> combine) {
  const Walk outer(shape.outer, shape.outer_strides), inner(shape.inner, shape.inner_strides);
  Form form = form_of(target.queue, values.dtype, outer, inner, offsets.layout->size);
  form.scatter = true;
  form.scalar = scalar;
  form.own = shape.own_indices;
  form.combine = combine;
  const int64_t count = offsets.layout->size / (form.own ? outer.extents.product() : 1);
  const int64_t inner_count = inner.extents.product();
  const bool may_repeat = (!scalar || combine) && !unique && count > 1;
  std::vector<Event> reads;
  append_reads(target, reads);
  if (may_repeat && !combine && form.alone && takes_last_writes(shape, values.dtype, count)) {
    char* const x = address_of(target) + layout.offset * size_of(values.dtype);
    if (auto written = run_last_writes(target, x, values.dtype, shape, offsets, values, reads))
      return *written;
  }
  if (may_repeat && !form.single && form.flat && !form.own && outer.extents.product() == 1 &&
      takes_partition(target.queue.device(), shape, values.dtype, count)) {
    char* const x = address_of(target) + layout.offset * size_of(values.dtype);
    if (auto written =
            run_partition(target, x, values.dtype, shape, offsets, values, scalar, combine, reads))
      return *written;
  }
  Memory table;
  if (may_repeat && !combine && form.single && count <= INT32_MAX && shape.slots <= kMostSlots)
    table = table_memory(target.queue, static_cast<size_t>(shape.slots) * 4);
  form.claimed = static_cast<bool>(table);
  form.walks = may_repeat && !form.claimed;
  if (form.walks) form.single = form.in_line = form.alone = form.together = false;
  const ReadyKernel kernel = kernel_for(target.queue, form);
  KernelCall call;
  call.reads(target);
  call.shift(layout.offset * size_of(values.dtype));
  for (const Event& e : reads) call.after(e);
  call.reads(offsets);
  call.reads(values);
  call.integer(count);
  call.integer(inner_count);
  outer.pack(call);
  inner.pack(call);
  if (form.claimed) claim(call, table, target.queue, shape, offsets);
  const Range range = range_of(form, outer, inner, form.walks ? 1 : count);
  const int64_t bytes = outer.extents.product() * count * inner_count * size_of(values.dtype);
  return call.submit(target.queue, kernel, range, 2 * bytes + 8 * count);
}

}  // namespace hither::array
