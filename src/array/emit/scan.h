// The kernels of a scan in chunks: their forms and their code.
#pragma once

#include <string>

#include "array/emit/combine.h"
#include "array/emit/scan_operand.h"
#include "target/kernel_module.h"

namespace hither::array {

enum class ScanPass : uint8_t {
  kTotals,      ///< stores the total of each chunk but the last
  kWhole,       ///< there is only one chunk
  kFromPrefix,  ///< computes each chunk's running results, combined with the total of all chunks
                ///< before it
};

/// One kernel of a scan over an array in C order. Items: (outer, chunk, block of inner elements).
/// Parameters: result, those of ScanOperand, (kFromPrefix: prefixes), extent along the axis, inner
/// extent, chunk length.
struct ScanKernel {
  Accumulation accumulation;
  DType read, stored;
  ScanPass pass;
  bool across;   ///< lanes are consecutive inner elements; else consecutive elements along the axis
  int lanes;     ///< a power of two
  bool initial;  ///< the result's axis starts with the result for no elements
  ScanProducers producers = {};

  std::string key() const;
};

target::KernelModule emit(const ScanKernel& kernel);

}  // namespace hither::array
