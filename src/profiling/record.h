// The events of the running profile; hither/profile.h is the interface for programs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <hither/export.h>
#include <hither/profile.h>

namespace hither::profiling {

/// Whether a profile is running.
HITHER_EXPORT extern std::atomic<bool> on;
inline bool is_on() noexcept { return on.load(std::memory_order_relaxed); }

/// Nanoseconds of std::chrono::steady_clock, the clock of all times here.
HITHER_EXPORT uint64_t now() noexcept;

enum class Kind : uint8_t {
  kKernel,
  kCopy,
  kFill,
  kLibrary,
  kHostTask,
  kCompilation,
  kWait,
  kFallback
};

struct Interval {
  uint64_t start = 0, end = 0;
};

/// The queue that runs a task, or for which the host waits.
struct Track {
  uint64_t number = 0;
  std::string name;
};

/// An event whose end is not yet known. It is invalid once its profile has ended.
struct Handle {
  uint64_t profile = 0;
  size_t index = 0;
};

struct Event {
  Kind kind = Kind::kKernel;
  std::string_view name;
  const Track* track = nullptr;
  const char* source = "";  ///< static text
  int64_t items = 0, bytes = 0;
  Interval host;
};

// All functions are thread-safe, and do nothing if no profile is running.

/// Appends an event of the calling thread.
HITHER_EXPORT Handle add(const Event& event) noexcept;
/// Describes the last task that the calling thread has submitted.
HITHER_EXPORT void describe_last(std::string_view name, const char* source, int64_t items,
                                 int64_t bytes) noexcept;
/// The interval in which a task ran. The host has observed it unless the device has `measured` it.
HITHER_EXPORT void set_run(Handle handle, Interval run, bool measured) noexcept;
/// Appends an event that ends now and took `seconds` of the calling thread.
HITHER_EXPORT void add_past(Kind kind, std::string_view name, const char* source, double seconds,
                            int64_t items = 0, int64_t bytes = 0) noexcept;
/// Appends a compilation that ends now, unless its `source` is "memory".
HITHER_EXPORT void add_compilation(std::string_view name, const char* source,
                                   double seconds) noexcept;

/// For drivers that run tasks in the submitting thread: the interval of the last one.
HITHER_EXPORT void note_run(Interval run) noexcept;
/// The last note of this thread, which is then forgotten; {0, 0} if there is none.
HITHER_EXPORT Interval take_run() noexcept;

/// Returns the line of Python code that the calling thread executes, or an empty string.
using LineHook = std::string (*)();
HITHER_EXPORT extern std::atomic<LineHook> line_hook;

/// See hither/profile.h.
void begin(size_t limit);
void end();
Profile take();

}  // namespace hither::profiling
