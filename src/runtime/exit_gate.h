// Process exit while threads are inside a back end's runtime.
#pragma once

#include <hither/export.h>

namespace hither::runtime {

/// Counts the threads inside calls into a runtime that process exit shuts down. It costs two atomic
/// additions and is not a lock: threads may enter concurrently and recursively.
class HITHER_EXPORT InsideRuntime {
 public:
  /// Does not return after close(): the thread ends with the process.
  InsideRuntime() noexcept;
  ~InsideRuntime();
  InsideRuntime(const InsideRuntime&) = delete;
  InsideRuntime& operator=(const InsideRuntime&) = delete;

  /// Called at exit, before the runtime's exit handlers. Blocks all other threads that enter later,
  /// and waits for those inside. The wait is limited to half a minute, because a thread inside may
  /// wait for something that has stopped. The caller itself may still enter.
  static void close() noexcept;
};

}  // namespace hither::runtime
