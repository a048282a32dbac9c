// Numbers as operands of operations.
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <llvm/ADT/APFloat.h>

#include <hither/array.h>

namespace hither {

namespace {

template <typename T>
bool integer_fits(Scalar::Kind kind, int64_t bits) {
  using Limits = std::numeric_limits<T>;
  if (kind == Scalar::Kind::kUInt)
    return static_cast<uint64_t>(bits) <= static_cast<uint64_t>(Limits::max());
  if constexpr (std::is_unsigned_v<T>)
    return bits >= 0 && static_cast<uint64_t>(bits) <= Limits::max();
  else
    return bits >= Limits::min() && bits <= Limits::max();
}

bool integer_fits(DType t, Scalar::Kind kind, int64_t bits) {
  switch (t) {
    case DType::kInt8:
      return integer_fits<int8_t>(kind, bits);
    case DType::kInt16:
      return integer_fits<int16_t>(kind, bits);
    case DType::kInt32:
      return integer_fits<int32_t>(kind, bits);
    case DType::kInt64:
      return integer_fits<int64_t>(kind, bits);
    case DType::kUInt8:
      return integer_fits<uint8_t>(kind, bits);
    case DType::kUInt16:
      return integer_fits<uint16_t>(kind, bits);
    case DType::kUInt32:
      return integer_fits<uint32_t>(kind, bits);
    case DType::kUInt64:
      return integer_fits<uint64_t>(kind, bits);
    default:
      return true;
  }
}

uint16_t half_bits(double v) {
  llvm::APFloat f(v);
  bool loses = false;
  f.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven, &loses);
  return static_cast<uint16_t>(f.bitcastToAPInt().getZExtValue());
}

template <typename T>
void put(void* out, T v) {
  std::memcpy(out, &v, sizeof v);
}

template <typename T>
void put_pair(void* out, double re, double im) {
  const T parts[2] = {static_cast<T>(re), static_cast<T>(im)};
  std::memcpy(out, parts, sizeof parts);
}

// A float of at most 16 bits.
void put_narrow(void* out, DType t, double v) {
  if (t == DType::kFloat16)
    put(out, half_bits(v));
  else if (is_float8(t))
    put(out, static_cast<uint8_t>(bits_of_number(t, v)));
  else
    put(out, bits_of_number(t, v));
}

}  // namespace

DType Scalar::dtype() const noexcept {
  if (!weak_) return dtype_;
  switch (kind_) {
    case Kind::kBool:
      return DType::kBool;
    case Kind::kInt:
      return DType::kInt64;
    case Kind::kUInt:
      return integer_ < 0 ? DType::kUInt64 : DType::kInt64;
    case Kind::kFloat:
      return DType::kFloat64;
    case Kind::kComplex:
      return DType::kComplex128;
  }
  return DType::kFloat64;
}

double Scalar::real() const noexcept {
  switch (kind_) {
    case Kind::kBool:
    case Kind::kInt:
      return static_cast<double>(integer_);
    case Kind::kUInt:
      return static_cast<double>(static_cast<uint64_t>(integer_));
    default:
      return real_;
  }
}

bool Scalar::fits(DType t) const noexcept {
  if (kind_ == Kind::kComplex) return is_complex(t);
  if (is_integer(t)) {
    if (kind_ == Kind::kFloat) return false;
    return kind_ == Kind::kBool || integer_fits(t, kind_, integer_);
  }
  return t != DType::kBool || kind_ == Kind::kBool;
}

void Scalar::write(DType t, void* out) const {
  if (kind_ == Kind::kComplex && !is_complex(t))
    throw Error(
        ErrorKind::kType, "scalar",
        fmt::format("a complex number cannot become {}; take its real part first", name_of(t)));
  if (is_integer(t) && kind_ == Kind::kFloat)
    throw Error(ErrorKind::kType, "scalar",
                fmt::format("the floating-point number {} cannot become {}; round it, or cast the "
                            "array with astype",
                            real_, name_of(t)));
  if (is_integer(t) && kind_ != Kind::kBool && !integer_fits(t, kind_, integer_)) {
    const std::string text = kind_ == Kind::kUInt
                                 ? fmt::format("{}", static_cast<uint64_t>(integer_))
                                 : fmt::format("{}", integer_);
    throw Error(ErrorKind::kOverflow, "scalar",
                fmt::format("the integer {} does not fit {}; cast the array to a wider dtype first",
                            text, name_of(t)));
  }
  switch (t) {
    case DType::kBool:
      put<uint8_t>(out, kind_ >= Kind::kFloat ? (real_ != 0 || imag_ != 0) : integer_ != 0);
      break;
    case DType::kInt8:
    case DType::kUInt8:
      put(out, static_cast<uint8_t>(integer_));
      break;
    case DType::kInt16:
    case DType::kUInt16:
      put(out, static_cast<uint16_t>(integer_));
      break;
    case DType::kInt32:
    case DType::kUInt32:
      put(out, static_cast<uint32_t>(integer_));
      break;
    case DType::kInt64:
    case DType::kUInt64:
      put(out, integer_);
      break;
    case DType::kFloat16:
    case DType::kBFloat16:
    case DType::kFloat8E4M3FN:
    case DType::kFloat8E5M2:
      put_narrow(out, t, real());
      break;
    case DType::kFloat32:
      put(out, static_cast<float>(real()));
      break;
    case DType::kFloat64:
      put(out, real());
      break;
    case DType::kComplex64:
      put_pair<float>(out, real(), imag_);
      break;
    case DType::kComplex128:
      put_pair<double>(out, real(), imag_);
      break;
  }
}

}  // namespace hither
