#include <hither/module.h>

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launch/library_entry.h"
#include "launch/place_operands.h"
#include "launch/specialisation.h"
#include "runtime/kernel_state.h"

namespace hither {

struct Module::State {
  std::string name;
  compiler::KernelLibrary library;
  /// By kernel: what was compiled and loaded stays, with what the device learnt of it.
  std::map<std::string, std::unique_ptr<launch::Specialisation>, std::less<>> loaded;

  const compiler::LibraryKernel& find(std::string_view wanted) const {
    const auto& all = library.kernels;
    const auto found = std::ranges::find(all, wanted, &compiler::LibraryKernel::name);
    if (found != all.end()) return *found;
    std::vector<std::string_view> names;
    for (const auto& k : all) names.push_back(k.name);
    throw Error(ErrorKind::kValue, name,
                fmt::format("has no kernel {}; there is {}", wanted, fmt::join(names, ", ")));
  }
};

Module::Module(std::string_view code, std::string name) {
  auto state = std::make_shared<State>();
  state->library = compiler::read_library(code, name);
  state->name = std::move(name);
  for (const auto& kernel : state->library.kernels) {
    const std::vector<int> no_extents(kernel.parameters.size(), 0);
    launch::KernelSource source;
    source.module = launch::library_module(state->library, kernel, no_extents);
    source.has_groups = kernel.has_groups;
    state->loaded[kernel.name] =
        std::make_unique<launch::Specialisation>(std::vector<uint64_t>(), std::move(source));
  }
  state_ = std::move(state);
}

std::vector<std::string> Module::kernels() const {
  std::vector<std::string> names;
  for (const auto& kernel : state_->library.kernels) names.push_back(kernel.name);
  return names;
}

Kernel Module::kernel(const Queue& queue, std::string_view name, const Range& local) const {
  const compiler::LibraryKernel& kernel = state_->find(name);
  const bool on_cpu = runtime::target_of(queue.device()).kind == target::TargetKind::kCpu;
  if (kernel.has_groups && on_cpu && local.items() == 0)
    throw Error(ErrorKind::kValue, kernel.name,
                "uses work-groups (barriers, local memory or group functions), and on a CPU its "
                "code depends on their size; say the local size");
  return state_->loaded.find(name)->second->kernel_for(queue, NdRange(Range(1), local))->kernel;
}

Event Module::launch(std::string_view name, const NdRange& range,
                     std::span<const Operand> arguments, const LaunchOptions& options) const {
  const Queue queue = launch::place_operands(state_->find(name).name, arguments, options.queue);
  Range local(range.local[0], range.local[1], range.local[2]);
  for (int d = range.global.dimensions; d < 3; ++d) local.size[d] = range.local[0] > 0 ? 1 : 0;
  return parallel_for(kernel(queue, name, local), range, arguments,
                      {.queue = &queue, .depends_on = options.depends_on});
}

}  // namespace hither
