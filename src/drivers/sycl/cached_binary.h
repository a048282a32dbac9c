// Disk cache of binaries that OpenCL's compilers make from SPIR-V. Intel's compiler for CPUs takes
// tenths of a second for a kernel, seconds for some, and has no cache of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sycl/sycl.hpp>

#include "target/code_image.h"

namespace hither::drivers::sycl {

/// The cached binary of an image for these devices of a context and these build options. It
/// supports contexts of one OpenCL device only; for others nothing is loaded or stored.
class CachedBinary {
 public:
  CachedBinary(const ::sycl::context& context, const std::vector<::sycl::device>& devices,
               const target::CodeImage& image, std::string options);

  /// The kernel of the image; empty if the cache has no binary or OpenCL refuses it.
  std::optional<::sycl::kernel> load() const;
  /// Stores the binary of the kernel's program and returns the kernel built from that binary, or
  /// `kernel` itself if this fails. Intel's OpenCL keeps the compiler's state together with a
  /// program from SPIR-V: 1.8 MB for each, compared with 0.4 MB for one from a binary.
  ::sycl::kernel store_and_load(const ::sycl::kernel& kernel) const;

  /// The cache key, which holds everything that the binary depends on; empty if unsupported.
  const std::string& key() const noexcept { return key_; }

 private:
  std::optional<::sycl::kernel> kernel_of(const std::string& binary) const;

  const ::sycl::context context_;
  const std::string entry_, options_;
  std::string key_;
};

}  // namespace hither::drivers::sycl
