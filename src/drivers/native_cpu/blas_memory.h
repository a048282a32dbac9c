// Checks the memory that OpenBLAS maps, because OpenBLAS ends the process if the mapping fails.
#pragma once

#include <cstdint>
#include <mutex>

namespace hither::drivers::native_cpu {

/// Throws Error kMemory if the process cannot map the memory that OpenBLAS needs when it is opened:
/// a stack and a buffer for each of its threads, and a buffer for the caller.
void check_memory_to_open(int threads);

/// OpenBLAS's buffers for calling threads. Each running call has its own, and buffers stay mapped
/// for later calls. So a call needs new memory only if more threads than ever before call
/// concurrently.
class BlasBuffers {
 public:
  /// The scope of one call, or of calls by several threads. `takes_buffer`: the products are too
  /// large to be computed without a buffer. Throws Error kMemory if OpenBLAS would end the process.
  class Use {
   public:
    Use(BlasBuffers& buffers, bool takes_buffer, int callers = 1)
        : buffers_(buffers), callers_(callers) {
      buffers_.enter(takes_buffer, callers);
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use() { buffers_.leave(callers_); }

   private:
    BlasBuffers& buffers_;
    int callers_;
  };

 private:
  void enter(bool takes_buffer, int callers);
  void leave(int callers) noexcept;

  std::mutex mutex_;
  int callers_ = 0;
  int mapped_ = 0;  ///< at least so many are mapped
};

}  // namespace hither::drivers::native_cpu
