// A scan's kernels: what their code depends on, and the code.
#pragma once

#include <string>

#include "array/emit/combine.h"
#include "target/kernel_module.h"

namespace hither::array {

enum class ScanPass : uint8_t {
  kTotals,      ///< stores what each chunk comes to, but for the last one
  kWhole,       ///< one chunk
  kFromPrefix,  ///< each chunk's running results, combined with what all chunks before come to
};

/// One kernel of a scan over an array in C order. Items: (outer, chunk, block of inner elements).
/// Parameters: result, x, (kFromPrefix: prefixes), extent along, extent inside, chunk.
struct ScanKernel {
  Accumulation accumulation;
  DType read, stored;
  ScanPass pass;
  bool across;   ///< lanes are inner elements side by side; else neighbours along the axis
  int lanes;     ///< a power of two
  bool initial;  ///< the result's axis starts with the sum (product) of nothing

  std::string key() const;
};

target::KernelModule emit(const ScanKernel& kernel);

}  // namespace hither::array
