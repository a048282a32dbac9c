#include "array/segments.h"

#include <fmt/format.h>
#include <hither/ops.h>
#include <hither/segments.h>

#include "array/emit/combine.h"
#include "array/emit/producers.h"
#include "array/flush.h"
#include "array/kernel_call.h"
#include "array/placed.h"

namespace hither {

namespace array {

namespace {

using Ir = llvm::Value;
using Values = std::vector<Ir*>;

/// Everything that the code depends on.
struct SegmentKernel {
  Accumulation accumulation;
  DType read, stored;
  bool flat;  ///< one inner element

  std::string key() const {
    std::string k = "e1";
    for (int v : {static_cast<int>(accumulation.reduction), static_cast<int>(accumulation.dtype),
                  static_cast<int>(read), static_cast<int>(stored), static_cast<int>(flat)})
      k.push_back(static_cast<char>(v));
    return k;
  }

  // Parameters: result, x, begins, ends, number of inner elements.
  target::KernelModule emit() const {
    ModuleBuilder m("hither_segments");
    for (int i = 0; i < 4; ++i) m.parameter(target::Parameter::kPointer);
    m.parameter(target::Parameter::kInt64);
    llvm::IRBuilder<>& b = m.begin();
    Ir* result = m.next_parameter();
    Ir* x = m.next_parameter();
    Ir* begins = m.next_parameter();
    Ir* ends = m.next_parameter();
    Ir* inner = m.next_parameter();
    Ir* item = m.global_id(0);
    ElementEmitter e(b, 1);
    Ir* segment = flat ? item : b.CreateUDiv(item, inner);
    Ir* column = flat ? nullptr : b.CreateURem(item, inner);
    const Combiner combiner(accumulation);
    const Element start = combiner.identity(e, nullptr).value;
    Values carried{start.re};
    if (start.im) carried.push_back(start.im);
    const Values total = emit_loop(
        b, e.load(DType::kInt64, begins, segment).re, e.load(DType::kInt64, ends, segment).re,
        b.getInt64(1), carried, [&](Ir* i, const Values& v) {
          Ir* at = flat ? i : b.CreateNSWAdd(b.CreateNSWMul(i, inner), column);
          const Element next = combiner.prepare(e, e.load(read, x, at), read);
          const Element so_far{v[0], v.size() > 1 ? v[1] : nullptr};
          const Element sum = combiner.in_order(b, e, {so_far}, {next}).value;
          return sum.im ? Values{sum.re, sum.im} : Values{sum.re};
        });
    const Element all{total[0], total.size() > 1 ? total[1] : nullptr};
    e.store(stored, e.cast(all, accumulation.dtype, stored), result, item);
    b.CreateRetVoid();
    target::KernelModule module = m.finish();
    module.independent_items = true;
    return module;
  }
};

}  // namespace

void SegmentRecipe::launch(Value& value, std::span<const Operated> operands) const {
  const SegmentKernel kernel{accumulation_, value.inputs[0].dtype, value.dtype, inner_ == 1};
  allocate(value);
  KernelCall call;
  call.writes(value.memory);
  call.reads(operands[0], kernel.read);
  for (const Operated& bound : operands.subspan(1)) call.reads(bound, DType::kInt64);
  call.integer(inner_);
  const ReadyKernel ready = find_kernel(
      value.queue, kernel.key(), [&] { return kernel.emit(); },
      [&] { return fmt::format("segment_{}", name_of(accumulation_.reduction)); });
  const int64_t items = value.layout->size;
  value.written = call.submit(value.queue, ready, Range(items),
                              size_ * size_of(kernel.read) + items * size_of(value.dtype));
}

std::string SegmentRecipe::describe(const Value&) const {
  return fmt::format("segment_{}", name_of(accumulation_.reduction));
}

}  // namespace array

using namespace array;

Array segment_reduce(Reduction r, const Array& x, const Array& begins, const Array& ends,
                     std::optional<DType> dtype, const Queue* queue) {
  if (x.ndim() == 0 || begins.ndim() != 1 || !(begins.shape() == ends.shape()))
    throw Error(
        ErrorKind::kValue, "segment_reduce",
        fmt::format("x has shape {}, the begins {}, the ends {}; x needs an axis, and "
                    "the others one axis and equal extents",
                    shape_text(x.shape()), shape_text(begins.shape()), shape_text(ends.shape())));
  const Placed placed = place_arrays("segment_reduce", {&x, &begins, &ends}, queue);
  const DType stored = dtype.value_or(x.dtype());
  require_arithmetic("segment_reduce", stored);
  const DType compute = wide_dtype(stored);
  Dims shape = x.shape();
  shape[0] = begins.size();
  if (shape.product() == 0) return full(shape, Scalar(0), stored, {placed.queue, placed.usm_type});
  const int64_t inner = shape.product() / shape[0];
  const Array operands[] = {x, astype(begins, DType::kInt64, false),
                            astype(ends, DType::kInt64, false)};
  return finish_recipe(shape, stored, compute, {placed.queue, placed.usm_type}, operands,
                       std::make_unique<SegmentRecipe>(Accumulation{r, compute}, x.size(), inner));
}

}  // namespace hither
