// Layout of an array's elements in its storage, and the queue that computes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <hither/dims.h>
#include <hither/queue.h>
#include <hither/reference.h>
#include <hither/strides.h>

namespace hither::array {

/// Immutable shape, strides and offset, in elements of the array's dtype, and the queue that
/// computes the elements. Arrays and nodes share it, so an operation updates one reference count
/// for both.
struct Layout : Counted {
  explicit Layout(const Queue& q) : queue(q) {}
  bool contiguous = true;  ///< C order without gaps, at any offset
  /// A broadcast or a view of one, in which an element may appear at several positions; or an array
  /// that was made read-only.
  bool read_only = false;
  const Queue queue;
  int64_t offset = 0;
  int64_t size = 1;  ///< number of elements
  Dims shape;        // last, because most of the room of these is not used
  Dims strides;
  static void destroy(const Layout* layout) noexcept { delete layout; }
};
using LayoutRef = Reference<const Layout>;

/// Error kValue if an array cannot have so many dimensions.
void require_rank(int rank, std::string_view where);

/// Error kValue for shapes that element_count() refuses.
LayoutRef make_layout(const Queue& queue, const Dims& shape, const Dims& strides, int64_t offset,
                      bool read_only = false);
LayoutRef contiguous_layout(const Queue& queue, const Dims& shape);

/// Text of a shape: "(2, 3)", "(2,)".
std::string shape_text(const Dims& shape);

/// Strides of `layout` broadcast to `shape`: 0 where an extent is repeated.
Dims broadcast_strides(const Layout& layout, const Dims& shape) noexcept;

}  // namespace hither::array
