// A kernel function compiled for the types of a call, and the table of them.
#pragma once

#include <array>
#include <atomic>
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
#include "target/target.h"

namespace hither::launch {

/// What a front end makes of a function for the types of a call.
struct KernelSource {
  target::KernelModule module;
  std::vector<bool> written;  ///< for each argument: may the kernel write to it?
  bool has_groups = false;  ///< barriers, local memory, group functions: CPU code is per local size
  std::string key;          ///< identifies the module, if the front end knows; else it is computed
  double seconds = 0;       ///< the front end took
};

/// Turns a function into a kernel module. May block, and may be called by several threads at once.
class HITHER_EXPORT FrontEnd {
 public:
  virtual ~FrontEnd() = default;
  /// `nesting` is empty when no parameter is a tuple. Throws Error kCompile when the function
  /// cannot be a kernel for these types.
  virtual KernelSource make(std::span<const ArgumentType> types,
                            std::span<const uint64_t> nesting) = 0;
};

/// A kernel in one context, and how it came there.
struct LoadedKernel {
  Context context;
  target::Target target;              ///< devices of one context may differ in it
  std::array<int64_t, 3> local_size;  ///< that CPU code is compiled for; 0 where it serves all
  int dimensions;                     ///< of launches, likewise for other devices
  Kernel kernel;
  std::string device;  ///< filter string
  const char* source;  ///< "memory", "disk" or "compiled"
  double compile_seconds;
  mutable std::atomic<bool> launched = false;
};

/// Thread-safe.
class HITHER_EXPORT Specialisation {
 public:
  /// `key` is the nesting, if any, and a word for each argument.
  Specialisation(std::vector<uint64_t> key, KernelSource source);

  bool matches(std::span<const uint64_t> key) const noexcept;
  bool writes(size_t argument) const noexcept { return source_.written[argument]; }
  const KernelSource& source() const noexcept { return source_; }
  const std::vector<uint64_t>& key() const noexcept { return key_; }

  /// The types of the arguments, without the nesting.
  std::span<const uint64_t> argument_words() const noexcept {
    return std::span(key_).last(source_.written.size());
  }

  /// The kernel in the context of `queue`, for launches like `range` (CPU code with groups is per
  /// local size, that of other devices per number of dimensions); compiled for its device if need
  /// be, once however many threads ask. Throws Error kCompile.
  std::shared_ptr<const LoadedKernel> kernel_for(const Queue& queue, const NdRange& range);
  /// The same for launches of as many dimensions as the kernel asks about.
  std::shared_ptr<const LoadedKernel> kernel_for(const Queue& queue);
  /// The module, with the local size of the newest of these kernels if code is per local size.
  target::KernelModule newest_module() const;
  /// Seconds that the compiler took for all devices so far; 0 for what its caches had.
  double compile_seconds() const noexcept;

 private:
  static constexpr size_t kMostLoaded = 64;
  /// What code depends on of a launch.
  struct Like {
    std::array<int64_t, 3> local_size{};
    int dimensions = 0;
  };
  std::shared_ptr<const LoadedKernel> find_or_load(const Queue& queue, const Like& like);
  bool serves(const LoadedKernel& loaded, const Like& like) const noexcept;
  std::shared_ptr<const LoadedKernel> load(const Queue& queue, const Like& like) const;

  const std::vector<uint64_t> key_;
  const KernelSource source_;
  const std::string module_key_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<const LoadedKernel>> kernels_;
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
