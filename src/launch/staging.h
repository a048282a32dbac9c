// Host arrays as arguments: copied to the queue's device and back.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <hither/memory.h>
#include <hither/queue.h>

#include "launch/argument.h"

namespace hither::launch {

/// Stand-ins, in USM shared memory, for the host arrays among some arguments.
///
/// An array that overlaps no other is packed in C order, so that strided views move no more than
/// their elements. Arrays that overlap share one copy of the bytes that they span, so that the
/// kernel sees the overlap.
class HostStaging {
 public:
  /// Allocates; copies nothing. The arguments, and the memory behind them, must outlive this.
  HostStaging(std::span<const Argument> arguments, const Queue& queue);

  /// The arguments, with data, shape and strides of host arrays replaced by the stand-ins'.
  std::span<const Argument> arguments() const noexcept { return staged_; }

  /// Copies all host arrays in, after `depends_on`. Blocks.
  void copy_in(std::span<const Event> depends_on);
  /// Marks one argument to be copied back by finish().
  void copy_out(size_t argument);
  /// Copies back what copy_out() named. Blocks.
  void finish();

 private:
  struct Area {
    char* low;     ///< first byte that its arrays touch on the host
    size_t bytes;  ///< from there; packed areas: of the elements
    bool packed;
    size_t first;  ///< one of its arguments
    Memory memory;
    size_t lead = 0;  ///< bytes before the first in `memory`, keeping the host's alignment
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
  std::vector<Place> places_;  ///< of each argument; only those of host arrays count
};

}  // namespace hither::launch
