// A kernel that is launched into one stream again and again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "drivers/cuda/api.h"

namespace hither::drivers::cuda {

/// Launches by cuLaunchKernel or as a graph of one node, whose parameters are set anew where they
/// differ from the last ones: whichever took the host less time at the first launches. On some
/// machines a graph takes half the time. Not thread-safe: its stream's submissions take turns.
class RepeatedLaunch {
 public:
  RepeatedLaunch() = default;
  ~RepeatedLaunch();
  RepeatedLaunch(const RepeatedLaunch&) = delete;
  RepeatedLaunch& operator=(const RepeatedLaunch&) = delete;

  /// Once, by cuLaunchKernel.
  static CUresult plainly(CUstream stream, const CUkernelNode& node);
  /// `packed` are all parameters, or none if the node has their addresses.
  CUresult launch(CUstream stream, const CUkernelNode& node, std::span<const uint64_t> packed);

 private:
  enum class Way { kTryPlain, kTryGraph, kPlain, kGraph };

  CUresult by_graph(CUstream stream, const CUkernelNode& node, std::span<const uint64_t> packed);
  bool is_last(const CUkernelNode& node, std::span<const uint64_t> packed) const noexcept;
  bool make_graph(const CUkernelNode& node) noexcept;
  /// After a launch in a way that is being tried.
  void note(uint64_t nanoseconds, const CUkernelNode& node) noexcept;

  Way way_ = Way::kTryPlain;
  int tried_ = 0;
  uint64_t plain_ = UINT64_MAX, graphs_ = UINT64_MAX;  ///< the least time of a launch
  CUgraph graph_ = nullptr;
  CUgraphNode kernel_ = nullptr;
  CUgraphExec executable_ = nullptr;
  CUkernelNode last_{};  ///< the executable's
  std::vector<uint64_t> last_packed_;
};

}  // namespace hither::drivers::cuda
