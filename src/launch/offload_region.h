// Parallel regions of Numba functions, which compiled host code launches.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <hither/export.h>
#include <hither/memory.h>

#include "launch/kernel_function.h"
#include "launch/region_array.h"
#include "launch/specialisation.h"

namespace hither::launch {

/// A reduction variable: a number of `bytes`, or the array of that index.
struct RegionReduction {
  int64_t bytes = 0;
  int32_t array = -1;
};

/// A region as the front end describes it. Host code fills `slots` 64-bit argument slots in the
/// layout of target::Signature. After them a region with reductions has slots that launch() fills:
/// length of a group, number of groups, address of each reduction's partial results. Host code
/// stores the addresses of the results after those.
struct RegionSource {
  std::string name;
  std::string digest;  ///< identifies everything that a launch depends on
  int dimensions = 1;
  bool single_task = false;   ///< one work-item runs all iterations
  bool is_long = false;       ///< an iteration has loops, or calls functions of the program
  bool whole_arrays = false;  ///< an operation on whole arrays: all reads precede all writes
  int64_t team = 0;  ///< work-items of a group, which share one iteration; 0: there are no groups
  int joined = 0;    ///< the last dimensions that are loops inside of an iteration of the program
  size_t starts_of_joined = 0;  ///< the first slot of their starts
  size_t slots = 0;
  int64_t lanes = 1;                  ///< work-items of a group of a reduction
  KernelSource body;                  ///< runs the iterations, or groups of them
  std::optional<KernelSource> dense;  ///< the same for dense rows in all arrays of layout 'A'
  std::optional<KernelSource> total;  ///< combines the results of the groups
  std::vector<RegionArray> arrays;
  std::vector<RegionReduction> reductions;
};

/// The uses of a region on one device.
struct RegionUse {
  Device device;
  int64_t launches = 0;
  int64_t bytes_to_device = 0;  ///< copied before its launches
  int64_t bytes_to_host = 0;    ///< copied back after its launches
};

/// Thread-safe.
class HITHER_EXPORT Region {
 public:
  explicit Region(RegionSource source);

  const RegionSource& source() const noexcept { return source_; }
  int64_t iterations(const int64_t* extents) const noexcept;
  /// Runs the region over `extents`, one number per dimension, on `queue`. Blocks until the host
  /// may use the results; these stay in USM where the device cannot access host memory. The arrays
  /// are accessible. Throws Error.
  void launch(const Queue& queue, const int64_t* extents, uint64_t* slots);
  /// Compiles for the device of `queue`. Throws Error kCompile.
  void compile_for(const Queue& queue);

  void note_moved(const Queue& queue, int64_t to_device, int64_t to_host);
  std::vector<RegionUse> uses() const;
  /// Text of the kernel that runs the iterations, for this machine's CPU.
  std::string inspect(Inspection what) const { return launch::inspect(body_, what); }

 private:
  RegionUse& use_on(const Queue& queue);  ///< the caller holds the mutex
  Specialisation& body_for(const uint64_t* slots);
  bool rows_are_dense(const uint64_t* slots) const noexcept;
  bool arrays_overlap(const uint64_t* slots) const noexcept;
  std::vector<Memory> read_first(const Queue& queue, uint64_t* slots) const;
  void reduce(const Queue& queue, int64_t items, uint64_t* slots);
  std::optional<Memory> place_partials(const Queue& queue, int64_t groups,
                                       std::span<const int64_t> item_bytes, uint64_t* slots) const;
  void run_inner_in_order(const Queue& queue, const int64_t* extents, uint64_t* slots);
  /// Runs kernels one after another, and waits for them.
  struct Step {
    Specialisation* kernel;
    NdRange range;
  };
  void run(const Queue& queue, const uint64_t* slots, std::span<const Step> steps);

  const RegionSource source_;
  Specialisation body_;
  std::optional<Specialisation> dense_;
  std::optional<Specialisation> total_;
  // If the code assumes that written arrays overlap no other array: the same code without this
  // assumption, for calls whose arrays overlap.
  std::optional<Specialisation> body_of_overlapping_;
  std::optional<Specialisation> dense_of_overlapping_;
  mutable std::mutex mutex_;
  std::vector<RegionUse> uses_;
};

/// Registers a region under `id`, a hash of its content; a second registration has no effect.
/// Regions live as long as the process, like the code that Numba compiles. Thread-safe. Returns the
/// region that is registered under the id. Throws Error kCompile if that is a different one.
HITHER_EXPORT Region& register_region(int64_t id, RegionSource source);
/// Null for an unregistered id.
HITHER_EXPORT Region* find_region(int64_t id);

}  // namespace hither::launch
