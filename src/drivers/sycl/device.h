// A device or sub-device of SYCL's OpenCL or Level Zero back end.
#pragma once

#include <memory>
#include <optional>

#include <sycl/sycl.hpp>

#include "runtime/driver.h"

namespace hither::drivers::sycl {

class SyclDevice final : public runtime::DriverDevice {
 public:
  SyclDevice(::sycl::device native, bool is_root);

  const runtime::DeviceFacts& facts() const noexcept override { return facts_; }
  std::vector<std::shared_ptr<runtime::DriverDevice>> partition(PartitionKind kind,
                                                                std::span<const int64_t> counts,
                                                                std::string_view domain) override;
  std::unique_ptr<runtime::DriverContext> make_context(
      std::span<const std::shared_ptr<runtime::DriverDevice>> devices) override;
  /// For a root device it uses SYCL's default context, so that memory is shared with dpctl and
  /// dpnp.
  std::unique_ptr<runtime::DriverContext> make_default_context(
      const std::shared_ptr<runtime::DriverDevice>& self) override;

  /// The ordinal of its root device among SYCL's devices, as dpctl counts; -1 without USM.
  int native_number() const noexcept override;
  /// oneMKL's BLAS, if it is installed.
  const runtime::Blas* blas() override;
  const runtime::SparseLibrary* sparse_library() override;

  const ::sycl::device& native() const noexcept { return native_; }
  /// Whether it supports SPIR-V kernels.
  bool takes_spirv() const noexcept { return takes_spirv_; }
  /// Whether it has USM. A CPU without USM (PoCL before version 4) uses host memory instead.
  bool has_usm() const noexcept { return has_usm_; }

 private:
  void check_parts(PartitionKind kind, std::span<const int64_t> counts) const;

  ::sycl::device native_;
  bool is_root_, takes_spirv_, has_usm_;
  runtime::DeviceFacts facts_;
};

/// The root device of `device`.
::sycl::device root_of(::sycl::device device);

/// The Backend of a SYCL back end; empty for those that hither does not list.
std::optional<Backend> backend_of(::sycl::backend backend) noexcept;

/// All properties of a device that SYCL reports.
runtime::DeviceFacts make_facts(const ::sycl::device& device, bool is_root);

}  // namespace hither::drivers::sycl
