// Makes OpenCL's loader find the CPU runtime that lies beside libsycl.
#pragma once

#include <string>

namespace hither::drivers::sycl {

/// Python's packages bring Intel's OpenCL CPU runtime with a registration that names a folder of
/// the machine that built it, and in a place where no loader looks. While an object of this class
/// lives, OCL_ICD_FILENAMES names the runtime to OpenCL's loader, which reads it when it is used
/// first and only adds to what the system registers. A user's own OCL_ICD_FILENAMES or
/// OCL_ICD_VENDORS, or a registration of the system, has precedence: then nothing is done.
class OpenClRegistration {
 public:
  OpenClRegistration();
  ~OpenClRegistration();
  OpenClRegistration(const OpenClRegistration&) = delete;
  OpenClRegistration& operator=(const OpenClRegistration&) = delete;

  /// The runtime of Python's packages, if it was named; else empty.
  const std::string& runtime() const noexcept { return runtime_; }
  /// Why a runtime that is there cannot be used; else empty.
  const std::string& fault() const noexcept { return fault_; }

 private:
  std::string runtime_, fault_;
  bool named_here_ = false;
};

}  // namespace hither::drivers::sycl
