#include "drivers/null/recording.h"

namespace hither {

namespace drivers::null {

Recording& Recording::process() {
  static Recording& recording = *new Recording;
  return recording;
}

Recording::Slot& Recording::next() {
  if (size_ < kKept) {
    if (begin_ + size_ == ring_.size()) ring_.emplace_back();
    return ring_[(begin_ + size_++) % kKept];
  }
  Slot& slot = ring_[begin_];
  begin_ = (begin_ + 1) % kKept;
  return slot;
}

void Recording::add_launch(uint64_t queue, const Kernel& kernel, const NdRange& range,
                           std::span<const std::byte> arguments, size_t dependencies) {
  std::lock_guard lock(mutex_);
  Slot& slot = next();
  slot.kind = NullCommand::kLaunch;
  slot.queue = queue;
  slot.kernel = kernel;
  slot.range = range;
  slot.arguments.assign(arguments.begin(), arguments.end());
  slot.to = slot.from = nullptr;
  slot.bytes = 0;
  slot.dependencies = dependencies;
}

void Recording::add(NullCommand::Kind kind, uint64_t queue, const void* to, const void* from,
                    size_t bytes, size_t dependencies) {
  std::lock_guard lock(mutex_);
  Slot& slot = next();
  slot.kind = kind;
  slot.queue = queue;
  slot.kernel = Kernel();
  slot.range = NdRange(Range(0));
  slot.arguments.clear();
  slot.to = to;
  slot.from = from;
  slot.bytes = bytes;
  slot.dependencies = dependencies;
}

std::vector<NullCommand> Recording::commands() const {
  std::lock_guard lock(mutex_);
  std::vector<NullCommand> commands;
  commands.reserve(size_);
  for (size_t i = 0; i < size_; ++i) {
    const Slot& slot = ring_[(begin_ + i) % kKept];
    commands.push_back({.kind = slot.kind,
                        .queue = slot.queue,
                        .kernel = slot.kernel ? slot.kernel.name() : std::string(),
                        .range = slot.range,
                        .arguments = slot.arguments,
                        .to = slot.to,
                        .from = slot.from,
                        .bytes = slot.bytes,
                        .dependencies = slot.dependencies});
  }
  return commands;
}

void Recording::clear() {
  std::lock_guard lock(mutex_);
  // The kernels are released; the slots keep their capacity.
  for (Slot& slot : ring_) slot.kernel = Kernel();
  begin_ = size_ = 0;
}

}  // namespace drivers::null

std::vector<NullCommand> null_commands() { return drivers::null::Recording::process().commands(); }
void clear_null_commands() { drivers::null::Recording::process().clear(); }

}  // namespace hither
