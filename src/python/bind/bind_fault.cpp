// hither._hither._inject_fault, for tests of what fails seldom.
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <hither/error.h>
#include <nanobind/stl/string_view.h>

#include "process/fault_point.h"
#include "python/bind/bindings.h"

namespace hither::python {
namespace {

constexpr std::array<std::string_view, process::kFaultCount> kNames = {"allocate", "compile",
                                                                       "launch", "copy"};

int64_t inject_fault(std::string_view kind, int64_t n) {
  for (size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == kind && n >= 0)
      return process::inject_fault(static_cast<process::Fault>(i), n);
  throw Error(ErrorKind::kValue, "_inject_fault",
              fmt::format("{} \"{}\" is no n of 0 or more with one of \"allocate\", \"compile\", "
                          "\"launch\", \"copy\"",
                          n, kind));
}

}  // namespace

void bind_fault(nb::module_& m) {
  m.def("_inject_fault", inject_fault, nb::arg("kind"), nb::arg("n"),
        "For tests: the n-th allocation of USM (\"allocate\"), use of the compiler (\"compile\"),\n"
        "submission of a kernel (\"launch\") or of a copy or fill (\"copy\") in the process from "
        "now\n"
        "on fails, once, as it does where the back end fails; 0: none does. Returns what was left\n"
        "of the number before, 0 where the failure has happened.");
}

}  // namespace hither::python
