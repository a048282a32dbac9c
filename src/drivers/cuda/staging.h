// Copies between a device and host memory that it does not reach.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "drivers/cuda/native_context.h"

namespace hither::drivers::cuda {

/// Pageable memory goes through pinned chunks, two at a time: one is filled or emptied by the host
/// while the device has the other. Thread-safe.
class Staging {
 public:
  explicit Staging(std::shared_ptr<NativeContext> context) : context_(std::move(context)) {}
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// Waits for the copy, which begins at once.
  void upload(void* to, const void* from, size_t bytes);
  void download(void* to, const void* from, size_t bytes);

 private:
  /// Pinned memory, free once its event has happened.
  struct Chunk {
    void* data = nullptr;
    std::unique_ptr<NativeEvent> used;
    bool recorded = false;
  };
  /// A chunk in use, and its return.
  struct Lease {
    Staging& from;
    Chunk chunk = from.take();
    ~Lease() { from.give(std::move(chunk)); }
  };
  Chunk take();
  void give(Chunk chunk) noexcept;
  void wait(Chunk& chunk);
  void copy(CUstream stream, void* to, const void* from, size_t bytes, Chunk& chunk);

  const std::shared_ptr<NativeContext> context_;
  std::mutex mutex_;
  std::vector<Chunk> free_;
};

}  // namespace hither::drivers::cuda
