#include "array/gather.h"

#include "array/emit_producers.h"
#include "array/flush.h"
#include "array/kernel_call.h"

namespace hither::array {

namespace {

using Ir = llvm::Value;
using Values = std::vector<Ir*>;

// Inner elements that one item moves.
constexpr int64_t kBlock = 8192;

/// What the code of one gather or scatter depends on.
struct Form {
  DType dtype;
  bool scatter = false, scalar = false;
  int outer = 0, inner = 0;  ///< collapsed dimensions
  bool inner_unit = false;   ///< the last inner stride is 1
  bool flat = false;         ///< one inner element: the indices are the innermost dimension

  std::string key() const {
    std::string k = scatter ? "s1" : "g1";
    for (int v : {static_cast<int>(dtype), static_cast<int>(scalar), outer, inner,
                  static_cast<int>(inner_unit), static_cast<int>(flat)})
      k.push_back(static_cast<char>(v));
    return k;
  }
};

/// Neighbouring axes merged.
struct Walk {
  Dims extents, strides;
  Walk(const Dims& shape, const Dims& steps) {
    for (int d = 0; d < shape.size(); ++d) {
      if (shape[d] == 1) continue;
      if (!extents.empty() && strides.back() == steps[d] * shape[d]) {
        extents.back() *= shape[d];
        strides.back() = steps[d];
      } else {
        extents.push_back(shape[d]);
        strides.push_back(steps[d]);
      }
    }
    if (extents.empty()) {
      extents.push_back(1);
      strides.push_back(1);
    }
  }
  void pack(KernelCall& call) const {
    for (int d = 1; d < extents.size(); ++d) call.integer(extents[d]);
    for (int64_t s : strides) call.integer(s);
  }
};

/// Parameters: x, offsets, dense, their counts (indices, inner), then outer and inner extents and
/// strides. Items: (outer, index, block of inner elements); a scatter's walk all indices in order,
/// unless it has one value. With one inner element the indices are the innermost dimension.
class Emitter {
 public:
  explicit Emitter(const Form& form)
      : f_(form), m_(form.scatter ? "hither_scatter" : "hither_gather") {}

  target::KernelModule run() {
    for (int i = 0; i < 3; ++i) m_.parameter(target::Parameter::kPointer);
    for (int i = 0; i < 2 + 2 * f_.outer - 1 + 2 * f_.inner - 1; ++i)
      m_.parameter(target::Parameter::kInt64);
    llvm::IRBuilder<>& b = m_.begin();
    x_ = m_.next_parameter();
    offsets_ = m_.next_parameter();
    dense_ = m_.next_parameter();
    index_count_ = m_.next_parameter();
    inner_count_ = m_.next_parameter();
    take_walk(f_.outer, outer_extents_, outer_strides_);
    take_walk(f_.inner, inner_extents_, inner_strides_);
    if (f_.inner_unit) inner_strides_.back() = b.getInt64(1);
    Ir* start = emit_offsets(b, m_.global_id(0), outer_extents_, {outer_strides_})[0];
    if (f_.scatter && !f_.scalar) {
      emit_loop(b, b.getInt64(0), index_count_, b.getInt64(1), {}, [&](Ir* i, const Values&) {
        block(i, start);
        return Values{};
      });
    } else {
      block(m_.global_id(f_.flat ? 2 : 1), start);
    }
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

  // The elements of one index: one, or a block of the inner ones.
  void block(Ir* index, Ir* start) {
    llvm::IRBuilder<>& b = m_.b();
    ElementEmitter e(b, 1);
    Ir* at = b.CreateNSWAdd(start, e.load(DType::kInt64, offsets_, index).re);
    Ir* flat = b.CreateNSWAdd(b.CreateNSWMul(m_.global_id(0), index_count_), index);
    if (f_.flat) {
      move(e, at, flat, nullptr);
      return;
    }
    flat = b.CreateNSWMul(flat, inner_count_);
    Ir* first = b.CreateNSWMul(m_.global_id(2), b.getInt64(kBlock));
    Ir* end = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin,
                                      b.CreateNSWAdd(first, b.getInt64(kBlock)), inner_count_);
    if (f_.inner != 1 || !f_.inner_unit || is_complex(f_.dtype)) {
      emit_loop(b, first, end, b.getInt64(1), {}, [&](Ir* i, const Values&) {
        Ir* inner = emit_offsets(b, i, inner_extents_, {inner_strides_})[0];
        move(e, b.CreateNSWAdd(at, inner), b.CreateNSWAdd(flat, i), nullptr);
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
                move(wide, b.CreateNSWAdd(at, i), b.CreateNSWAdd(flat, i), nullptr);
                return Values{};
              });
    Ir* mask = b.CreateICmpULT(b.CreateStepVector(wide.widen(b.getInt64Ty())),
                               b.CreateVectorSplat(static_cast<unsigned>(lanes), rest));
    emit_if(b, b.CreateICmpNE(rest, b.getInt64(0)), {}, [&](const Values&) {
      move(wide, b.CreateNSWAdd(at, full), b.CreateNSWAdd(flat, full), mask);
      return Values{};
    });
  }

  void move(ElementEmitter& e, Ir* at, Ir* flat, Ir* mask) {
    llvm::IRBuilder<>& b = m_.b();
    if (!f_.scatter) {
      e.store(f_.dtype, e.load(f_.dtype, x_, at, nullptr, mask), dense_, flat, mask);
    } else if (!f_.scalar) {
      e.store(f_.dtype, e.load(f_.dtype, dense_, flat, nullptr, mask), x_, at, mask);
    } else {
      ElementEmitter one(b, 1);
      Element v = one.load(f_.dtype, dense_, b.getInt64(0));
      if (e.lanes() > 1) v.re = b.CreateVectorSplat(static_cast<unsigned>(e.lanes()), v.re);
      e.store(f_.dtype, v, x_, at, mask);
    }
  }

  const Form& f_;
  ModuleBuilder m_;
  Ir *x_ = nullptr, *offsets_ = nullptr, *dense_ = nullptr, *index_count_ = nullptr,
     *inner_count_ = nullptr;
  Values outer_extents_, outer_strides_, inner_extents_, inner_strides_;
};

ReadyKernel kernel_for(const Queue& queue, const Form& form) {
  return find_kernel(
      queue, form.key(), [&] { return Emitter(form).run(); },
      [&] { return std::string(form.scatter ? "scatter" : "gather"); });
}

Form form_of(DType dtype, const Walk& outer, const Walk& inner) {
  Form form;
  form.dtype = dtype;
  form.outer = outer.extents.size();
  form.inner = inner.extents.size();
  form.inner_unit = inner.strides.back() == 1;
  form.flat = inner.extents.product() == 1;
  return form;
}

Range range_of(const Form& form, const Walk& outer, const Walk& inner, int64_t indices) {
  if (form.flat) return Range(outer.extents.product(), 1, indices);
  return Range(outer.extents.product(), indices, (inner.extents.product() + kBlock - 1) / kBlock);
}

}  // namespace

void GatherRecipe::submit(Value& value) const {
  Value& x = ready(*value.inputs[0].value);
  Value& offsets = ready(*value.inputs[1].value);
  const Walk outer(shape_.outer, shape_.outer_strides), inner(shape_.inner, shape_.inner_strides);
  const Form form = form_of(value.dtype, outer, inner);
  const ReadyKernel kernel = kernel_for(value.queue, form);
  const int64_t count = offsets.layout->size, bytes = value.layout->size * size_of(value.dtype);
  allocate(value);
  if (value.layout->size == 0) return;
  const Input& in = value.inputs[0];
  KernelCall call;
  call.reads(x);
  call.shift((in.layout ? in.layout->offset : 0) * size_of(value.dtype));
  call.reads(offsets);
  call.writes(value.memory);
  call.integer(count);
  call.integer(inner.extents.product());
  outer.pack(call);
  inner.pack(call);
  const Range range = range_of(form, outer, inner, count);
  value.written = call.submit(value.queue, kernel, range, 2 * bytes + 8 * count);
}

std::string GatherRecipe::describe(const Value&) const { return "gather"; }

Event run_scatter(Value& target, const Layout& layout, const GatherShape& shape, Value& offsets,
                  Value& values, bool scalar) {
  const Walk outer(shape.outer, shape.outer_strides), inner(shape.inner, shape.inner_strides);
  Form form = form_of(values.dtype, outer, inner);
  form.scatter = true;
  form.scalar = scalar;
  const ReadyKernel kernel = kernel_for(target.queue, form);
  const int64_t count = offsets.layout->size, inner_count = inner.extents.product();
  KernelCall call;
  call.reads(target);
  call.shift(layout.offset * size_of(values.dtype));
  std::vector<Event> reads;
  append_reads(target, reads);
  for (const Event& e : reads) call.after(e);
  call.reads(offsets);
  call.reads(values);
  call.integer(count);
  call.integer(inner_count);
  outer.pack(call);
  inner.pack(call);
  const Range range = range_of(form, outer, inner, scalar ? count : 1);
  const int64_t bytes = outer.extents.product() * count * inner_count * size_of(values.dtype);
  return call.submit(target.queue, kernel, range, 2 * bytes + 8 * count);
}

}  // namespace hither::array
