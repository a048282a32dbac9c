// A device of SYCL's OpenCL or Level Zero back end, or a part of one.
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
  /// Of a root device SYCL's own default, so that memory of dpctl and dpnp is ours as well.
  std::unique_ptr<runtime::DriverContext> make_default_context(
      const std::shared_ptr<runtime::DriverDevice>& self) override;

  /// Of its root device among all that SYCL has, as dpctl counts; -1 without USM.
  int native_number() const noexcept override;
  /// oneMKL's, where it is installed.
  const runtime::Blas* blas() override;

  const ::sycl::device& native() const noexcept { return native_; }
  /// Takes kernels as SPIR-V.
  bool takes_spirv() const noexcept { return takes_spirv_; }
  /// Has USM. A CPU without (PoCL's before version 4) is given the host's memory in its place.
  bool has_usm() const noexcept { return has_usm_; }

 private:
  void check_parts(PartitionKind kind, std::span<const int64_t> counts) const;

  ::sycl::device native_;
  bool is_root_, takes_spirv_, has_usm_;
  runtime::DeviceFacts facts_;
};

/// The device that this one is a part of, or itself.
::sycl::device root_of(::sycl::device device);

/// Ours of SYCL's; empty for those that hither hides.
std::optional<Backend> backend_of(::sycl::backend backend) noexcept;

/// Everything that SYCL answers of a device.
runtime::DeviceFacts make_facts(const ::sycl::device& device, bool is_root);

}  // namespace hither::drivers::sycl
