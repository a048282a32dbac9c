// CUDA kernels from PTX and cubins, and their launches.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "drivers/cuda/native_context.h"
#include "drivers/cuda/repeated_launch.h"
#include "runtime/kernel_state.h"

namespace hither::drivers::cuda {

// Parameters, dimensions and blocks are as target/code_image.h describes for CUDA devices: the
// parameters of the signature, then the error record, then, without groups, the sizes of the range.

/// A kernel in one device's context. Its module is retired with it (NativeContext::retire).
class LoadedFunction {
 public:
  /// Error kCompile with the log of the driver's compiler, kUnsupported, kDevice.
  LoadedFunction(std::shared_ptr<NativeContext> context, const target::CodeImage& image);
  ~LoadedFunction();
  LoadedFunction(const LoadedFunction&) = delete;
  LoadedFunction& operator=(const LoadedFunction&) = delete;

  /// `report` is the address of the launch's error record, or null. Launches into one stream must
  /// be serialised. Error kValue if the grid has more groups than the device supports.
  void launch(CUstream stream, const target::CodeImage& image, const NdRange& range,
              std::span<const std::byte> arguments, void* report) const;

 private:
  void load(const target::CodeImage& image);

  const std::shared_ptr<NativeContext> context_;
  const bool is_packed_;
  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
  int64_t block_items_ = 256;  ///< of launches without a local size
  int64_t resident_ = 0;       ///< threads that the device runs at once

  /// The RepeatedLaunch of a stream; null if there are too many streams.
  RepeatedLaunch* repeated_in(CUstream stream) const;
  struct InStream {
    CUstream stream;
    std::unique_ptr<RepeatedLaunch> launch;
  };
  mutable process::SpinLock repeated_lock_;  ///< protects repeated_, but not its elements
  mutable std::vector<InStream> repeated_;
};

struct CudaKernel final : runtime::KernelState {
  /// One for each device of the context.
  std::vector<std::unique_ptr<const LoadedFunction>> functions;
};

}  // namespace hither::drivers::cuda
