// The environment variables that hither's C++ code reads. No other code calls getenv().
// docs/environment.md describes them for users, together with those that Python reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <hither/export.h>

namespace hither::process {

namespace variable {

/// Filter string of the default device.
inline constexpr char kDevice[] = "HITHER_DEVICE";
/// Any value except "" and "0": every array operation runs at the call.
inline constexpr char kEager[] = "HITHER_EAGER";
/// "1": host code is refused access to device USM, on CPUs as well.
inline constexpr char kStrictUsm[] = "HITHER_STRICT_USM";
/// "races": kernels are simulated, and their data races are errors.
inline constexpr char kCheck[] = "HITHER_CHECK";

/// "0": the driver is not loaded.
inline constexpr char kCuda[] = "HITHER_CUDA";
inline constexpr char kSycl[] = "HITHER_SYCL";
/// "1": the null device, which records commands and runs no kernels, is listed.
inline constexpr char kNullDevice[] = "HITHER_NULL_DEVICE";

/// Folder of CUDA's libraries (cuBLAS and others); no other folder is searched.
inline constexpr char kCudaLibraries[] = "HITHER_CUDA_LIBRARIES";
/// File of libdevice, the mathematical functions that PTX code is linked with.
inline constexpr char kLibdevice[] = "HITHER_LIBDEVICE";
/// File of a BLAS library for native_cpu; it is tried first.
inline constexpr char kOpenBlas[] = "HITHER_OPENBLAS";
/// "0": products on SYCL devices do not use oneMKL.
inline constexpr char kOneMkl[] = "HITHER_ONEMKL";

/// "1": tasks are ranges in the profilers of others also while no profile runs.
inline constexpr char kRanges[] = "HITHER_RANGES";

/// "never" or "always": whether kernels for native_cpu mask the items that have left a loop, in
/// place of an estimate. For tests.
inline constexpr char kMaskedLoops[] = "HITHER_MASKED_LOOPS";

/// The most memory of each device that this process uses: bytes, or a per cent of the memory.
inline constexpr char kMemoryLimit[] = "HITHER_MEMORY_LIMIT";
/// Bytes of unused memory that a pool of native_cpu keeps.
inline constexpr char kPoolLimit[] = "HITHER_POOL_LIMIT";
/// Folder of the disk cache, its largest size in bytes, and "0" to do without it.
inline constexpr char kCacheDir[] = "HITHER_CACHE_DIR";
inline constexpr char kCacheSize[] = "HITHER_CACHE_SIZE";
inline constexpr char kDiskCache[] = "HITHER_DISK_CACHE";

/// Variables of the system and of other software.
inline constexpr char kHome[] = "HOME";
inline constexpr char kXdgCacheHome[] = "XDG_CACHE_HOME";
inline constexpr char kCudaHome[] = "CUDA_HOME";
inline constexpr char kCudaPath[] = "CUDA_PATH";
inline constexpr char kOclIcdFilenames[] = "OCL_ICD_FILENAMES";
inline constexpr char kOclIcdVendors[] = "OCL_ICD_VENDORS";

}  // namespace variable

/// The value of `variable`, empty where it is unset. Valid until the program changes the variable.
HITHER_EXPORT std::string_view environment(const char* variable) noexcept;

/// The whole number that `variable` holds; nothing where it is unset or empty. Throws Error kValue,
/// which names the variable, where it holds anything else.
HITHER_EXPORT std::optional<uint64_t> number_in_environment(const char* variable);

/// The bytes that `variable` holds as "1000", "64K", "64M", "64G" or "50%", a per cent of `whole`;
/// nothing where it is unset or empty. Throws Error kValue likewise, also for 0.
HITHER_EXPORT std::optional<uint64_t> size_in_environment(const char* variable, uint64_t whole);

}  // namespace hither::process
