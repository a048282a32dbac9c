// One argument of a kernel call, as a front end found it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <hither/array.h>
#include <hither/dims.h>
#include <hither/dtype.h>
#include <hither/queue.h>

namespace hither::launch {

enum class ArgumentKind : uint8_t {
  kScalar,
  kArray,  ///< an array of hither
  kUsm,    ///< USM of another library, from __sycl_usm_array_interface__
  kHost,   ///< plain host memory
  kLocal,  ///< local memory, which each work-group allocates
};

/// Non-owning: the referenced objects must live until the launch returns. `kind` determines the
/// members in use: kScalar has `number`; kArray has `array`; kLocal has `shape`; the others have
/// `data`, `shape` and `strides`. A record is kScalar with `data`, or kHost of dtype uint8 with
/// `record`.
struct Argument {
  ArgumentKind kind = ArgumentKind::kScalar;
  DType dtype = DType::kBool;
  bool read_only = false;
  uint16_t symbol = 0;        ///< Scalar::symbol() of a number
  uint32_t record = 0;        ///< the front end's number of a record type; 0 for none
  uint32_t record_bytes = 0;  ///< size of one record
  UsmType usm_type = UsmType::kDevice;
  alignas(16) unsigned char number[16] = {};
  const Array* array = nullptr;
  void* data = nullptr;  ///< address of the element at index 0, 0, ...
  const Dims* shape = nullptr;
  const Dims* strides = nullptr;  ///< in elements for kUsm, in bytes for kHost
  const Queue* queue = nullptr;   ///< set for kUsm
  std::string_view type_name;     ///< for messages: "numpy.ndarray"

  bool is_array() const noexcept {
    return kind != ArgumentKind::kScalar && kind != ArgumentKind::kLocal;
  }
  int64_t item_bytes() const noexcept { return record ? record_bytes : size_of(dtype); }
};

/// Type of an argument. Calls with equal argument types share compiled code.
struct ArgumentType {
  DType dtype = DType::kBool;
  int8_t rank = -1;        ///< -1 for a scalar
  bool contiguous = true;  ///< C order
  bool read_only = false;
  bool aligned = true;  ///< aligned to its dtype
  bool local = false;   ///< local memory
  uint32_t record = 0;  ///< as in Argument

  uint64_t word() const noexcept {
    return static_cast<uint64_t>(dtype) | static_cast<uint64_t>(rank + 1) << 8 |
           static_cast<uint64_t>(contiguous) << 16 | static_cast<uint64_t>(read_only) << 17 |
           static_cast<uint64_t>(aligned) << 18 | static_cast<uint64_t>(local) << 19 |
           static_cast<uint64_t>(record) << 32;
  }
  static ArgumentType from_word(uint64_t word) noexcept {
    return {static_cast<DType>(word & 0xff),
            static_cast<int8_t>(((word >> 8) & 0xff) - 1),
            (word >> 16 & 1) != 0,
            (word >> 17 & 1) != 0,
            (word >> 18 & 1) != 0,
            (word >> 19 & 1) != 0,
            static_cast<uint32_t>(word >> 32 & 0x7fffffff)};
  }
};

/// Encodes how a call's parameters nest when some are tuples: one token per parameter, in order,
/// and after a tuple's token those of its items. A leaf is one Argument. Tokens have the highest
/// bit set, which argument types never have.
struct NestingToken {
  static constexpr uint64_t kMark = uint64_t{1} << 63;
  static constexpr uint64_t kLeaf = kMark;
  /// `tuple_class` is the front end's number of a named-tuple class, 0 for plain tuples.
  static constexpr uint64_t tuple(uint32_t items, uint32_t tuple_class) noexcept {
    return kMark | uint64_t{1} << 62 | static_cast<uint64_t>(tuple_class) << 32 | items;
  }
  static constexpr bool is_tuple(uint64_t token) noexcept { return (token >> 62 & 1) != 0; }
  static constexpr uint32_t items(uint64_t token) noexcept { return static_cast<uint32_t>(token); }
  /// The index after the parameter or item that starts at `at`.
  static constexpr size_t end_of(std::span<const uint64_t> tokens, size_t at) noexcept {
    size_t end = at + 1;
    if (is_tuple(tokens[at]))
      for (uint32_t i = 0; i < items(tokens[at]); ++i) end = end_of(tokens, end);
    return end;
  }
  static constexpr uint32_t tuple_class(uint64_t token) noexcept {
    return static_cast<uint32_t>(token >> 32 & 0x3fffffff);
  }
};

}  // namespace hither::launch
