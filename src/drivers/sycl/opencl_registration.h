// Makes OpenCL's loader find the CPU runtime in libsycl's folder.
#pragma once

#include <string>

namespace hither::drivers::sycl {

/// The registration of Intel's OpenCL CPU runtime in Python's packages names a folder of the build
/// machine, and lies in a folder that no loader searches. During the lifetime of an object of this
/// class, OCL_ICD_FILENAMES names the runtime. OpenCL's loader reads the variable at its first use,
/// in addition to the system's registrations. Nothing is done if the user has set OCL_ICD_FILENAMES
/// or OCL_ICD_VENDORS, or the system registers the runtime.
class OpenClRegistration {
 public:
  OpenClRegistration();
  ~OpenClRegistration();
  OpenClRegistration(const OpenClRegistration&) = delete;
  OpenClRegistration& operator=(const OpenClRegistration&) = delete;

  /// The path of the runtime from Python's packages if it is registered; else empty.
  const std::string& runtime() const noexcept { return runtime_; }
  /// Why an installed runtime cannot be used; else empty.
  const std::string& fault() const noexcept { return fault_; }

 private:
  std::string runtime_, fault_;
  bool named_here_ = false;
};

}  // namespace hither::drivers::sycl
