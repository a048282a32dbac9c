// The data structures of DLPack 1.1, which other array libraries exchange memory in.
// https://dmlc.github.io/dlpack/latest/c_api.html
#pragma once

#include <cstdint>

namespace hither::python::dlpack {

inline constexpr uint32_t kMajorVersion = 1;
inline constexpr uint32_t kMinorVersion = 1;
inline constexpr uint64_t kReadOnly = 1;
inline constexpr uint64_t kIsCopied = 2;

enum DeviceType : int32_t {
  kCpu = 1,
  kCuda = 2,
  kCudaHost = 3,
  kCudaManaged = 13,
  kOneApi = 14,
};

struct Device {
  int32_t device_type;
  int32_t device_id;
  friend bool operator==(const Device&, const Device&) = default;
};

enum TypeCode : uint8_t {
  kInt = 0,
  kUInt = 1,
  kFloat = 2,
  kBFloat = 4,
  kComplex = 5,
  kBool = 6,
  kFloat8E4M3FN = 10,
  kFloat8E5M2 = 12
};

struct DataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct Tensor {
  void* data;
  Device device;
  int32_t ndim;
  DataType dtype;
  int64_t* shape;
  int64_t* strides;  // in elements; null when C-contiguous
  uint64_t byte_offset;
};

struct ManagedTensor {
  Tensor tensor;
  void* manager_ctx;
  void (*deleter)(ManagedTensor* self);
};

struct ManagedTensorVersioned {
  struct {
    uint32_t major, minor;
  } version;
  void* manager_ctx;
  void (*deleter)(ManagedTensorVersioned* self);
  uint64_t flags;
  Tensor tensor;
};

/// The table that extensions exchange tensors by, since DLPack 1.3.
struct ExchangeTable {
  struct {
    uint32_t major, minor;
  } version;
  void* previous;  // a table of an older major version
  int (*allocate)(Tensor* like, ManagedTensorVersioned** out, void* error_context,
                  void (*set_error)(void* error_context, const char* kind, const char* message));
  int (*from_object)(void* object, ManagedTensorVersioned** out);
  int (*to_object)(ManagedTensorVersioned* tensor, void** out);
  int (*view_of_object)(void* object, Tensor* out);
  int (*current_stream)(DeviceType device_type, int32_t device_id, void** out);
};

inline constexpr uint32_t kExchangeMinorVersion = 3;
inline constexpr const char* kExchangeName = "dlpack_exchange_api";
inline constexpr const char* kName = "dltensor";
inline constexpr const char* kUsedName = "used_dltensor";
inline constexpr const char* kVersionedName = "dltensor_versioned";
inline constexpr const char* kUsedVersionedName = "used_dltensor_versioned";

}  // namespace hither::python::dlpack
