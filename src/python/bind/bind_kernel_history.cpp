// hither.kernel_history().
#include <hither/history.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bind/bindings.h"
#include "python/bind/documentation.h"

namespace hither::python {

void bind_kernel_history(nb::module_& m) {
  nb::class_<KernelRecord>(m, "KernelRecord", documentation("KernelRecord"))
      .def_ro("name", &KernelRecord::name,
              "The name of the kernel, or the operations of the expression in order.")
      .def_ro("device", &KernelRecord::device, "Filter string of the device.")
      .def_ro("source", &KernelRecord::source,
              "Source of the code: \"memory\", \"disk\" or \"compiled\"; \"host\" for a "
              "function that NumPy computed.")
      .def_ro("items", &KernelRecord::items, "Work-items, or elements on the host.")
      .def_ro("bytes", &KernelRecord::bytes,
              "Bytes read and written, each buffer once; on the host the bytes copied.")
      .def_ro("seconds", &KernelRecord::seconds,
              "Host time of the submission; on the host and on native_cpu the whole time.")
      .def_ro("compile_seconds", &KernelRecord::compile_seconds,
              "The time of the kernel's compilation, in seconds; 0 if it was compiled before.")
      .def_prop_ro(
          "bandwidth",
          [](const KernelRecord& r) {
            return r.seconds > 0 ? static_cast<double>(r.bytes) / r.seconds : 0.0;
          },
          "Bytes per second.")
      .def("__repr__", [](const KernelRecord& r) {
        return "<hither.KernelRecord " + r.name + " on " + r.device + ": " +
               std::to_string(r.items) + " items, " + std::to_string(r.bytes) + " bytes, " +
               std::to_string(r.seconds * 1e6) + " us, " + r.source + ">";
      });
  m.def("kernel_history", kernel_history, documentation("kernel_history"));
  m.def("clear_kernel_history", clear_kernel_history, documentation("clear_kernel_history"));
  m.def("record_host_call", record_host_call, nb::arg("name"), nb::arg("device"), nb::arg("items"),
        nb::arg("bytes"), nb::arg("seconds"),
        "Appends a function that NumPy computed on the host to kernel_history().");
}

}  // namespace hither::python
