// A recording of everything that a process submits, for traces and tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <hither/export.h>

namespace hither {

/// One task, compilation, wait or function of NumPy. Times are nanoseconds since the start of the
/// profile.
struct ProfileEvent {
  std::string kind;    ///< "kernel", "copy", "fill", "library", "host task", "compilation", "wait"
                       ///< or "fallback", a function that NumPy computed on the host
  std::string name;    ///< of the kernel, or its operations in order; of the function
  std::string queue;   ///< description of the queue; empty for compilations
  std::string source;  ///< of the code: "memory", "disk" or "compiled"; or empty
  std::string line;    ///< "FILE:LINE" of the Python code that submitted it; or empty
  std::string clock;   ///< of start and end: "device"; "host", if the host has observed the end
  uint64_t queue_number = 0;  ///< identifies the queue in this process; 0 if there is none
  uint64_t thread = 0;        ///< the number of the submitting thread, in order of appearance
  int64_t items = 0;          ///< work-items or elements; 0 if unknown
  int64_t bytes = 0;          ///< read and written, each buffer once; 0 if unknown
  int64_t host_start = 0, host_end = 0;  ///< of the submission, or of work on the host
  int64_t start = -1, end = -1;  ///< of the work in its queue; -1 if it has none or has not ended
};

struct Profile {
  std::vector<ProfileEvent> events;  ///< in the order of their submissions or, on the host, ends
  size_t dropped = 0;                ///< events beyond the limit, which are not in `events`
  int64_t nanoseconds = 0;           ///< from the start to the end of the profile
};

/// Starts to record in all threads. The first `limit` events are kept. Error kValue if a profile
/// runs already. Recording changes no queue and waits for nothing.
HITHER_EXPORT void begin_profile(size_t limit = 300'000);
/// Stops recording, and waits for recorded work to end, at most for `seconds`. Returns whether all
/// has ended. May be called again, to wait for more.
HITHER_EXPORT bool end_profile(double seconds);
/// The recording, after end_profile(). Then the next profile may begin. Error kValue if there is
/// none.
HITHER_EXPORT Profile take_profile();

}  // namespace hither
