#include "python/interpreter/source_line.h"

#include <algorithm>

#include "profiling/record.h"
#include "python/interpreter/without_collector.h"

// Every CPython exports it; the headers of the stable ABI leave it out.
extern "C" {
PyAPI_FUNC(int) PyGILState_Check(void);
}

namespace hither::python {
namespace {

/// Changed with the GIL only.
std::vector<std::string>& skipped() {
  static auto* const folders = new std::vector<std::string>;  // threads may outlive main()
  return *folders;
}

/// A callback may hold the GIL again, and release it.
thread_local std::vector<std::string> remembered;

bool is_skipped(const std::string& file) {
  return std::ranges::any_of(skipped(), [&](const auto& f) { return file.starts_with(f); });
}

/// Needs the GIL.
std::string line_of_frames() {
  const nb::error_scope kept;
  const WithoutCollector without;
  nb::object frame = nb::borrow(reinterpret_cast<PyObject*>(PyEval_GetFrame()));
  while (frame.is_valid() && !frame.is_none()) {
    const auto file = nb::cast<std::string>(frame.attr("f_code").attr("co_filename"));
    if (!is_skipped(file))
      return file + ":" + std::to_string(nb::cast<int>(frame.attr("f_lineno")));
    frame = frame.attr("f_back");
  }
  return {};
}

std::string line_or_empty() noexcept try {
  return line_of_frames();
} catch (...) {  // the event has no line
  return {};
}

}  // namespace

void skip_lines_in(std::vector<std::string> folders) { skipped() = std::move(folders); }

bool remember_line() noexcept {
  if (!profiling::is_on()) return false;
  try {
    remembered.push_back(line_or_empty());
    return true;
  } catch (...) {  // memory is exhausted
    return false;
  }
}

void forget_line() noexcept { remembered.pop_back(); }

std::string source_line() {
  if (Py_IsInitialized() && PyGILState_GetThisThreadState() && PyGILState_Check())
    return line_or_empty();
  return remembered.empty() ? std::string() : remembered.back();
}

}  // namespace hither::python
