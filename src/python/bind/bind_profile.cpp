// Profiles: hither._tools.profile writes them.
#include <hither/profile.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "profiling/ranges.h"
#include "profiling/record.h"
#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/interpreter/gil.h"
#include "python/interpreter/source_line.h"

namespace hither::python {

void bind_profile(nb::module_& m) {
  nb::class_<ProfileEvent>(m, "ProfileEvent", documentation("ProfileEvent"))
      .def_ro("kind", &ProfileEvent::kind,
              "\"kernel\", \"copy\", \"fill\", \"library\", \"host task\", \"compilation\", "
              "\"wait\" or \"fallback\", a function that NumPy computed on the host.")
      .def_ro("name", &ProfileEvent::name,
              "The name of the kernel or function, or the operations of the expression in order.")
      .def_ro("queue", &ProfileEvent::queue, "Description of the queue, or empty.")
      .def_ro("queue_number", &ProfileEvent::queue_number, "Identifies the queue; 0 if none.")
      .def_ro("thread", &ProfileEvent::thread, "The number of the thread that submitted it.")
      .def_ro("source", &ProfileEvent::source,
              "Source of the code: \"memory\", \"disk\" or \"compiled\"; \"Numba\" for its part of "
              "a compilation; or empty.")
      .def_ro("line", &ProfileEvent::line,
              "\"FILE:LINE\" of the Python code that submitted it, or empty.")
      .def_ro("clock", &ProfileEvent::clock,
              "\"device\" if start and end were measured; \"host\" if the host has observed them.")
      .def_ro("items", &ProfileEvent::items, "Work-items or elements; 0 if unknown.")
      .def_ro("bytes", &ProfileEvent::bytes,
              "Bytes read and written, each buffer once; 0 if unknown.")
      .def_ro("host_start", &ProfileEvent::host_start, "Start of the submission or host work.")
      .def_ro("host_end", &ProfileEvent::host_end, "End of the submission or host work.")
      .def_ro("start", &ProfileEvent::start, "Start of the work in its queue, or -1.")
      .def_ro("end", &ProfileEvent::end, "End of the work in its queue, or -1.")
      .def("__repr__", [](const ProfileEvent& e) {
        return "<hither.ProfileEvent " + e.kind + " " + e.name + ">";
      });
  m.def(
      "begin_profile",
      [](size_t limit, std::vector<std::string> skipped) {
        skip_lines_in(std::move(skipped));
        begin_profile(limit);
      },
      nb::arg("limit"), nb::arg("skipped"), "Starts a profile; see hither/profile.h.");
  m.def("end_profile", end_profile, nb::arg("seconds"), nb::call_guard<GilReleased>(),
        "Stops recording and waits for recorded work. Returns whether all has ended.");
  m.def(
      "take_profile",
      [] {
        Profile profile = take_profile();
        return nb::make_tuple(std::move(profile.events), profile.dropped, profile.nanoseconds);
      },
      nb::sig("def take_profile() -> tuple[list[ProfileEvent], int, int]"),
      "The events, the number of events beyond the limit, and the nanoseconds of the profile.");
  m.def("range_interfaces", profiling::range_interfaces,
        "The interfaces to other profilers that this build has: \"NVTX\", \"ITT\".");
  profiling::line_hook = source_line;
}

}  // namespace hither::python
