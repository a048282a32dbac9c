// A kernel launch that the thread's recorder is told of.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <hither/dtype.h>
#include <hither/queue.h>

#include "runtime/work_observer.h"

namespace hither::array {

/// Slots of a kernel's arguments that hold addresses.
using AddressSlots = std::bitset<512>;

/// A number in a kernel's arguments that each run receives anew.
struct RecordedNumber {
  uint16_t slot, symbol;
  DType dtype;
};

/// One launch with packed arguments, whose slots have 8 bytes. Does nothing if the thread does not
/// record.
class LaunchRecording {
 public:
  LaunchRecording() noexcept : observer_(runtime::WorkObserver::of_this_thread()) {}
  bool is_active() const noexcept { return observer_ != nullptr; }

  /// The slot holds an address in memory of an array.
  void address(size_t slot) { addresses_.push_back(slot); }
  /// The slot holds a number with the symbol, if that is not 0.
  void number(size_t slot, uint16_t symbol, DType dtype) {
    if (symbol != 0) numbers_.push_back({static_cast<uint16_t>(slot), symbol, dtype});
  }
  /// To be called after the submission.
  void end(const Queue& queue, const Kernel& kernel, const std::string& name,
           const std::string& device, const NdRange& range, std::span<const std::byte> arguments,
           int64_t bytes) const;

 private:
  runtime::WorkObserver* const observer_;
  std::vector<size_t> addresses_;
  std::vector<RecordedNumber> numbers_;
};

}  // namespace hither::array
