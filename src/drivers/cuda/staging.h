// Copies between a device and pageable host memory.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "drivers/cuda/native_context.h"

namespace hither::drivers::cuda {

/// Pageable memory is copied through two pinned chunks: the host fills or empties one while the
/// device copies the other. Thread-safe.
class Staging {
 public:
  explicit Staging(std::shared_ptr<NativeContext> context) : context_(std::move(context)) {}
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// These start the copy at once and wait for it.
  void upload(void* to, const void* from, size_t bytes);
  void download(void* to, const void* from, size_t bytes);

 private:
  /// Pinned memory, which is free when its event is complete.
  struct Chunk {
    void* data = nullptr;
    std::unique_ptr<NativeEvent> used;
    bool recorded = false;
  };
  /// A chunk in use, which is returned at the end of the scope.
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
