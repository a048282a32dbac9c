#include "launch/specialisation.h"

#include <algorithm>

#include "compiler/compiler.h"
#include "runtime/kernel_state.h"

namespace hither::launch {

Specialisation::Specialisation(std::vector<uint64_t> key, KernelSource source)
    : key_(std::move(key)),
      source_(std::move(source)),
      module_key_("kernel " + compiler::module_key(source_.module)) {}

bool Specialisation::matches(std::span<const uint64_t> key) const noexcept {
  return std::ranges::equal(key_, key);
}

double Specialisation::compile_seconds() const noexcept {
  std::lock_guard guard(mutex_);
  return compile_seconds_;
}

Kernel Specialisation::kernel_for(const Queue& queue) {
  const Context& context = queue.context();
  {
    std::lock_guard guard(mutex_);
    for (const auto& [owner, kernel] : kernels_)
      if (owner == context) return kernel;
  }
  compiler::CacheOutcome outcome;
  auto image = compiler::compile_cached(
      module_key_, runtime::target_of(queue.device()), [this] { return source_.module; }, &outcome);
  Kernel kernel = runtime::load_kernel(context, std::move(image));
  std::lock_guard guard(mutex_);
  compile_seconds_ += outcome.seconds;
  for (const auto& [owner, present] : kernels_)
    if (owner == context) return present;
  kernels_.emplace_back(context, kernel);
  return kernel;
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
