#include "array/index/target.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/reduce.h>

#include "array/device_check.h"
#include "array/flush.h"
#include "array/record/work_recorder.h"
#include "runtime/memory_state.h"

namespace hither::array {

namespace {

// Finds the index that the error message names.
[[noreturn]] void refuse(std::string_view where, const Array& index, int axis, int64_t extent) {
  std::vector<int64_t> all(static_cast<size_t>(index.size()));
  to_host(astype(index, DType::kInt64, false), all.data());
  const bool is_unsigned = index.dtype() == DType::kUInt64;  // 2^63 and more are negative here
  const auto wrong = std::ranges::find_if(
      all, [&](int64_t i) { return i >= extent || i < (is_unsigned ? 0 : -extent); });
  const int64_t value = wrong == all.end() ? 0 : *wrong;
  const std::string found =
      is_unsigned ? fmt::format("{}", static_cast<uint64_t>(value)) : fmt::format("{}", value);
  throw Error(
      ErrorKind::kIndex, std::string(where),
      fmt::format("index {} is out of bounds for axis {} with size {}", found, axis, extent));
}

bool holds_somewhere(const Array& condition) {
  bool found = false;
  const Array all = any(condition);
  read_element(all, 0, &found);
  return found;
}

template <typename T>
bool all_in_range(const void* data, int64_t size, int64_t extent) {
  const T* const first = static_cast<const T*>(data);
  return std::all_of(first, first + size, [extent](T i) {
    if constexpr (std::is_signed_v<T>) return i < extent && i >= -extent;
    return static_cast<uint64_t>(i) < static_cast<uint64_t>(extent);
  });
}

// Whether the host finds in less time than kernels take that all indices are in range.
bool are_few_in_range(const Array& index, int64_t extent) {
  constexpr int64_t kFew = 4096;
  if (index.size() > kFew || !index.is_c_contiguous() ||
      !runtime::shares_memory_with_host(index.queue()))
    return false;
  const std::shared_ptr<void> data = index.borrowed_host_data(false);
  switch (index.dtype()) {
    case DType::kInt32:
      return all_in_range<int32_t>(data.get(), index.size(), extent);
    case DType::kInt64:
      return all_in_range<int64_t>(data.get(), index.size(), extent);
    default:
      return false;
  }
}

/// The check of indices as a step of a recording.
class IndexCheck final : public RecordedCall {
 public:
  IndexCheck(std::string_view where, int axis, int64_t extent)
      : where_(where), axis_(axis), extent_(extent) {}

  bool run(std::span<const Array> operands, std::span<const Scalar>,
           std::vector<Array>&) const override {
    if (!are_few_in_range(operands[0], extent_))
      (void)from_start(where_, operands[0], axis_, extent_);
    return true;
  }
  std::string describe() const override {
    return fmt::format("check of indices of axis {} with size {}", axis_, extent_);
  }

 private:
  const std::string where_;
  const int axis_;
  const int64_t extent_;
};

// An IndexError, as in NumPy, for index arrays whose shapes do not fit.
Dims broadcast_indices(const Dims& a, const Dims& b) try {
  return broadcast_shapes(a, b);
} catch (const Error& error) {
  throw Error(ErrorKind::kIndex, "index", error.message());
}

}  // namespace

void check_indices(std::string_view where, const Array& x, std::span<const Array> indices,
                   int first_axis) {
  const int count = static_cast<int>(indices.size());
  if (count == 0 || first_axis < 0 || first_axis + count > x.ndim())
    throw Error(ErrorKind::kIndex, std::string(where),
                fmt::format("{} index arrays from axis {} on, the array has {} dimensions", count,
                            first_axis, x.ndim()));
  for (int i = 0; i < count; ++i)
    if (!is_integer(indices[static_cast<size_t>(i)].dtype()))
      throw Error(ErrorKind::kType, std::string(where),
                  fmt::format("the index array of axis {} is {}; it must be an integer dtype",
                              first_axis + i, name_of(indices[static_cast<size_t>(i)].dtype())));
}

Array from_start(std::string_view where, const Array& given, int axis, int64_t extent) {
  const Array index = synchronise_if_escaped(given, given.queue()) ? copy(given) : given;
  Array wide = astype(index, DType::kInt64, false);
  if (index.size() > 0 && !Recorder::is_refused()) {
    record_check(where, index, axis, extent);
    if (kind_of(index.dtype()) != DTypeKind::kInt) return wide;
    return hither::where(wide < 0, wide + Scalar(extent), wide);
  }
  if (index.size() == 0 ||
      (DeviceCheck::suits(index.queue()) && DeviceCheck::of_indices(index, extent).holds()))
    return wide;
  const auto compared = [&](Op op, int64_t with) {
    const Operand both[] = {index, Scalar(with)};
    return apply(op, both);
  };
  const bool is_signed = kind_of(index.dtype()) == DTypeKind::kInt;
  const Array above = compared(Op::greater_equal, extent);
  if (!holds_somewhere(is_signed ? compared(Op::less, 0) | above : above)) return wide;
  if (!is_signed || holds_somewhere(compared(Op::less, -extent) | above))
    refuse(where, index, axis, extent);
  return hither::where(wide < 0, wide + Scalar(extent), wide);
}

void record_check(std::string_view where, const Array& index, int axis, int64_t extent) {
  (void)Recorder::call(std::make_shared<IndexCheck>(where, axis, extent), std::span(&index, 1));
}

Target shapes_of(std::string_view where, const Array& x, std::span<const Array> indices,
                 int first_axis) {
  Target t;
  const int count = static_cast<int>(indices.size()), after = first_axis + count;
  for (int d = 0; d < x.ndim(); ++d) {
    if (d >= first_axis && d < after) continue;
    (d < first_axis ? t.shape.outer : t.shape.inner).push_back(x.shape()[d]);
    (d < first_axis ? t.shape.outer_strides : t.shape.inner_strides).push_back(x.strides()[d]);
  }
  for (const Array& i : indices) t.index_shape = broadcast_indices(t.index_shape, i.shape());
  if (x.ndim() - count + t.index_shape.size() > kMaxRank)
    throw Error(ErrorKind::kValue, std::string(where),
                fmt::format("the result would have more than {} dimensions", kMaxRank));
  for (int64_t n : t.shape.outer) t.result.push_back(n);
  for (int64_t n : t.index_shape) t.result.push_back(n);
  for (int64_t n : t.shape.inner) t.result.push_back(n);
  return t;
}

Target target_of(std::string_view where, const Array& x, std::span<const Array> indices,
                 int first_axis, const Placed& placed, bool check) {
  Target t = shapes_of(where, x, indices, first_axis);
  int64_t lowest = 0, reach = 0, steps = 0;
  for (int k = 0; k < static_cast<int>(indices.size()); ++k) {
    const Array index = on_queue(indices[static_cast<size_t>(k)], placed.queue);
    const int64_t extent = x.shape()[first_axis + k], stride = x.strides()[first_axis + k];
    if (extent > 1) {
      steps = std::gcd(steps, stride);
      lowest += std::min<int64_t>(0, (extent - 1) * stride);
      reach += (extent - 1) * std::abs(stride);
    }
    Array wide = check ? from_start(where, index, first_axis + k, extent)
                       : astype(index, DType::kInt64, false);
    if (stride != 1) wide = wide * Scalar(stride);
    t.offsets = k == 0 ? wide : t.offsets + wide;
  }
  if (steps > 0) {
    t.shape.first = lowest;
    t.shape.step = steps;
    t.shape.slots = reach / steps + 1;
  }
  if (!(t.offsets.shape() == t.index_shape) || !t.offsets.is_c_contiguous() ||
      input_of(t.offsets).layout)
    t.offsets = copy(broadcast_to(t.offsets, t.index_shape));
  return t;
}

}  // namespace hither::array
