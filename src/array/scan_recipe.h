// Pending scans.
#pragma once

#include "array/emit/scan_operand.h"
#include "array/kernel_call.h"

namespace hither::array {

/// Extents before, along and after the axis of a scan, all positive.
struct ScanShape {
  int64_t outer = 1, along = 1, inner = 1;
};

/// The operand of a scan as an argument of its kernels.
class ScanSource {
 public:
  ScanSource(const Operated& x, const ScanShape& shape, DType dtype);
  ScanProducers producers() const;
  /// Adds the arguments that ScanOperand takes.
  void pack(KernelCall& call) const;
  /// Where an operand that is an array is in memory; else null.
  const char* address() const;

 private:
  const Operated& x_;
  const ScanShape& shape_;
  DType dtype_;
};

/// The name of a scan: "cumulative_sum", or that of the user's function.
std::string scan_name(const Accumulation& accumulation);
/// The name of its kernel: "cumulative_sum_of_multiply".
std::string kernel_name(const Accumulation& accumulation, const ScanProducers& producers);

/// Scans inputs[0], of shape `shape`. With `initial` the result starts with the result for no
/// elements. `user` keeps the accumulation's function.
class ScanRecipe final : public Recipe {
 public:
  ScanRecipe(Accumulation accumulation, ScanShape shape, bool initial,
             std::shared_ptr<const UserFunction> user = nullptr)
      : accumulation_(accumulation), user_(std::move(user)), shape_(shape), initial_(initial) {}

  bool needs_c_order() const noexcept override { return true; }
  bool computes_operand() const noexcept override { return true; }
  bool computes(Cluster& producers, const Queue& queue) const override;
  int64_t operand_size(const Value&, int) const noexcept override {
    return shape_.outer * shape_.along * shape_.inner;
  }
  void launch(Value& value, std::span<const Operated> operands) const override;
  std::string describe(const Value& value) const override;

 private:
  Accumulation accumulation_;
  std::shared_ptr<const UserFunction> user_;
  ScanShape shape_;
  bool initial_;
};

}  // namespace hither::array
