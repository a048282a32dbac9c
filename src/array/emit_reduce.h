// One stage of a reduction becomes a kernel module.
#pragma once

#include <string>

#include "array/cluster.h"
#include "array/combine.h"
#include "array/epilogue.h"
#include "array/kernel_call.h"
#include "array/reduce_plan.h"
#include "target/kernel_module.h"

namespace hither::array {

/// A stage and what it reduces; the cluster's outputs are stored on the way. With `pairs`, leaf 0
/// holds values and leaf 1 their indices: partial results of argmin or argmax.
struct ReduceKernel {
  const Cluster& cluster;
  Slot root;
  Combiner combiner;
  DType stored;  ///< dtype of the output; the accumulator's unless this is the last stage
  bool pairs = false;
  const ReduceStage& stage;
  const Cluster* then = nullptr;  ///< of the last stage: what is stored is made of its result

  bool stores_value() const noexcept { return !stage.last || !combiner.with_index(); }
  bool stores_index() const noexcept { return combiner.with_index(); }
  /// What the code depends on; no extents but small ones.
  void append_key(KeyText& key) const;
  /// Arguments after the results, in the order of the parameters; the cluster's outputs have their
  /// memory.
  void pack(KernelCall& call) const;
  NdRange range() const noexcept;
  int64_t bytes_read() const noexcept;
};

/// Parameters: address of the values stored, of the indices stored, of the cluster's outputs, the
/// producers', the epilogue's numbers, extents, strides.
target::KernelModule emit(const ReduceKernel& kernel);

}  // namespace hither::array
