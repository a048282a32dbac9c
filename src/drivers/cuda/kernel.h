// PTX and cubins as kernels of CUDA, and their launches.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "drivers/cuda/native_context.h"
#include "runtime/kernel_state.h"

namespace hither::drivers::cuda {

// What this driver does with an image, PTX or a cubin of the target's architecture:
//
// Parameters of the entry, in order: those of the signature, one each, as target/code_image.h says
// for SPIR-V, but for kLocalBytes: an i64, the offset of that memory, a multiple of 16, in the
// group's dynamic shared memory. Where the image does not use groups, three i64 follow: the sizes
// of the range, in the device's order x, y, z. When the image reports errors one more follows: the
// address of an ErrorRecord of zeros in pinned host memory.
//
// Dimensions go as code_image.h says: the device's 0, x, is the fastest, ours the slowest.
//
// A kernel without groups is launched over as many blocks as the device takes, the last of them not
// full: in each dimension its entry visits the items from its own global id on, in steps of the
// grid's size, as long as they are less than the range's. One with groups has a block for each.

/// A kernel in one device's context. The module is unloaded with it, once no launch can be left.
class LoadedFunction {
 public:
  /// Error kCompile with the log of the driver's compiler, kUnsupported, kDevice.
  LoadedFunction(std::shared_ptr<NativeContext> context, const target::CodeImage& image);
  ~LoadedFunction();
  LoadedFunction(const LoadedFunction&) = delete;
  LoadedFunction& operator=(const LoadedFunction&) = delete;

  /// `report` is the address of the launch's error record, or null. Error kValue when the grid has
  /// more groups than the device takes.
  void launch(CUstream stream, const target::CodeImage& image, const NdRange& range,
              std::span<const std::byte> arguments, void* report) const;

 private:
  void load(const target::CodeImage& image);

  const std::shared_ptr<NativeContext> context_;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
  int64_t block_items_ = 256;  ///< of launches that leave it to us
};

struct CudaKernel final : runtime::KernelState {
  /// One each device of the context.
  std::vector<std::unique_ptr<const LoadedFunction>> functions;
};

}  // namespace hither::drivers::cuda
