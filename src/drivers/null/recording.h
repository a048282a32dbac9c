// The ring buffer of the null device's commands.
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include <hither/null_device.h>

#include "runtime/kernel_state.h"

namespace hither::drivers::null {

/// Thread-safe. Slots keep their capacity, so that recording a launch does not allocate when the
/// ring is full.
class Recording {
 public:
  static Recording& process();

  void add_launch(uint64_t queue, const Kernel& kernel, const NdRange& range,
                  std::span<const std::byte> arguments, size_t dependencies);
  void add(NullCommand::Kind kind, uint64_t queue, const void* to, const void* from, size_t bytes,
           size_t dependencies);
  std::vector<NullCommand> commands() const;
  void clear();

 private:
  struct Slot {
    NullCommand::Kind kind;
    uint64_t queue;
    Kernel kernel;
    NdRange range{Range(0)};
    std::vector<std::byte> arguments;
    const void *to, *from;
    size_t bytes, dependencies;
  };
  static constexpr size_t kKept = 65536;
  Slot& next();

  mutable std::mutex mutex_;
  std::vector<Slot> ring_;
  size_t begin_ = 0, size_ = 0;
};

}  // namespace hither::drivers::null
