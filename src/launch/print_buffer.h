// What kernels print.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <hither/event.h>
#include <hither/export.h>
#include <hither/memory.h>
#include <hither/queue.h>

#include "launch/specialisation.h"

namespace hither::launch {

/// What the work-items of one launch have printed.
struct Printed {
  std::shared_ptr<const Specialisation> kernel;
  std::string name;
  /// For each call of print one plus its index in KernelSource::prints, and its values. The order
  /// is that in which the items came. The end of the words or a zero ends the list.
  std::vector<uint64_t> words;
  uint32_t left_out;  ///< number of calls whose values did not fit
};

/// The memory in which the kernel of one launch writes what it prints, accessible from the host:
/// the number of 8-byte words in use (int32), the number of calls that found no room (int32), and
/// the words of Printed.
class HITHER_EXPORT PrintBuffer {
 public:
  static constexpr size_t kBytes = 1 << 20;

  /// Error kMemory.
  explicit PrintBuffer(const Queue& queue);
  void* address() const noexcept { return memory_.data(); }
  /// To be called after the submission of the kernel. What it prints can be taken when `event` has
  /// ended. Waits for older launches if very many have not been taken.
  void launched(std::shared_ptr<const Specialisation> kernel, std::string name, Event event) &&;

 private:
  Memory memory_;
};

/// The output of the launches that have ended, also of those that failed, in the order of their
/// submission. With `wait`, waits for all launches. Thread-safe.
HITHER_EXPORT std::vector<Printed> take_printed(bool wait);

}  // namespace hither::launch
