// hither's own arrays as kernel arguments: their memory, and the order of accesses to it.
#pragma once

#include <span>
#include <vector>

#include <hither/array.h>
#include <hither/event.h>

#include "array/graph/value.h"

namespace hither::launch {

/// The arrays of one launch. First call own() for every array that the kernel writes, then begin()
/// for every array, submit after dependencies(), then call end(). Unlike with Array::data(), the
/// memory does not escape. Kernels of several threads may write to parts of one array at once.
class ArrayUses {
 public:
  /// Reserves space for `count` arrays; more may follow.
  explicit ArrayUses(std::span<const Event> depends_on, size_t count = 0);
  ArrayUses(const ArrayUses&) = delete;
  ArrayUses& operator=(const ArrayUses&) = delete;
  ~ArrayUses();

  /// Makes sure that a write to `x` is visible only in x and its views. Pending values that read
  /// the array, and arrays that share its value, keep the old value. May copy.
  void own(const Array& x);

  /// Submits pending work for `x` and returns the address of its first element. Throws the error of
  /// a failed value.
  void* begin(const Array& x, bool written);

  /// Adds a dependency for memory that is not an array of hither.
  void depend_on(const Event& event);

  std::span<const Event> dependencies() const noexcept { return dependencies_; }

  /// Orders later reads and writes, and the release of the memory, after `event`.
  void end(const Event& event);

 private:
  struct Use {
    array::ValueRef value;
    bool written;
    bool escaped;
    Event last_write;  ///< at the time of begin()
  };
  void end_write(const Use& use, const Event& event);

  std::vector<array::ValueRef> owned_;
  std::vector<Use> uses_;
  std::vector<Event> dependencies_;
};

}  // namespace hither::launch
