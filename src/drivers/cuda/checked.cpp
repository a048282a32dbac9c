#include "drivers/cuda/checked.h"

#include <fmt/format.h>

namespace hither::drivers::cuda {
namespace {

ErrorKind kind_of(CUresult result) noexcept {
  switch (result) {
    case kOutOfMemory:
      return ErrorKind::kMemory;
    case kInvalidImage:
    case kInvalidPtx:
      return ErrorKind::kCompile;
    case kNotSupported:
    case kNoBinaryForGpu:
    case kUnsupportedPtxVersion:
    case kJitCompilerNotFound:
    case kJitDisabled:
      return ErrorKind::kUnsupported;
    default:
      return ErrorKind::kDevice;
  }
}

}  // namespace

const Api& api() noexcept { return *Api::process(); }

Error error_of(CUresult result, const char* call, const char* where) {
  const char* name = nullptr;
  const char* text = nullptr;
  api().cuGetErrorName(result, &name);
  api().cuGetErrorString(result, &text);
  return Error(
      kind_of(result), where,
      fmt::format("{} ({}) in {}: {}{}", name ? name : "unknown result", result, call,
                  text ? text : "unknown to this driver",
                  is_sticky(result) ? "; CUDA accepts no more work from this process, and the "
                                      "contents of its GPU memory are lost"
                                    : ""),
      result);
}

bool is_sticky(CUresult result) noexcept {
  switch (result) {
    case kEccUncorrectable:
    case kNvlinkUncorrectable:
    case kContained:
    case kIllegalAddress:
    case kLaunchTimeout:
    case kContextIsDestroyed:
    case kAssert:
    case kTensorMemoryLeak:
    case kExternalDevice:
    case kUnknown:
      return true;
    default:
      return result >= kHardwareStackError && result <= kLaunchFailed;
  }
}

}  // namespace hither::drivers::cuda
