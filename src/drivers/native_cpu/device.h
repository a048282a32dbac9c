// The CPU or a sub-device: some of its hardware threads.
#pragma once

#include <memory>
#include <mutex>

#include "drivers/native_cpu/arena.h"
#include "drivers/native_cpu/sort.h"
#include "drivers/native_cpu/topology.h"
#include "runtime/driver.h"

namespace hither::drivers::native_cpu {

class CpuDevice final : public runtime::DriverDevice {
 public:
  CpuDevice(Units units, Placement placement);

  const runtime::DeviceFacts& facts() const noexcept override { return facts_; }
  std::vector<std::shared_ptr<runtime::DriverDevice>> partition(PartitionKind kind,
                                                                std::span<const int64_t> counts,
                                                                std::string_view domain) override;
  std::unique_ptr<runtime::DriverContext> make_context(
      std::span<const std::shared_ptr<runtime::DriverDevice>> devices) override;

  const runtime::Blas* blas() override;
  const runtime::SortLibrary* sort_library() override { return &sort_; }

  const std::shared_ptr<Arena>& arena() const noexcept { return arena_; }

 private:
  Units units_;
  Placement placement_;
  runtime::DeviceFacts facts_;
  std::shared_ptr<Arena> arena_;
  CpuSort sort_;
  std::once_flag blas_once_;
  std::unique_ptr<runtime::Blas> blas_;
};

/// OpenBLAS on the threads of an arena; null if no library is found. Opens the library that
/// HITHER_OPENBLAS or set_blas_library() names, or the system's libopenblas.so.0.
std::unique_ptr<runtime::Blas> open_blas(std::shared_ptr<Arena> arena);

/// All properties of a device with these units.
runtime::DeviceFacts make_facts(const Units& units, bool is_root);

/// Splits `units` by affinity domain ("numa", ..., "next_partitionable"). The result has at most
/// one element if the domain does not split them.
std::vector<Units> split_by_domain(const Units& units, std::string_view domain);

}  // namespace hither::drivers::native_cpu
