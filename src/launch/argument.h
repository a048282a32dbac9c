// One argument of a call of a kernel, as a front end found it.
#pragma once

#include <cstdint>
#include <string_view>

#include <hither/array.h>
#include <hither/dims.h>
#include <hither/dtype.h>
#include <hither/queue.h>

namespace hither::launch {

enum class ArgumentKind : uint8_t {
  kScalar,
  kArray,  ///< hither's own array
  kUsm,    ///< USM of someone else, by __sycl_usm_array_interface__
  kHost,   ///< plain host memory
};

/// Non-owning: what it points to must live until the launch returns. Which members count depends on
/// `kind`: kScalar has `number`; kArray has `array`; the others have `data`, `shape` and `strides`.
struct Argument {
  ArgumentKind kind = ArgumentKind::kScalar;
  DType dtype = DType::kBool;
  bool read_only = false;
  UsmType usm_type = UsmType::kDevice;
  alignas(16) unsigned char number[16] = {};
  const Array* array = nullptr;
  void* data = nullptr;  ///< of the element at index 0, 0, ...
  const Dims* shape = nullptr;
  const Dims* strides = nullptr;  ///< in elements for kUsm, in bytes for kHost
  const Queue* queue = nullptr;   ///< of kUsm
  std::string_view type_name;     ///< for messages: "numpy.ndarray"

  bool is_array() const noexcept { return kind != ArgumentKind::kScalar; }
};

/// Type of an argument: calls whose types agree share compiled code.
struct ArgumentType {
  DType dtype = DType::kBool;
  int8_t rank = -1;        ///< -1 for a scalar
  bool contiguous = true;  ///< C order
  bool read_only = false;
  bool aligned = true;  ///< to its dtype

  uint64_t word() const noexcept {
    return static_cast<uint64_t>(dtype) | static_cast<uint64_t>(rank + 1) << 8 |
           static_cast<uint64_t>(contiguous) << 16 | static_cast<uint64_t>(read_only) << 17 |
           static_cast<uint64_t>(aligned) << 18;
  }
  static ArgumentType from_word(uint64_t word) noexcept {
    return {static_cast<DType>(word & 0xff), static_cast<int8_t>(((word >> 8) & 0xff) - 1),
            (word >> 16 & 1) != 0, (word >> 17 & 1) != 0, (word >> 18 & 1) != 0};
  }
};

/// Whether strides, counted in units of `step`, are those of C order. Axes of extent 1 do not
/// count; an empty array is contiguous.
bool is_c_order(const Dims& shape, const Dims& strides, int64_t step) noexcept;

}  // namespace hither::launch
