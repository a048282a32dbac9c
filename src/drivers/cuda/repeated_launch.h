// Repeated launches of a kernel into one stream.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "drivers/cuda/api.h"

namespace hither::drivers::cuda {

/// Launches by cuLaunchKernel or as a graph of one node, whichever took the host less time in the
/// first launches. Graph parameters are updated if they have changed. On some machines a graph
/// takes half the time. Not thread-safe: submissions to its stream are serialised.
class RepeatedLaunch {
 public:
  RepeatedLaunch() = default;
  ~RepeatedLaunch();
  RepeatedLaunch(const RepeatedLaunch&) = delete;
  RepeatedLaunch& operator=(const RepeatedLaunch&) = delete;

  /// Launches by cuLaunchKernel.
  static CUresult plainly(CUstream stream, const CUkernelNode& node);
  /// `packed` holds all parameters; it is empty if the node has their addresses.
  CUresult launch(CUstream stream, const CUkernelNode& node, std::span<const uint64_t> packed);

 private:
  enum class Way { kTryPlain, kTryGraph, kPlain, kGraph };

  CUresult by_graph(CUstream stream, const CUkernelNode& node, std::span<const uint64_t> packed);
  bool is_last(const CUkernelNode& node, std::span<const uint64_t> packed) const noexcept;
  bool make_graph(const CUkernelNode& node) noexcept;
  /// Records the time of a launch while the two methods are being compared.
  void note(uint64_t nanoseconds, const CUkernelNode& node) noexcept;

  Way way_ = Way::kTryPlain;
  int tried_ = 0;
  uint64_t plain_ = UINT64_MAX, graphs_ = UINT64_MAX;  ///< the least time of a launch
  CUgraph graph_ = nullptr;
  CUgraphNode kernel_ = nullptr;
  CUgraphExec executable_ = nullptr;
  CUkernelNode last_{};  ///< of the executable graph
  std::vector<uint64_t> last_packed_;
};

}  // namespace hither::drivers::cuda
