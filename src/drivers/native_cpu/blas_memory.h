// Memory that OpenBLAS maps, and ends the process where it cannot be had.
#pragma once

#include <cstdint>
#include <mutex>

namespace hither::drivers::native_cpu {

/// Throws Error kMemory where the process cannot map what OpenBLAS takes when it is opened: a stack
/// and a buffer for each of its threads, and a buffer for the caller.
void check_memory_to_open(int threads);

/// The buffers of callers. Every call has one to itself, and buffers stay mapped for later calls,
/// so that memory is needed where more threads call at once than ever before.
class BlasBuffers {
 public:
  /// One call; `takes_buffer` where it is too large to do without. Throws Error kMemory where
  /// OpenBLAS would end the process.
  class Use {
   public:
    Use(BlasBuffers& buffers, bool takes_buffer) : buffers_(buffers) {
      buffers_.enter(takes_buffer);
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use() { buffers_.leave(); }

   private:
    BlasBuffers& buffers_;
  };

 private:
  void enter(bool takes_buffer);
  void leave() noexcept;

  std::mutex mutex_;
  int callers_ = 0;
  int mapped_ = 0;  ///< at least so many are there
};

}  // namespace hither::drivers::native_cpu
