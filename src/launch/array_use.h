// hither's own arrays as arguments of a kernel: their memory, and the order of what touches it.
#pragma once

#include <span>
#include <vector>

#include <hither/array.h>
#include <hither/event.h>

#include "array/graph/value.h"

namespace hither::launch {

/// The arrays of one launch. First own() every array that the kernel writes, then begin() every
/// array, submit after dependencies(), then end(). Unlike Array::data(), none of it lets the memory
/// escape. Several threads may have kernels write to parts of one array at once.
class ArrayUses {
 public:
  /// Room is made for `count` arrays; more may come.
  explicit ArrayUses(std::span<const Event> depends_on, size_t count = 0);
  ArrayUses(const ArrayUses&) = delete;
  ArrayUses& operator=(const ArrayUses&) = delete;
  ~ArrayUses();

  /// Makes sure that a write to `x` shows in x and its views alone: pending values that read it,
  /// and arrays that share its value, keep the old one. May copy.
  void own(const Array& x);

  /// Submits what is pending for `x` and returns the address of its first element. Throws the error
  /// of a value that failed to be computed.
  void* begin(const Array& x, bool written);

  /// For memory that is no array of ours.
  void depend_on(const Event& event);

  std::span<const Event> dependencies() const noexcept { return dependencies_; }

  /// Orders later reads and writes, and the return of the memory, after `event`.
  void end(const Event& event);

 private:
  struct Use {
    array::ValueRef value;
    bool written;
    bool escaped;
    Event last_write;  ///< when it began
  };
  void end_write(const Use& use, const Event& event);

  std::vector<array::ValueRef> owned_;
  std::vector<Use> uses_;
  std::vector<Event> dependencies_;
};

}  // namespace hither::launch
