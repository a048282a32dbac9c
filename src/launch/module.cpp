#include <hither/module.h>

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launch/library_entry.h"
#include "launch/place_operands.h"
#include "launch/specialisation.h"
#include "runtime/device_facts.h"
#include "runtime/kernel_state.h"

namespace hither {

struct Module::State {
  std::string name;
  compiler::KernelLibrary library;
  /// Specialisations by kernel name. They keep the compiled and loaded code.
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
  launch::Specialisation& ready_for(const Queue& queue, std::string_view wanted,
                                    bool has_local_size) const;
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

launch::Specialisation& Module::State::ready_for(const Queue& queue, std::string_view wanted,
                                                 bool has_local_size) const {
  const compiler::LibraryKernel& kernel = find(wanted);
  if (kernel.has_groups && !has_local_size &&
      runtime::facts_of(queue.device()).compiles_for_local_size)
    throw Error(ErrorKind::kValue, kernel.name,
                "uses work-groups (barriers, local memory or group functions), and on a CPU its "
                "code depends on their size; give the local size");
  return *loaded.find(wanted)->second;
}

Kernel Module::kernel(const Queue& queue, std::string_view name, const Range& local) const {
  const bool has_local_size = local.items() > 0;
  launch::Specialisation& kernel = state_->ready_for(queue, name, has_local_size);
  if (!has_local_size) return kernel.kernel_for(queue)->kernel;
  return kernel.kernel_for(queue, NdRange(local, local))->kernel;
}

Event Module::launch(std::string_view name, const NdRange& range,
                     std::span<const Operand> arguments, const LaunchOptions& options) const {
  const Queue queue = launch::place_operands(state_->find(name).name, arguments, options.queue);
  const bool has_local_size = range.local[0] > 0;
  NdRange like = range;
  for (int d = like.global.dimensions; d < 3; ++d) like.local[d] = has_local_size ? 1 : 0;
  const auto loaded = state_->ready_for(queue, name, has_local_size).kernel_for(queue, like);
  return parallel_for(
      loaded->kernel, range, arguments,
      {.queue = &queue, .depends_on = options.depends_on, .only_read = options.only_read});
}

}  // namespace hither
