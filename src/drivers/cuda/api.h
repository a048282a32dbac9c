// The part of CUDA's driver API that hither uses. It is declared here from the documented ABI, so
// that the build needs no toolkit; libcuda is opened at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace hither::drivers::cuda {

// The names are CUDA's, so that its documentation can be searched for them.
using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;  // NOLINT(google-runtime-int)
using CUcontext = struct CUctx*;
using CUmodule = struct CUmod*;
using CUfunction = struct CUfunc*;
using CUstream = struct CUstr*;
using CUevent = struct CUev*;
using CUmemoryPool = struct CUpool*;
using CUgraph = struct CUgr*;
using CUgraphNode = struct CUgrn*;
using CUgraphExec = struct CUgre*;

struct CUuuid {
  unsigned char bytes[16];
};
struct CUmemLocation {
  int type;
  int id;
};
struct CUmemPoolProps {
  int alloc_type;
  int handle_types;
  CUmemLocation location;
  void* win32_security_attributes;
  size_t max_size;
  unsigned short usage;  // NOLINT(google-runtime-int)
  unsigned char reserved[54];
};
static_assert(sizeof(CUmemPoolProps) == 88);
struct CUmemAccessDesc {
  CUmemLocation location;
  int flags;
};

/// CUDA_KERNEL_NODE_PARAMS: a launch, as cuLaunchKernel takes it.
struct CUkernelNode {
  CUfunction function;
  unsigned grid[3];
  unsigned block[3];
  unsigned local_bytes;
  void** parameters;
  void** extra;
  void* kernel;  ///< instead of the function
  CUcontext context;
};
static_assert(sizeof(CUkernelNode) == 72);

// The results that hither distinguishes.
inline constexpr CUresult kSuccess = 0, kInvalidValue = 1, kOutOfMemory = 2, kDeinitialized = 4,
                          kNoDevice = 100, kInvalidImage = 200, kNoBinaryForGpu = 209,
                          kEccUncorrectable = 214, kInvalidPtx = 218, kNvlinkUncorrectable = 220,
                          kJitCompilerNotFound = 221, kUnsupportedPtxVersion = 222,
                          kJitDisabled = 223, kContained = 226, kNotFound = 500, kNotReady = 600,
                          kIllegalAddress = 700, kLaunchTimeout = 702,
                          kPeerAccessAlreadyEnabled = 704, kContextIsDestroyed = 709, kAssert = 710,
                          kHardwareStackError = 714, kLaunchFailed = 719, kTensorMemoryLeak = 721,
                          kNotSupported = 801, kExternalDevice = 911, kUnknown = 999;

// Flags and attributes.
inline constexpr unsigned kStreamNonBlocking = 1, kEventBlockingSync = 1, kEventDisableTiming = 2,
                          kMemAttachGlobal = 1, kHostAllocPortable = 1;
/// CU_LAUNCH_PARAM_*: lets cuLaunchKernel take a buffer of packed parameters.
inline void* const kParameterBuffer = reinterpret_cast<void*>(1);
inline void* const kParameterBytes = reinterpret_cast<void*>(2);
inline void* const kParameterEnd = nullptr;
inline constexpr int kLocationDevice = 1, kAllocationPinned = 1, kAccessReadWrite = 3,
                     kPoolReleaseThreshold = 4, kPointerMemoryType = 2, kPointerIsManaged = 8,
                     kPointerDevice = 9, kPointerRangeStart = 11, kPointerRangeBytes = 12,
                     kPointerPool = 17, kHostMemory = 1, kFunctionMaxThreadsPerBlock = 0,
                     kFunctionSharedBytes = 1, kFunctionMaxDynamicSharedBytes = 8, kJitInfoLog = 3,
                     kJitInfoLogBytes = 4, kJitErrorLog = 5, kJitErrorLogBytes = 6;

/// CUdevice_attribute.
enum DeviceAttribute : int {
  kMaxThreadsPerBlock = 1,
  kMaxBlockX = 2,
  kMaxBlockY = 3,
  kMaxBlockZ = 4,
  kMaxGridX = 5,
  kMaxGridY = 6,
  kMaxGridZ = 7,
  kTotalConstantMemory = 9,
  kWarpSize = 10,
  kClockRate = 13,
  kMultiprocessorCount = 16,
  kIntegrated = 18,
  kEccEnabled = 32,
  kMemoryClockRate = 36,
  kMemoryBusWidth = 37,
  kL2CacheBytes = 38,
  kMaxThreadsPerMultiprocessor = 39,
  kAsyncEngineCount = 40,
  kUnifiedAddressing = 41,
  kComputeCapabilityMajor = 75,
  kComputeCapabilityMinor = 76,
  kManagedMemory = 83,
  kHostNativeAtomics = 86,
  kPageableMemoryAccess = 88,
  kConcurrentManagedAccess = 89,
  kMaxSharedBytesPerBlockOptin = 97,
  kMemoryPoolsSupported = 115,
};

/// The oldest supported driver, 12.0, as CUDA encodes versions.
inline constexpr int kLeastVersion = 12000;

// clang-format off
/// Each function with the CUDA version of its declaration.
#define HITHER_CUDA_FUNCTIONS(F) \
  F(cuGetErrorName, 6000, (CUresult, const char**)) \
  F(cuGetErrorString, 6000, (CUresult, const char**)) \
  F(cuInit, 2000, (unsigned)) \
  F(cuDeviceGetCount, 2000, (int*)) \
  F(cuDeviceGet, 2000, (CUdevice*, int)) \
  F(cuDeviceGetName, 2000, (char*, int, CUdevice)) \
  F(cuDeviceGetUuid, 11040, (CUuuid*, CUdevice)) \
  F(cuDeviceGetPCIBusId, 4010, (char*, int, CUdevice)) \
  F(cuDeviceTotalMem, 3020, (size_t*, CUdevice)) \
  F(cuDeviceGetAttribute, 2000, (int*, int, CUdevice)) \
  F(cuDeviceCanAccessPeer, 4000, (int*, CUdevice, CUdevice)) \
  F(cuDevicePrimaryCtxRetain, 7000, (CUcontext*, CUdevice)) \
  F(cuDevicePrimaryCtxRelease, 11000, (CUdevice)) \
  F(cuCtxCreate, 3020, (CUcontext*, unsigned, CUdevice)) \
  F(cuCtxDestroy, 4000, (CUcontext)) \
  F(cuCtxGetCurrent, 4000, (CUcontext*)) \
  F(cuCtxSetCurrent, 4000, (CUcontext)) \
  F(cuCtxPushCurrent, 4000, (CUcontext)) \
  F(cuCtxPopCurrent, 4000, (CUcontext*)) \
  F(cuCtxSynchronize, 2000, ()) \
  F(cuCtxEnablePeerAccess, 4000, (CUcontext, unsigned)) \
  F(cuStreamCreate, 2000, (CUstream*, unsigned)) \
  F(cuStreamDestroy, 4000, (CUstream)) \
  F(cuStreamQuery, 2000, (CUstream)) \
  F(cuStreamSynchronize, 2000, (CUstream)) \
  F(cuStreamWaitEvent, 3020, (CUstream, CUevent, unsigned)) \
  F(cuEventCreate, 2000, (CUevent*, unsigned)) \
  F(cuEventDestroy, 4000, (CUevent)) \
  F(cuEventRecord, 2000, (CUevent, CUstream)) \
  F(cuEventQuery, 2000, (CUevent)) \
  F(cuEventSynchronize, 2000, (CUevent)) \
  F(cuEventElapsedTime, 2000, (float*, CUevent, CUevent)) \
  F(cuMemGetInfo, 3020, (size_t*, size_t*)) \
  F(cuMemFree, 3020, (CUdeviceptr)) \
  F(cuMemAllocManaged, 6000, (CUdeviceptr*, size_t, unsigned)) \
  F(cuMemHostAlloc, 2020, (void**, size_t, unsigned)) \
  F(cuMemFreeHost, 2000, (void*)) \
  F(cuMemPoolCreate, 11020, (CUmemoryPool*, const CUmemPoolProps*)) \
  F(cuMemPoolDestroy, 11020, (CUmemoryPool)) \
  F(cuMemPoolSetAttribute, 11020, (CUmemoryPool, int, void*)) \
  F(cuMemPoolSetAccess, 11020, (CUmemoryPool, const CUmemAccessDesc*, size_t)) \
  F(cuMemPoolTrimTo, 11020, (CUmemoryPool, size_t)) \
  F(cuMemAllocFromPoolAsync, 11020, (CUdeviceptr*, size_t, CUmemoryPool, CUstream)) \
  F(cuMemFreeAsync, 11020, (CUdeviceptr, CUstream)) \
  F(cuMemcpyAsync, 4000, (CUdeviceptr, CUdeviceptr, size_t, CUstream)) \
  F(cuMemsetD8Async, 3020, (CUdeviceptr, unsigned char, size_t, CUstream)) \
  F(cuMemsetD16Async, 3020, (CUdeviceptr, unsigned short, size_t, CUstream)) \
  F(cuMemsetD32Async, 3020, (CUdeviceptr, unsigned, size_t, CUstream)) \
  F(cuMemsetD2D8Async, 3020, (CUdeviceptr, size_t, unsigned char, size_t, size_t, CUstream)) \
  F(cuMemPrefetchAsync, 8000, (CUdeviceptr, size_t, CUdevice, CUstream)) \
  F(cuPointerGetAttributes, 7000, (unsigned, int*, void**, CUdeviceptr)) \
  F(cuModuleLoadDataEx, 2010, (CUmodule*, const void*, unsigned, int*, void**)) \
  F(cuModuleUnload, 2000, (CUmodule)) \
  F(cuModuleGetFunction, 2000, (CUfunction*, CUmodule, const char*)) \
  F(cuFuncGetAttribute, 2020, (int*, int, CUfunction)) \
  F(cuFuncSetAttribute, 9000, (CUfunction, int, int)) \
  F(cuOccupancyMaxPotentialBlockSize, 6050, \
    (int*, int*, CUfunction, size_t (*)(int), size_t, int)) \
  F(cuLaunchKernel, 4000, (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, \
                           unsigned, unsigned, CUstream, void**, void**)) \
  F(cuGraphCreate, 10000, (CUgraph*, unsigned)) \
  F(cuGraphDestroy, 10000, (CUgraph)) \
  F(cuGraphAddKernelNode, 12000, (CUgraphNode*, CUgraph, const CUgraphNode*, size_t, \
                                  const CUkernelNode*)) \
  F(cuGraphInstantiateWithFlags, 11040, (CUgraphExec*, CUgraph, uint64_t)) \
  F(cuGraphExecDestroy, 10000, (CUgraphExec)) \
  F(cuGraphExecKernelNodeSetParams, 12000, (CUgraphExec, CUgraphNode, const CUkernelNode*)) \
  F(cuGraphLaunch, 10000, (CUgraphExec, CUstream))
// clang-format on

/// The functions of libcuda, which is opened once and never closed.
struct Api {
  /// Null if libcuda is absent, too old, or finds no GPU; absence() then gives the reason.
  static const Api* process();
  static const std::string& absence();

#define HITHER_CUDA_MEMBER(name, version, parameters) CUresult(*name) parameters = nullptr;
  HITHER_CUDA_FUNCTIONS(HITHER_CUDA_MEMBER)
#undef HITHER_CUDA_MEMBER
  int version = 0;  ///< of the driver, as CUDA encodes it: 12020 for 12.2
};

inline CUdeviceptr address_of(const void* data) noexcept {
  return reinterpret_cast<uintptr_t>(data);
}

/// "12.2" for 12020.
std::string version_text(int version);

}  // namespace hither::drivers::cuda
