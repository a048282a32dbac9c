#include "array/search.h"

#include <fmt/format.h>

#include <hither/ops.h>

#include "array/emit/producers.h"
#include "array/flush.h"
#include "array/kernel_call.h"
#include "array/placed.h"

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

// Parameters: result, sorted, values, number of sorted elements. Every item does as many iterations
// as that number has bits, so consecutive items do not diverge.
target::KernelModule emit(DType t, SearchSide side) {
  ModuleBuilder m("hither_searchsorted");
  for (int i = 0; i < 3; ++i) m.parameter(target::Parameter::kPointer);
  m.parameter(target::Parameter::kInt64);
  llvm::IRBuilder<>& b = m.begin();
  Ir* result = m.next_parameter();
  Ir* sorted = m.next_parameter();
  Ir* values = m.next_parameter();
  Ir* count = m.next_parameter();
  Ir* item = m.global_id(0);
  ElementEmitter e(b, 1);
  const Element wanted = e.load(t, values, item);
  Ir* zero = b.getInt64(0);
  Ir* one = b.getInt64(1);
  Ir* steps = b.CreateSub(b.getInt64(64),
                          b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, count, b.getFalse()));
  const Values found = emit_loop(b, zero, steps, one, {zero, count}, [&](Ir*, const Values& v) {
    Ir* half = b.CreateLShr(v[1], one);
    Ir* middle = b.CreateNSWAdd(v[0], half);
    // The interval may be empty; the index is clamped so that the element beyond the end is not
    // read.
    Ir* at = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, middle, b.CreateNSWSub(count, one));
    const Element x = e.load(t, sorted, at);
    Ir* below =
        side == SearchSide::kLeft ? before(b, t, x, wanted) : b.CreateNot(before(b, t, wanted, x));
    Ir* above = b.CreateAnd(below, b.CreateICmpSGT(v[1], zero));
    Ir* rest = b.CreateNSWSub(b.CreateNSWSub(v[1], half), one);
    return Values{b.CreateSelect(above, b.CreateNSWAdd(middle, one), v[0]),
                  b.CreateSelect(above, rest, half)};
  });
  e.store(DType::kInt64, {found[0]}, result, item);
  b.CreateRetVoid();
  target::KernelModule module = m.finish();
  module.independent_items = true;
  return module;
}

}  // namespace

void SearchRecipe::launch(Value& value, std::span<const Operated> operands) const {
  const int64_t size = value.layout->size;
  const DType t = value.compute;
  std::string key = "b1";
  key.push_back(static_cast<char>(t));
  key.push_back(static_cast<char>(side_));
  const ReadyKernel kernel = find_kernel(
      value.queue, key, [&] { return emit(t, side_); }, [] { return std::string("searchsorted"); });
  value.memory = Memory::for_work(value.queue, static_cast<size_t>(size) * 8, value.usm_type);
  value.offset_bytes = 0;
  KernelCall call;
  call.writes(value.memory);
  for (const Operated& x : operands) {
    call.reads(*x.value);
    call.shift(x.offset * size_of(t));
  }
  call.integer(count_);
  value.written =
      call.submit(value.queue, kernel, Range(size), size * (8 + size_of(t)) + count_ * size_of(t));
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
