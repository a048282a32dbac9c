#include "launch/specialisation.h"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/compiler.h"
#include "profiling/ranges.h"
#include "profiling/record.h"
#include "runtime/device_facts.h"
#include "runtime/kernel_state.h"

namespace hither::launch {
Specialisation::Specialisation(std::vector<uint64_t> key, KernelSource source)
    : key_(std::move(key)),
      source_(std::move(source)),
      module_key_("kernel " +
                  (source_.key.empty() ? compiler::module_key(source_.module) : source_.key)) {}

bool Specialisation::matches(std::span<const uint64_t> key) const noexcept {
  return std::ranges::equal(key_, key);
}

double Specialisation::compile_seconds() const noexcept {
  std::lock_guard guard(mutex_);
  return compile_seconds_;
}

target::KernelModule Specialisation::newest_module() const {
  target::KernelModule module = source_.module;
  std::lock_guard guard(mutex_);
  if (kernels_.empty()) return module;
  std::ranges::copy(kernels_.back()->local_size, module.local_size);
  module.dimensions = kernels_.back()->dimensions;
  return module;
}

std::shared_ptr<const LoadedKernel> Specialisation::kernel_for(const Queue& queue,
                                                               const NdRange& range) {
  Like like;
  const runtime::DeviceFacts& facts = runtime::facts_of(queue.device());
  if (!facts.compiles_for_local_size) like.dimensions = range.global.dimensions;
  if (source_.has_groups && (facts.compiles_for_local_size || facts.gains_from_local_size))
    std::ranges::copy(range.local, like.local_size.begin());
  return find_or_load(queue, like);
}

std::shared_ptr<const LoadedKernel> Specialisation::kernel_for(const Queue& queue) {
  return find_or_load(queue, {});
}

bool Specialisation::serves(const LoadedKernel& loaded, const Like& like) const noexcept {
  if (loaded.local_size != like.local_size) return false;
  if (loaded.dimensions == like.dimensions) return true;
  if (source_.has_groups) return false;
  const int known = loaded.kernel.state()->image->dimensions;
  const bool asks_about_one = known == 1 && loaded.dimensions != 1;
  return asks_about_one || (loaded.dimensions == 0 && known == like.dimensions);
}

std::shared_ptr<const LoadedKernel> Specialisation::find_or_load(const Queue& queue,
                                                                 const Like& like) {
  const Context& context = queue.context();
  const target::Target& target = runtime::target_of(queue.device());
  auto find = [&]() -> std::shared_ptr<const LoadedKernel> {
    for (const auto& loaded : kernels_)
      if (loaded->context == context && loaded->target == target && serves(*loaded, like))
        return loaded;
    return nullptr;
  };
  {
    std::lock_guard guard(mutex_);
    if (auto found = find()) return found;
  }
  auto loaded = load(queue, like);
  std::lock_guard guard(mutex_);
  compile_seconds_ += loaded->compile_seconds;
  if (auto found = find()) return found;
  // Most programs use few local sizes. A program that tries all of them must not exhaust memory.
  if (kernels_.size() >= kMostLoaded) kernels_.erase(kernels_.begin());
  kernels_.push_back(loaded);
  return loaded;
}

std::shared_ptr<const LoadedKernel> Specialisation::load(const Queue& queue,
                                                         const Like& like) const {
  auto make = [&] {
    target::KernelModule module = source_.module;
    std::ranges::copy(like.local_size, module.local_size);
    module.dimensions = like.dimensions;
    return module;
  };
  std::string key = module_key_;
  if (like.local_size[0] > 0) key += fmt::format(" groups of {}", fmt::join(like.local_size, " "));
  if (like.dimensions > 0) key += fmt::format(" in {} dimensions", like.dimensions);
  const profiling::Range range("compile ", source_.module.entry);
  compiler::CacheOutcome outcome;
  const target::Target& target = runtime::target_of(queue.device());
  auto image = compiler::compile_cached(key, target, make, &outcome);
  profiling::add_compilation(source_.module.entry, compiler::name_of(outcome.source),
                             outcome.seconds);
  return std::shared_ptr<const LoadedKernel>(new LoadedKernel{
      queue.context(), target, like.local_size, like.dimensions,
      runtime::load_kernel(queue.context(), std::move(image)), queue.device().filter_string(),
      compiler::name_of(outcome.source), outcome.seconds});
}

std::shared_ptr<Specialisation> SpecialisationTable::find(std::span<const uint64_t> key) {
  std::lock_guard guard(mutex_);
  return find_locked(key);
}

std::shared_ptr<Specialisation> SpecialisationTable::find_locked(std::span<const uint64_t> key) {
  auto at = std::ranges::find_if(entries_, [&](const auto& e) { return e->matches(key); });
  if (at == entries_.end()) return nullptr;
  std::rotate(entries_.begin(), at, at + 1);
  return entries_.front();
}

std::shared_ptr<Specialisation> SpecialisationTable::find_or_make(
    std::span<const uint64_t> key, const std::function<KernelSource()>& make) {
  std::unique_lock lock(mutex_);
  auto in_progress = [&] {
    return std::ranges::find_if(being_made_,
                                [&](const auto& k) { return std::ranges::equal(k, key); });
  };
  for (;;) {
    if (auto found = find_locked(key)) return found;
    if (in_progress() == being_made_.end()) break;
    made_.wait(lock);
  }
  being_made_.emplace_back(key.begin(), key.end());
  lock.unlock();
  std::shared_ptr<Specialisation> result;
  auto finish = [&] {
    lock.lock();
    being_made_.erase(in_progress());
    if (result) entries_.insert(entries_.begin(), result);
    if (entries_.size() > kMostSpecialisations) entries_.pop_back();
    lock.unlock();
    made_.notify_all();
  };
  try {
    result =
        std::make_shared<Specialisation>(std::vector<uint64_t>(key.begin(), key.end()), make());
  } catch (...) {
    finish();
    throw;
  }
  finish();
  return result;
}

std::vector<std::shared_ptr<Specialisation>> SpecialisationTable::all() const {
  std::lock_guard guard(mutex_);
  return entries_;
}

}  // namespace hither::launch
