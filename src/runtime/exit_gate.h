// The end of the process, while threads are inside a back end's runtime.
#pragma once

#include <hither/export.h>

namespace hither::runtime {

/// Counts the threads that are inside calls into a runtime which the process's end takes down under
/// them. Costs two atomic additions. Neither is a lock: threads may enter at once, and again.
class HITHER_EXPORT InsideRuntime {
 public:
  /// Does not return once the gate is closed: the thread goes with the process.
  InsideRuntime() noexcept;
  ~InsideRuntime();
  InsideRuntime(const InsideRuntime&) = delete;
  InsideRuntime& operator=(const InsideRuntime&) = delete;

  /// Called at exit, before any exit handler of the runtime's. Lets no other thread in any more and
  /// waits for those inside; for half a minute at most, lest one that waits for what has stopped
  /// keep the process for ever. The caller itself may enter as before.
  static void close() noexcept;
};

}  // namespace hither::runtime
