// Kernel functions compiled for the argument types of a call, and the table of them.
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

/// The front end's output for a function and the argument types of a call.
struct KernelSource {
  target::KernelModule module;
  std::vector<bool> written;  ///< for each argument: whether the kernel may write to it
  bool has_groups =
      false;  ///< barriers, local memory, group functions: CPU code then depends on the local size
  std::vector<std::string> prints;  ///< the calls of print: what each prints, for the front end
  std::string key;     ///< identifies the module, if the front end sets it; else it is computed
  double seconds = 0;  ///< time that the front end took
};

/// Converts a function to a kernel module. May block. Several threads may call it at once.
class HITHER_EXPORT FrontEnd {
 public:
  virtual ~FrontEnd() = default;
  /// `nesting` is empty when no parameter is a tuple. Throws Error kCompile when the function
  /// cannot be a kernel for these types.
  virtual KernelSource make(std::span<const ArgumentType> types,
                            std::span<const uint64_t> nesting) = 0;
};

/// A kernel loaded in one context, and its origin.
struct LoadedKernel {
  Context context;
  target::Target target;  ///< may differ between devices of one context
  std::array<int64_t, 3>
      local_size;  ///< local size that CPU code is compiled for; 0 if the code fits all
  int dimensions;  ///< number of dimensions that code for other devices is compiled for
  Kernel kernel;
  std::string device;  ///< filter string
  const char* source;  ///< "memory", "disk" or "compiled"
  double compile_seconds;
  mutable std::atomic<bool> launched = false;
};

/// Thread-safe.
class HITHER_EXPORT Specialisation {
 public:
  /// `key` contains the nesting tokens, if any, and one 64-bit integer per argument type.
  Specialisation(std::vector<uint64_t> key, KernelSource source);

  bool matches(std::span<const uint64_t> key) const noexcept;
  bool writes(size_t argument) const noexcept { return source_.written[argument]; }
  const KernelSource& source() const noexcept { return source_; }
  const std::vector<uint64_t>& key() const noexcept { return key_; }

  /// The argument types, without the nesting.
  std::span<const uint64_t> argument_words() const noexcept {
    return std::span(key_).last(source_.written.size());
  }

  /// The kernel in the context of `queue` for launches like `range`: CPU code with groups depends
  /// on the local size, code for other devices on the number of dimensions. Compiles it for the
  /// queue's device if necessary; concurrent requests compile once. Throws Error kCompile.
  std::shared_ptr<const LoadedKernel> kernel_for(const Queue& queue, const NdRange& range);
  /// The same for launches with as many dimensions as the kernel uses.
  std::shared_ptr<const LoadedKernel> kernel_for(const Queue& queue);
  /// The module. If the code depends on the local size, with that of the newest of these kernels.
  target::KernelModule newest_module() const;
  /// Seconds that the compiler took for all devices so far; cache hits count as 0.
  double compile_seconds() const noexcept;

 private:
  static constexpr size_t kMostLoaded = 64;
  /// The properties of a launch that code depends on.
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

  /// The specialisation for `key`, or null.
  std::shared_ptr<Specialisation> find(std::span<const uint64_t> key);
  /// The specialisation for `key`. If there is none, this thread calls `make` without holding a
  /// lock. Other threads that need the same specialisation wait. An exception of `make` goes only
  /// to its caller; a waiting thread then calls `make` itself.
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
