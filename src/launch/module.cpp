#include <hither/module.h>

#include <algorithm>
#include <map>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compiler/compiler.h"
#include "launch/library_entry.h"
#include "launch/place_operands.h"
#include "runtime/kernel_state.h"

namespace hither {

struct Module::State {
  std::string name;
  compiler::KernelLibrary library;
  std::map<std::string, std::string, std::less<>> keys;  ///< of the kernels' modules

  const compiler::LibraryKernel& find(std::string_view wanted) const {
    const auto& all = library.kernels;
    const auto found = std::ranges::find(all, wanted, &compiler::LibraryKernel::name);
    if (found != all.end()) return *found;
    std::vector<std::string_view> names;
    for (const auto& k : all) names.push_back(k.name);
    throw Error(ErrorKind::kValue, name,
                fmt::format("has no kernel {}; there is {}", wanted, fmt::join(names, ", ")));
  }
  target::KernelModule module_of(const compiler::LibraryKernel& kernel) const {
    return launch::library_module(library, kernel, std::vector<int>(kernel.parameters.size(), 0));
  }
};

Module::Module(std::string_view code, std::string name) {
  auto state = std::make_shared<State>();
  state->library = compiler::read_library(code, name);
  state->name = std::move(name);
  for (const auto& kernel : state->library.kernels)
    state->keys[kernel.name] = compiler::module_key(state->module_of(kernel));
  state_ = std::move(state);
}

std::vector<std::string> Module::kernels() const {
  std::vector<std::string> names;
  for (const auto& kernel : state_->library.kernels) names.push_back(kernel.name);
  return names;
}

Kernel Module::kernel(const Queue& queue, std::string_view name, const Range& local) const {
  const compiler::LibraryKernel& kernel = state_->find(name);
  const target::Target target = runtime::target_of(queue.device());
  std::string key = state_->keys.find(name)->second;
  const bool per_local_size = kernel.has_groups && target.kind == target::TargetKind::kCpu;
  if (per_local_size) {
    if (local.items() == 0)
      throw Error(ErrorKind::kValue, kernel.name,
                  "uses work-groups (barriers, local memory or group functions), and on a CPU its "
                  "code depends on their size; say the local size");
    key += fmt::format(" groups of {}", fmt::join(local.size, " "));
  }
  auto image = compiler::compile_cached(key, target, [&] {
    target::KernelModule module = state_->module_of(kernel);
    if (per_local_size) std::ranges::copy(local.size, module.local_size);
    return module;
  });
  return runtime::load_kernel(queue.context(), std::move(image));
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
