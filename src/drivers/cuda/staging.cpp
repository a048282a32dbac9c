#include "drivers/cuda/staging.h"

#include <algorithm>
#include <cstring>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace hither::drivers::cuda {
namespace {

constexpr size_t kChunkBytes = size_t{4} << 20;
constexpr size_t kPartBytes = size_t{256} << 10;  ///< of a chunk, which one core copies

/// Copies with all cores: one core copies 5 to 10 GB/s, and less into unmapped pages, which is
/// slower than PCI Express.
void copy_on_host(void* to, const void* from, size_t bytes) {
  tbb::this_task_arena::isolate([=] {
    tbb::parallel_for(tbb::blocked_range<size_t>(0, bytes, kPartBytes), [=](const auto& part) {
      std::memcpy(static_cast<char*>(to) + part.begin(),
                  static_cast<const char*>(from) + part.begin(), part.size());
    });
  });
}

}  // namespace

Staging::~Staging() {
  const Current current(*context_);
  for (const Chunk& chunk : free_) {
    if (chunk.recorded) chunk.used->wait();
    api().cuMemFreeHost(chunk.data);
  }
}

Staging::Chunk Staging::take() {
  {
    std::lock_guard lock(mutex_);
    for (Chunk& chunk : free_) {
      if (chunk.recorded && chunk.used->query() == kNotReady) continue;
      Chunk taken = std::move(chunk);
      chunk = std::move(free_.back());
      free_.pop_back();
      taken.recorded = false;
      return taken;
    }
  }
  Chunk chunk;
  chunk.used = std::make_unique<NativeEvent>(context_, false);
  context_->check(api().cuMemHostAlloc(&chunk.data, kChunkBytes, kHostAllocPortable),
                  "cuMemHostAlloc", "Queue.copy");
  return chunk;
}

void Staging::give(Chunk chunk) noexcept {
  std::lock_guard lock(mutex_);
  free_.push_back(std::move(chunk));
}

void Staging::copy(CUstream stream, void* to, const void* from, size_t bytes, Chunk& chunk) {
  context_->check(api().cuMemcpyAsync(address_of(to), address_of(from), bytes, stream),
                  "cuMemcpyAsync", "Queue.copy");
  chunk.used->record(stream);
  chunk.recorded = true;
}

void Staging::wait(Chunk& chunk) {
  if (!chunk.recorded) return;
  context_->check(chunk.used->wait(), "cuEventSynchronize", "Queue.copy");
}

void Staging::upload(void* to, const void* from, size_t bytes) {
  const Current current(*context_);
  const NativeStream stream(context_);
  Lease leases[2] = {{*this}, {*this}};
  for (size_t done = 0, i = 0; done < bytes; done += kChunkBytes, ++i) {
    Chunk& chunk = leases[i % 2].chunk;
    const size_t n = std::min(kChunkBytes, bytes - done);
    wait(chunk);
    copy_on_host(chunk.data, static_cast<const char*>(from) + done, n);
    copy(stream.get(), static_cast<char*>(to) + done, chunk.data, n, chunk);
  }
  for (Lease& lease : leases) wait(lease.chunk);
}

void Staging::download(void* to, const void* from, size_t bytes) {
  const Current current(*context_);
  const NativeStream stream(context_);
  Lease leases[2] = {{*this}, {*this}};
  const auto begin = [&](size_t at) {
    const size_t n = std::min(kChunkBytes, bytes - at);
    Chunk& chunk = leases[at / kChunkBytes % 2].chunk;
    copy(stream.get(), chunk.data, static_cast<const char*>(from) + at, n, chunk);
  };
  begin(0);
  for (size_t done = 0; done < bytes; done += kChunkBytes) {
    if (done + kChunkBytes < bytes) begin(done + kChunkBytes);
    Chunk& chunk = leases[done / kChunkBytes % 2].chunk;
    wait(chunk);
    copy_on_host(static_cast<char*>(to) + done, chunk.data, std::min(kChunkBytes, bytes - done));
  }
}

}  // namespace hither::drivers::cuda
