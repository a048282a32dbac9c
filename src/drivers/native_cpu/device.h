// The CPU, or some of its hardware threads, as a device.
#pragma once

#include <memory>
#include <mutex>

#include "drivers/native_cpu/arena.h"
#include "drivers/native_cpu/topology.h"
#include "runtime/driver.h"

namespace hither::drivers::native_cpu {

class CpuDevice final : public runtime::DriverDevice {
 public:
  CpuDevice(Units units, bool is_root);

  const runtime::DeviceFacts& facts() const noexcept override { return facts_; }
  std::vector<std::shared_ptr<runtime::DriverDevice>> partition(PartitionKind kind,
                                                                std::span<const int64_t> counts,
                                                                std::string_view domain) override;
  std::unique_ptr<runtime::DriverContext> make_context(
      std::span<const std::shared_ptr<runtime::DriverDevice>> devices) override;

  const runtime::Blas* blas() override;

  const std::shared_ptr<Arena>& arena() const noexcept { return arena_; }

 private:
  Units units_;
  runtime::DeviceFacts facts_;
  std::shared_ptr<Arena> arena_;
  std::once_flag blas_once_;
  std::unique_ptr<runtime::Blas> blas_;
};

/// OpenBLAS on so many threads; null when no library is found. Opens HITHER_OPENBLAS, what
/// set_blas_library() named, or the system's libopenblas.so.0.
std::unique_ptr<runtime::Blas> open_blas(int threads);

/// Everything that a CPU can answer, for a device of these units.
runtime::DeviceFacts make_facts(const Units& units, bool is_root);

/// Parts of `units` that share a domain ("numa", ..., "next_partitionable"); one or none when the
/// domain does not split them.
std::vector<Units> split_by_domain(const Units& units, std::string_view domain);

}  // namespace hither::drivers::native_cpu
