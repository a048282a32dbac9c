// A kernel function compiled for the types of a call, and the table of them.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <hither/context.h>
#include <hither/export.h>
#include <hither/kernel.h>
#include <hither/queue.h>

#include "launch/argument.h"
#include "target/kernel_module.h"

namespace hither::launch {

/// What a front end makes of a function for the types of a call.
struct KernelSource {
  target::KernelModule module;
  std::vector<bool> written;  ///< for each argument: may the kernel write to it?
  double seconds = 0;         ///< the front end took
};

/// Turns a function into a kernel module. May block, and may be called by several threads at once.
class HITHER_EXPORT FrontEnd {
 public:
  virtual ~FrontEnd() = default;
  /// Throws Error kCompile when the function cannot be a kernel for these types.
  virtual KernelSource make(std::span<const ArgumentType> types) = 0;
};

/// Thread-safe.
class HITHER_EXPORT Specialisation {
 public:
  Specialisation(std::vector<uint64_t> key, KernelSource source);

  bool matches(std::span<const uint64_t> key) const noexcept;
  bool writes(size_t argument) const noexcept { return source_.written[argument]; }
  const KernelSource& source() const noexcept { return source_; }
  const std::vector<uint64_t>& key() const noexcept { return key_; }

  /// The kernel in the context of `queue`; compiled for its device if need be, once however many
  /// threads ask. Throws Error kCompile.
  Kernel kernel_for(const Queue& queue);
  /// Seconds that the compiler took for all devices so far; 0 for what its caches had.
  double compile_seconds() const noexcept;

 private:
  const std::vector<uint64_t> key_;
  const KernelSource source_;
  const std::string module_key_;
  mutable std::mutex mutex_;
  std::vector<std::pair<Context, Kernel>> kernels_;
  double compile_seconds_ = 0;
};

/// The specialisations of one function, most recently used first, at most kMostSpecialisations.
class HITHER_EXPORT SpecialisationTable {
 public:
  static constexpr size_t kMostSpecialisations = 128;

  /// The one for `key`, or null.
  std::shared_ptr<Specialisation> find(std::span<const uint64_t> key);
  /// The one for `key`. If there is none, `make` is called on this thread, with no lock held, while
  /// other threads that want the same wait. What it throws goes to its caller alone; a waiting
  /// thread then tries itself.
  std::shared_ptr<Specialisation> find_or_make(std::span<const uint64_t> key,
                                               const std::function<KernelSource()>& make);
  std::vector<std::shared_ptr<Specialisation>> all() const;

 private:
  std::shared_ptr<Specialisation> find_locked(std::span<const uint64_t> key);

  mutable std::mutex mutex_;
  std::condition_variable made_;
  std::vector<std::shared_ptr<Specialisation>> entries_;
  std::vector<std::vector<uint64_t>> being_made_;
};

}  // namespace hither::launch
