#include "array/strided_copy.h"

#include <cstring>

namespace hither::array {
namespace {

template <int64_t Size>
void copy_row(char* to, int64_t to_step, const char* from, int64_t from_step,
              int64_t count) noexcept {
  for (int64_t i = 0; i < count; ++i) std::memcpy(to + i * to_step, from + i * from_step, Size);
}

void copy_row(char* to, int64_t to_step, const char* from, int64_t from_step, int64_t count,
              int64_t size) noexcept {
  if (to_step == size && from_step == size) {
    std::memcpy(to, from, static_cast<size_t>(count * size));
    return;
  }
  switch (size) {
    case 1:
      return copy_row<1>(to, to_step, from, from_step, count);
    case 2:
      return copy_row<2>(to, to_step, from, from_step, count);
    case 4:
      return copy_row<4>(to, to_step, from, from_step, count);
    case 8:
      return copy_row<8>(to, to_step, from, from_step, count);
    case 16:
      return copy_row<16>(to, to_step, from, from_step, count);
    default:  // records
      for (int64_t i = 0; i < count; ++i)
        std::memcpy(to + i * to_step, from + i * from_step, static_cast<size_t>(size));
  }
}

}  // namespace

void strided_copy(void* to, const Dims& to_strides, const void* from, const Dims& from_strides,
                  const Dims& shape, int64_t size) noexcept {
  auto* out = static_cast<char*>(to);
  auto* in = static_cast<const char*>(from);
  const int last = shape.size() - 1;
  if (last < 0) {
    std::memcpy(out, in, static_cast<size_t>(size));
    return;
  }
  if (shape.product() == 0) return;
  Dims index(last + 1, 0);
  for (;;) {
    copy_row(out, to_strides[last], in, from_strides[last], shape[last], size);
    int d = last - 1;
    for (; d >= 0; --d) {
      out += to_strides[d];
      in += from_strides[d];
      if (++index[d] < shape[d]) break;
      out -= to_strides[d] * shape[d];
      in -= from_strides[d] * shape[d];
      index[d] = 0;
    }
    if (d < 0) return;
  }
}

}  // namespace hither::array
