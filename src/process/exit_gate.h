// Process exit while threads are inside LLVM or a back end's runtime.
#pragma once

#include <hither/export.h>

namespace hither::process {

/// Counts the threads inside calls into a library that process exit shuts down. It costs two atomic
/// additions and is not a lock: threads may enter concurrently and recursively.
class HITHER_EXPORT InsideLibrary {
 public:
  /// Does not return after close(): the thread ends with the process.
  InsideLibrary() noexcept;
  ~InsideLibrary();
  InsideLibrary(const InsideLibrary&) = delete;
  InsideLibrary& operator=(const InsideLibrary&) = delete;

  /// Called at exit, before the libraries' exit handlers and static destructors. Blocks all other
  /// threads that enter later, and waits for those inside. The wait is limited to half a minute,
  /// because a thread inside may wait for something that has stopped. The caller itself may still
  /// enter.
  static void close() noexcept;
  /// Whether close() has been called.
  static bool is_closed() noexcept;
};

}  // namespace hither::process
