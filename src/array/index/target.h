// The arguments of reads and writes through integer arrays.
#pragma once

#include <span>
#include <string_view>

#include "array/index/gather.h"
#include "array/placed.h"

namespace hither::array {

/// The checked arguments of a read or write through integer arrays.
struct Target {
  GatherShape shape;
  Dims index_shape;
  Dims result;    ///< outer, indices, inner
  Array offsets;  ///< int64, of index_shape, evaluated or pending
};

/// Throws Error kIndex unless the index arrays fit axes of x, and kType unless they have integers.
void check_indices(std::string_view where, const Array& x, std::span<const Array> indices,
                   int first_axis);
/// The indices as int64, counted from the start. Throws Error kIndex if one is out of range. An
/// escaped array is copied first, so that the checked indices are those that are read.
Array from_start(std::string_view where, const Array& given, int axis, int64_t extent);
/// While the thread records: the check of from_start() as a step of the recording.
void record_check(std::string_view where, const Array& index, int axis, int64_t extent);
/// Without the offsets.
Target shapes_of(std::string_view where, const Array& x, std::span<const Array> indices,
                 int first_axis);
/// `check`: whether the indices come from the program.
Target target_of(std::string_view where, const Array& x, std::span<const Array> indices,
                 int first_axis, const Placed& placed, bool check);
/// The elements of x at indices that are known to be in range.
Array gather_in_range(std::string_view where, const Array& x, std::span<const Array> indices,
                      int first_axis, const Queue* queue);

}  // namespace hither::array
