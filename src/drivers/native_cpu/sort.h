// The CPU's sort of rows.
#pragma once

#include <memory>

#include "drivers/native_cpu/arena.h"
#include "runtime/sort_library.h"

namespace hither::drivers::native_cpu {

/// Sorts in parallel over rows, or over pieces of a long row.
class CpuSort final : public runtime::SortLibrary {
 public:
  explicit CpuSort(std::shared_ptr<Arena> arena) : arena_(std::move(arena)) {}
  size_t scratch_bytes(const runtime::RowSort& call) const noexcept override;
  void sort(const runtime::RowSort& call) const override;

 private:
  const std::shared_ptr<Arena> arena_;
};

}  // namespace hither::drivers::native_cpu
