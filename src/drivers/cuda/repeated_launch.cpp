#include "drivers/cuda/repeated_launch.h"

#include <algorithm>

#include "drivers/cuda/checked.h"
#include "runtime/host_task.h"

namespace hither::drivers::cuda {
namespace {

constexpr int kTrials = 16;

}  // namespace

CUresult RepeatedLaunch::plainly(CUstream stream, const CUkernelNode& n) {
  return api().cuLaunchKernel(n.function, n.grid[0], n.grid[1], n.grid[2], n.block[0], n.block[1],
                              n.block[2], n.local_bytes, stream, n.parameters, n.extra);
}

RepeatedLaunch::~RepeatedLaunch() {
  if (executable_) api().cuGraphExecDestroy(executable_);  // running launches continue
  if (graph_) api().cuGraphDestroy(graph_);
}

bool RepeatedLaunch::make_graph(const CUkernelNode& node) noexcept {
  return api().cuGraphCreate(&graph_, 0) == kSuccess &&
         api().cuGraphAddKernelNode(&kernel_, graph_, nullptr, 0, &node) == kSuccess &&
         api().cuGraphInstantiateWithFlags(&executable_, graph_, 0) == kSuccess;
}

bool RepeatedLaunch::is_last(const CUkernelNode& node,
                             std::span<const uint64_t> packed) const noexcept {
  return !packed.empty() && std::ranges::equal(packed, last_packed_) &&
         std::ranges::equal(node.grid, last_.grid) && std::ranges::equal(node.block, last_.block);
}

CUresult RepeatedLaunch::by_graph(CUstream stream, const CUkernelNode& node,
                                  std::span<const uint64_t> packed) {
  if (!is_last(node, packed)) {
    last_packed_.clear();
    const CUresult result = api().cuGraphExecKernelNodeSetParams(executable_, kernel_, &node);
    if (result != kSuccess) return result;
    last_ = node;
    last_packed_.assign(packed.begin(), packed.end());
  }
  return api().cuGraphLaunch(executable_, stream);
}

void RepeatedLaunch::note(uint64_t nanoseconds, const CUkernelNode& node) noexcept {
  uint64_t& least = way_ == Way::kTryPlain ? plain_ : graphs_;
  least = std::min(least, nanoseconds);
  if (++tried_ < kTrials) return;
  tried_ = 0;
  if (way_ == Way::kTryPlain)
    way_ = make_graph(node) ? Way::kTryGraph : Way::kPlain;
  else
    way_ = graphs_ < plain_ ? Way::kGraph : Way::kPlain;
}

CUresult RepeatedLaunch::launch(CUstream stream, const CUkernelNode& node,
                                std::span<const uint64_t> packed) {
  if (way_ == Way::kGraph) return by_graph(stream, node, packed);
  if (way_ == Way::kPlain) return plainly(stream, node);
  const uint64_t started = runtime::now_nanoseconds();
  const CUresult result =
      way_ == Way::kTryPlain ? plainly(stream, node) : by_graph(stream, node, packed);
  note(runtime::now_nanoseconds() - started, node);
  return result;
}

}  // namespace hither::drivers::cuda
