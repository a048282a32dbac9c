// What OpenCL's compilers have made of SPIR-V, kept on disk: Intel's for CPUs takes tenths of a
// second for a kernel, seconds for some, and keeps nothing itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sycl/sycl.hpp>

#include "target/code_image.h"

namespace hither::drivers::sycl {

/// An image's binary for these devices of a context, built with these options, in the process's
/// disk cache. Only for contexts of one device of OpenCL; for others nothing is found or kept.
class CachedBinary {
 public:
  CachedBinary(const ::sycl::context& context, const std::vector<::sycl::device>& devices,
             const target::CodeImage& image, std::string options);

  /// The image's entry; none where the disk has no binary, or OpenCL refuses it.
  std::optional<::sycl::kernel> load() const;
  /// Keeps the binary of the program that the kernel is of. What goes wrong only costs a build.
  void keep(const ::sycl::kernel& kernel) const noexcept;

  /// All that the binary depends on; empty where none is kept.
  const std::string& key() const noexcept { return key_; }

 private:
  std::optional<::sycl::kernel> kernel_of(const std::string& binary) const;

  const ::sycl::context context_;
  const std::string entry_, options_;
  std::string key_;
};

}  // namespace hither::drivers::sycl
