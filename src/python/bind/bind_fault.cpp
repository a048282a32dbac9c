// hither._hither._inject_fault, for tests of rare failures.
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
              fmt::format("n={} and kind=\"{}\" are not allowed: n is not negative, and kind is "
                          "\"allocate\", \"compile\", \"launch\" or \"copy\"",
                          n, kind));
}

}  // namespace

void bind_fault(nb::module_& m) {
  m.def("_inject_fault", inject_fault, nb::arg("kind"), nb::arg("n"),
        "For tests: makes the n-th operation of a kind in the process fail once, as it does if\n"
        "the back end fails. The kinds are \"allocate\" (of USM), \"compile\" (any use of the\n"
        "compiler), \"launch\" (of a kernel) and \"copy\" (or fill). n=0 cancels. Returns the\n"
        "remaining count of the previous call; 0 if that failure has happened.");
}

}  // namespace hither::python
