// Host arrays as arguments: copies to the queue's device and back.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <hither/memory.h>
#include <hither/queue.h>

#include "launch/argument.h"

namespace hither::launch {

/// Copies, in USM shared memory, of the host arrays among some arguments. An array that overlaps no
/// other is packed in C order, so that strided views transfer only their elements. Overlapping
/// arrays share one copy of all the bytes that they cover, so that the kernel sees the overlap.
class HostStaging {
 public:
  /// Allocates without copying. The arguments and their memory must outlive this object.
  HostStaging(std::span<const Argument> arguments, const Queue& queue);

  /// The arguments, with data, shape and strides of host arrays replaced by those of the copies.
  std::span<const Argument> arguments() const noexcept { return staged_; }

  /// Copies all host arrays in, after `depends_on`. Blocks.
  void copy_in(std::span<const Event> depends_on);
  /// Marks an argument for finish() to copy back.
  void copy_out(size_t argument);
  /// Copies the marked arguments back. Blocks.
  void finish();

 private:
  struct Area {
    char* low;     ///< first byte on the host that its arrays cover
    size_t bytes;  ///< number of bytes from there; packed areas: total size of the elements
    bool packed;
    size_t first;  ///< index of one of its arguments
    Memory memory;
    size_t lead = 0;  ///< bytes before the first in `memory`, which keep the host's alignment
    bool written = false;

    char* start() const { return static_cast<char*>(memory.data()) + lead; }
  };
  struct Place {
    size_t area;
    Dims strides;
  };

  void make_areas(std::span<const Argument> arguments);
  void stage(size_t argument, const Argument& host, size_t area);

  const std::span<const Argument> host_;
  const Queue queue_;
  std::vector<Argument> staged_;
  std::vector<Area> areas_;
  std::vector<Place> places_;  ///< one per argument; used only for host arrays
};

}  // namespace hither::launch
