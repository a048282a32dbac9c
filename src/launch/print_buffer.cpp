#include "launch/print_buffer.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <mutex>
#include <utility>

#include "process/printing_launches.h"

namespace hither::launch {
namespace {

constexpr size_t kHeader = 2 * sizeof(int32_t);
constexpr size_t kMostLaunches = 64;  // a bound for the memory of all buffers

struct Launch {
  std::shared_ptr<const Specialisation> kernel;
  std::string name;
  Memory memory;
  Event event;
};

/// Never destroyed: kernels may run until the process ends.
struct Launches {
  std::mutex mutex;
  std::deque<Launch> pending;
};
Launches& launches() {
  static auto* const all = new Launches;
  return *all;
}

Printed read(Launch launch) {
  const char* data = static_cast<const char*>(launch.memory.data());
  Printed printed{std::move(launch.kernel), std::move(launch.name), {}, 0};
  std::memcpy(&printed.left_out, data + kHeader / 2, sizeof printed.left_out);
  uint32_t used;  // more than there are if calls found no room
  std::memcpy(&used, data, sizeof used);
  printed.words.resize(std::min<size_t>(used, (PrintBuffer::kBytes - kHeader) / sizeof(uint64_t)));
  std::memcpy(printed.words.data(), data + kHeader, printed.words.size() * sizeof(uint64_t));
  return printed;
}

}  // namespace

PrintBuffer::PrintBuffer(const Queue& queue) : memory_(queue, kBytes, UsmType::kHost) {
  std::memset(memory_.data(), 0, kBytes);
}

void PrintBuffer::launched(std::shared_ptr<const Specialisation> kernel, std::string name,
                           Event event) && {
  Event oldest;
  {
    std::lock_guard lock(launches().mutex);
    auto& pending = launches().pending;
    pending.push_back({std::move(kernel), std::move(name), std::move(memory_), std::move(event)});
    process::printing_launches.store(static_cast<int64_t>(pending.size()),
                                     std::memory_order_relaxed);
    if (pending.size() > kMostLaunches) oldest = pending.front().event;
  }
  oldest.wait_for_error();
}

std::vector<Printed> take_printed(bool wait) {
  std::deque<Launch> ended;
  {
    std::lock_guard lock(launches().mutex);
    auto& pending = launches().pending;
    if (wait) {
      ended.swap(pending);
    } else {
      std::deque<Launch> running;
      for (Launch& launch : pending)
        (launch.event.is_complete() ? ended : running).push_back(std::move(launch));
      pending.swap(running);
    }
    process::printing_launches.store(static_cast<int64_t>(pending.size()),
                                     std::memory_order_relaxed);
  }
  std::vector<Printed> printed;
  for (Launch& launch : ended) {
    launch.event.wait_for_error();
    printed.push_back(read(std::move(launch)));
  }
  return printed;
}

}  // namespace hither::launch
