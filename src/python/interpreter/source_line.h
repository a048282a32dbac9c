// The lines of Python code that submit work, for profiles.
#pragma once

#include <string>
#include <vector>

namespace hither::python {

/// Lines in files of these folders are skipped in favour of their callers' lines: hither's own
/// package and the packages that call it.
void skip_lines_in(std::vector<std::string> folders);

/// For a thread that is about to release the GIL: if a profile is running, remembers the line that
/// the thread executes and returns true. Then forget_line() has to follow.
bool remember_line() noexcept;
void forget_line() noexcept;

/// "FILE:LINE" of the calling thread, or an empty string. A profiling::LineHook. The thread may
/// hold locks: only attributes of frames are read, and the garbage collector is disabled meanwhile,
/// because a finaliser might wait for one of the locks.
std::string source_line();

}  // namespace hither::python
