// Parallel regions of Numba functions: what the compiled host code of a function launches.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <hither/export.h>
#include <hither/memory.h>

#include "launch/kernel_function.h"
#include "launch/region_array.h"
#include "launch/specialisation.h"

namespace hither::launch {

/// A variable that all iterations contribute to: a number of `bytes`, or the array of that index.
struct RegionReduction {
  int64_t bytes = 0;
  int32_t array = -1;
};

/// What the front end makes of a region. Host code fills `slots` words of arguments, as
/// target::Signature packs them. A region with reductions has room for more behind them, which
/// launch() fills: length of a group, number of groups, address of each reduction's partial
/// results; host code has put the addresses of the results behind those.
struct RegionSource {
  std::string name;
  std::string digest;  ///< of all that decides what a launch does
  int dimensions = 1;
  bool single_task = false;   ///< one work-item runs everything
  bool whole_arrays = false;  ///< an operation on arrays as wholes: reads come before writes
  size_t slots = 0;
  KernelSource body;                  ///< runs over the iterations, or over groups of them
  std::optional<KernelSource> dense;  ///< the same for dense rows in all arrays of layout 'A'
  std::optional<KernelSource> total;  ///< combines what the groups found
  std::vector<RegionArray> arrays;
  std::vector<RegionReduction> reductions;
};

/// What a region did on one device.
struct RegionUse {
  Device device;
  int64_t launches = 0;
  int64_t bytes_to_device = 0;  ///< copied for it
  int64_t bytes_to_host = 0;    ///< copied back after it
};

/// Thread-safe.
class HITHER_EXPORT Region {
 public:
  explicit Region(RegionSource source);

  const RegionSource& source() const noexcept { return source_; }
  int64_t iterations(const int64_t* extents) const noexcept;
  /// Runs the region over `extents`, one number a dimension, on `queue`; blocks until its results
  /// can be used by the host, which stay in USM where the device cannot reach the host's memory.
  /// The arrays are reachable. Throws Error.
  void launch(const Queue& queue, const int64_t* extents, uint64_t* slots);
  /// Compiles for the device of `queue`. Throws Error kCompile.
  void compile_for(const Queue& queue);

  void note_moved(const Queue& queue, int64_t to_device, int64_t to_host);
  std::vector<RegionUse> uses() const;
  /// Text of the kernel that runs the iterations, for this machine's CPU.
  std::string inspect(Inspection what) const { return launch::inspect(body_, what); }

 private:
  RegionUse& use_on(const Queue& queue);  ///< with the mutex locked
  Specialisation& body_for(const uint64_t* slots);
  bool rows_are_dense(const uint64_t* slots) const noexcept;
  bool arrays_overlap(const uint64_t* slots) const noexcept;
  std::vector<Memory> read_first(const Queue& queue, uint64_t* slots) const;
  void reduce(const Queue& queue, int64_t items, uint64_t* slots);
  void submit(Specialisation& kernel, const Queue& queue, const NdRange& range,
              const uint64_t* slots);

  const RegionSource source_;
  Specialisation body_;
  std::optional<Specialisation> dense_;
  std::optional<Specialisation> total_;
  // Where code was promised that what is written is reached by one name alone: the same without the
  // promise, for calls that pass arrays which overlap.
  std::optional<Specialisation> body_of_overlapping_;
  std::optional<Specialisation> dense_of_overlapping_;
  mutable std::mutex mutex_;
  std::vector<RegionUse> uses_;
};

/// Makes a region known under `id`, a hash of its content; again under the same one has no effect.
/// Regions live as long as the process, as the code does that Numba compiles. Thread-safe.
/// Returns the region that is known under the id now. Throws Error kCompile if that is another one.
HITHER_EXPORT Region& register_region(int64_t id, RegionSource source);
/// Null for an id that nobody registered.
HITHER_EXPORT Region* find_region(int64_t id);

}  // namespace hither::launch
