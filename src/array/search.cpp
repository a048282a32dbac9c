#include "array/search.h"

#include <fmt/format.h>

#include <hither/ops.h>

#include "array/device_check.h"
#include "array/emit/binary_search.h"
#include "array/emit/group.h"
#include "array/emit/producers.h"
#include "array/flush.h"
#include "array/form/divide_up.h"
#include "array/kernel_call.h"
#include "array/placed.h"
#include "array/plan/gpu_forms.h"

namespace hither {

namespace array {

namespace {

// GPUs: values that an item looks for, so that their loads overlap. CPUs interleave items.
constexpr int64_t kValuesOfItem = 4, kValuesWithLocal = 8;
// GPUs: a group copies a sorted array of at most kMostInLocal elements to local memory, where items
// that read different elements wait less for each other.
constexpr int64_t kMostInLocal = 2048, kSearchGroup = 256;

/// How a kernel looks for values.
struct SearchForm {
  DType dtype;
  SearchSide side;
  bool interpolates;
  int64_t together;  ///< values of an item
  bool local;        ///< groups copy the sorted array

  SearchForm(DType t, SearchSide s, bool interpolated, int64_t length, const Queue& queue)
      : dtype(t), side(s), interpolates(interpolated) {
    const bool on_gpu = takes_gpu_forms(queue);
    local = on_gpu && length <= kMostInLocal && !is_complex(t);
    together = local ? kValuesWithLocal : on_gpu ? kValuesOfItem : 1;
  }
  std::string key() const {
    std::string k = interpolates ? "n2" : "b3";
    for (int v : {static_cast<int>(dtype), static_cast<int>(side), static_cast<int>(together)})
      k.push_back(static_cast<char>(v));
    return k;
  }
  NdRange range(int64_t size) const {
    if (!local) return Range(divide_up(size, together));
    return {Range(divide_up(size, together * kSearchGroup) * kSearchGroup), Range(kSearchGroup)};
  }
  target::KernelModule finish(ModuleBuilder& m) const {
    m.b().CreateRetVoid();
    target::KernelModule module = m.finish();
    module.independent_items = !local;
    if (local) {
      module.local_size[0] = kSearchGroup;
      module.local_size[1] = module.local_size[2] = 1;
    }
    return module;
  }
  /// Where the elements of the sorted array are read.
  llvm::Value* fetched(ModuleBuilder& m, llvm::Value* sorted, llvm::Value* length) const {
    if (!local) return sorted;
    llvm::IRBuilder<>& b = m.b();
    ElementEmitter e(b, 1);
    GroupEmitter g(m);
    llvm::Value* kept = g.local_array(e.memory_type(dtype), kMostInLocal);
    emit_loop(b, g.item(), length, b.getInt64(kSearchGroup), {},
              [&](llvm::Value* i, const std::vector<llvm::Value*>&) {
                e.store(dtype, e.load(dtype, sorted, i), kept, i);
                return std::vector<llvm::Value*>{};
              });
    g.barrier();
    return kept;
  }
};

// Parameters: result, sorted, values, the numbers of sorted elements and of values.
target::KernelModule emit_search(const SearchForm& form) {
  const DType t = form.dtype;
  ModuleBuilder m("hither_searchsorted");
  for (int i = 0; i < 3; ++i) m.parameter(target::Parameter::kPointer);
  for (int i = 0; i < 2; ++i) m.parameter(target::Parameter::kInt64);
  llvm::IRBuilder<>& b = m.begin();
  llvm::Value* result = m.next_parameter();
  llvm::Value* sorted = m.next_parameter();
  llvm::Value* values = m.next_parameter();
  llvm::Value* length = m.next_parameter();
  const std::vector<llvm::Value*> items = m.spread_ids(form.together, m.next_parameter());
  sorted = form.fetched(m, sorted, length);
  ElementEmitter e(b, 1);
  std::vector<Element> wanted;
  for (llvm::Value* at : items) wanted.push_back(e.load(t, values, at));
  const BinarySearch search(b, t, form.side, sorted, length);
  const std::vector<llvm::Value*> found = search.places(wanted);
  for (size_t k = 0; k < items.size(); ++k) e.store(DType::kInt64, {found[k]}, result, items[k]);
  return form.finish(m);
}

// Parameters: result, xp, fp, x, the numbers of points and of values.
target::KernelModule emit_interpolation(const SearchForm& form) {
  constexpr DType t = DType::kFloat64;
  ModuleBuilder m("hither_interp");
  for (int i = 0; i < 4; ++i) m.parameter(target::Parameter::kPointer);
  for (int i = 0; i < 2; ++i) m.parameter(target::Parameter::kInt64);
  llvm::IRBuilder<>& b = m.begin();
  llvm::Value* result = m.next_parameter();
  llvm::Value* xp = m.next_parameter();
  llvm::Value* fp = m.next_parameter();
  llvm::Value* x = m.next_parameter();
  llvm::Value* length = m.next_parameter();
  const std::vector<llvm::Value*> items = m.spread_ids(form.together, m.next_parameter());
  xp = form.fetched(m, xp, length);
  ElementEmitter e(b, 1);
  std::vector<Element> wanted;
  for (llvm::Value* at : items) wanted.push_back(e.load(t, x, at));
  const BinarySearch search(b, t, SearchSide::kRight, xp, length);
  const std::vector<llvm::Value*> found = search.places(wanted);
  const auto at = [&](llvm::Value* points, llvm::Value* index) {
    return e.load(t, points, index).re;
  };
  llvm::Value *zero = b.getInt64(0), *one = b.getInt64(1), *last = b.CreateNSWSub(length, one);
  llvm::Value *first_x = at(xp, zero), *first_f = at(fp, zero);
  llvm::Value *last_x = at(xp, last), *last_f = at(fp, last);
  for (size_t k = 0; k < items.size(); ++k) {
    llvm::Value* v = wanted[k].re;
    llvm::Value* i = b.CreateNSWSub(found[k], one);
    i = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, i, b.CreateNSWSub(last, one));
    i = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, i, zero);
    llvm::Value* next = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, b.CreateAdd(i, one), last);
    llvm::Value *x0 = at(xp, i), *x1 = at(xp, next), *f0 = at(fp, i), *f1 = at(fp, next);
    llvm::Value* slope = b.CreateFDiv(b.CreateFSub(f1, f0), b.CreateFSub(x1, x0));
    const auto from = [&](llvm::Value* point, llvm::Value* value) {
      return b.CreateFAdd(b.CreateFMul(slope, b.CreateFSub(v, point)), value);
    };
    const auto is_nan = [&](llvm::Value* y) { return b.CreateFCmpUNO(y, y); };
    // As in NumPy, infinities that give NaN from the left point are tried from the right one.
    llvm::Value* falling = from(x1, f1);
    falling = b.CreateSelect(b.CreateAnd(is_nan(falling), b.CreateFCmpOEQ(f0, f1)), f0, falling);
    llvm::Value* y = from(x0, f0);
    y = b.CreateSelect(is_nan(y), falling, y);
    y = b.CreateSelect(b.CreateFCmpOEQ(v, x0), f0, y);
    y = b.CreateSelect(b.CreateFCmpOGE(v, last_x), last_f, y);
    y = b.CreateSelect(b.CreateFCmpOLT(v, first_x), first_f, y);
    // With one point, NumPy gives its value for NaN too.
    llvm::Value* keeps_nan = b.CreateAnd(is_nan(v), b.CreateICmpSGT(length, one));
    e.store(t, {b.CreateSelect(keeps_nan, v, y)}, result, items[k]);
  }
  return form.finish(m);
}

}  // namespace

void SearchRecipe::launch(Value& value, std::span<const Operated> operands) const {
  const int64_t size = value.layout->size;
  const DType t = value.compute;
  const SearchForm form(t, side_, operands.size() == 3, count_, value.queue);
  const ReadyKernel kernel = find_kernel(
      value.queue, form.key(),
      [&] { return form.interpolates ? emit_interpolation(form) : emit_search(form); },
      [&] { return describe(value); });
  allocate(value);
  KernelCall call;
  call.writes(value.memory);
  for (const Operated& x : operands) call.reads(x, t);
  call.integer(count_);
  call.integer(size);
  const int64_t points = count_ * static_cast<int64_t>(operands.size() - 1);
  value.written = call.submit(value.queue, kernel, form.range(size),
                              size * (8 + size_of(t)) + points * size_of(t), size);
}

std::string SearchRecipe::describe(const Value& value) const {
  return value.input_count == 3 ? "interp" : "searchsorted";
}

}  // namespace array

using namespace array;

namespace {

// A search of the last operand's elements; all operands have the same dtype.
Array search_node(std::initializer_list<Array> operands, SearchSide side, DType result,
                  const Placed& placed) {
  const Array &sorted = *operands.begin(), &values = *(operands.end() - 1);
  return finish_recipe(values.shape(), result, sorted.dtype(), {placed.queue, placed.usm_type},
                       {operands.begin(), operands.size()},
                       std::make_unique<SearchRecipe>(sorted.size(), side));
}

}  // namespace

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
  return search_node({astype(sorted, common, false), astype(values, common, false)}, side,
                     DType::kInt64, placed);
}

std::optional<Array> search_if_ascending(const Array& sorted, const Array& values,
                                         SearchSide side) {
  if (sorted.ndim() != 1 || sorted.size() < 2 || is_complex(sorted.dtype()) ||
      !DeviceCheck::suits(sorted.queue()))
    return std::nullopt;
  const DeviceCheck check = DeviceCheck::of_order(sorted);
  const Array found = searchsorted(sorted, values, side);
  found.evaluate();
  return check.holds() ? std::optional(found) : std::nullopt;
}

Array interpolate(const Array& x, const Array& xp, const Array& fp) {
  const Placed placed = place_arrays("interp", {&x, &xp, &fp}, nullptr);
  if (x.size() == 0) return empty(x.shape(), DType::kFloat64, {placed.queue, placed.usm_type});
  constexpr DType t = DType::kFloat64;
  return search_node({astype(xp, t, false), astype(fp, t, false), astype(x, t, false)},
                     SearchSide::kRight, t, placed);
}

}  // namespace hither
