// Sorts by kernels, on the CPU, against the library's. The groups of a pass look back at the counts
// of those before them.
#include <doctest/doctest.h>
#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/reduce.h>
#include <hither/sort.h>

#include <cstring>
#include <random>

#include "array/flush.h"
#include "array/plan/gpu_forms.h"

using namespace hither;
using namespace hither::array;

namespace {

/// Numbers with duplicates, of both signs, without a pattern of powers of two.
Array numbers(const Queue& queue, const Dims& shape, DType dtype) {
  const Array n = iota(shape.product(), 0, 1, DType::kInt64, {queue, UsmType::kDevice});
  return reshape(astype(remainder(n * 7919, 1009) - 500, dtype), shape);
}

bool same(const Array& x, const Array& y) {
  bool result = false;
  all(equal(x, y)).item(&result);
  return result && x.dtype() == y.dtype() && x.shape() == y.shape();
}

Array by_kernels(const Array& x, const SortOptions& options, bool indices) {
  const GpuForms forms;
  const Array sorted = indices ? argsort(x, options) : sort(x, options);
  submit(*sorted.storage()->value());
  return sorted;
}

std::vector<std::byte> bytes_of(const Array& x) {
  std::vector<std::byte> bytes(static_cast<size_t>(x.size() * x.itemsize()));
  to_host(x, bytes.data());
  return bytes;
}

/// Rows of random elements. Row r has a constant instead of each byte that is not in masks[r].
Array rows_of(const Queue& queue, DType dtype, const std::vector<uint32_t>& masks, int64_t length) {
  std::mt19937 random(29);
  const auto size = static_cast<size_t>(size_of(dtype));
  std::vector<uint8_t> bytes;
  for (const uint32_t mask : masks) {
    uint8_t constants[16];
    for (uint8_t& c : constants) c = static_cast<uint8_t>(random());
    for (int64_t i = 0; i < length; ++i)
      for (size_t b = 0; b < size; ++b)
        bytes.push_back((mask >> b) % 2 == 1 ? static_cast<uint8_t>(random()) : constants[b]);
  }
  const auto rows = static_cast<int64_t>(masks.size()), step = static_cast<int64_t>(size);
  return from_host(bytes.data(), {rows, length}, {length * step, step}, dtype,
                   {queue, UsmType::kDevice});
}

/// Which bytes of a row's elements differ: every set of up to four bytes. Of more bytes: each one,
/// the first and the last, and sets with which passes of either parity remain.
std::vector<uint32_t> masks_of(int size) {
  if (size == 16)
    return {0,      0x0001, 0x0040, 0x0100, 0x8000, 0x8001, 0x00ff, 0xff00,
            0x0f80, 0x5555, 0x7fff, 0xfffe, 0xffff, 0x8100, 0x0007};
  if (size == 8)
    return {0,    0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x81, 0x03, 0xc0,
            0x18, 0x61, 0x2a, 0x55, 0xaa, 0x7f, 0xfe, 0xff, 0x0f, 0xf0, 0x07, 0x83};
  std::vector<uint32_t> masks(size_t{1} << size);
  for (uint32_t m = 0; m < masks.size(); ++m) masks[m] = m * 7 % masks.size();
  return masks;
}

void check_bits(const Array& x, const SortOptions& options) {
  CHECK(bytes_of(by_kernels(x, options, false)) == bytes_of(sort(x, options)));
  CHECK(bytes_of(by_kernels(x, options, true)) == bytes_of(argsort(x, options)));
}

}  // namespace

TEST_CASE("sorts by kernels equal those of the library") {
  const Queue queue("native_cpu");
  const Dims shapes[] = {{1}, {2}, {255}, {6912}, {6913}, {60'001}, {700, 3}, {33, 120}, {3, 4000}};
  bool descending = false;
  for (DType t : {DType::kBool, DType::kInt8, DType::kFloat16, DType::kUInt32, DType::kFloat32,
                  DType::kInt64, DType::kComplex64, DType::kComplex128}) {
    descending = !descending;  // one order a dtype: the kernels compile slowly on CPUs
    for (const Dims& shape : shapes) {
      CAPTURE(name_of(t));
      CAPTURE(shape[0]);
      CAPTURE(descending);
      const Array x = numbers(queue, shape, t);
      const SortOptions options{.descending = descending};
      CHECK(same(by_kernels(x, options, false), sort(x, options)));
      CHECK(same(by_kernels(x, options, true), argsort(x, options)));
    }
  }
}

TEST_CASE("a sort by kernels of no elements") {
  const Queue queue("native_cpu");
  CHECK(by_kernels(numbers(queue, {4, 0}, DType::kInt32), {}, false).shape() == Dims{4, 0});
}

TEST_CASE("passes that a row does not need") {
  const Queue queue("native_cpu");
  bool descending = false;
  for (DType t : {DType::kInt8, DType::kUInt8, DType::kInt16, DType::kUInt16, DType::kFloat16,
                  DType::kInt32, DType::kUInt32, DType::kFloat32, DType::kInt64, DType::kUInt64,
                  DType::kFloat64, DType::kComplex64, DType::kComplex128}) {
    descending = !descending;
    CAPTURE(name_of(t));
    const int size = size_of(t);
    const Array x = rows_of(queue, t, masks_of(size), size == 16 ? 2500 : size == 8 ? 4300 : 7000);
    check_bits(x, {.descending = descending});
  }
}

TEST_CASE("digits that short rows do not need") {
  const Queue queue("native_cpu");
  for (DType t : {DType::kInt64, DType::kUInt64, DType::kFloat64})
    for (int64_t length : {4000, 2000, 3}) {
      CAPTURE(name_of(t));
      CAPTURE(length);
      const bool descending = length == 2000;
      check_bits(rows_of(queue, t, masks_of(8), length), {.descending = descending});
    }
}

TEST_CASE("few numbers by kernels") {
  const Queue queue("native_cpu");
  const Array n = iota(30'000, 0, 1, DType::kInt64, {queue, UsmType::kDevice});
  const Array few = remainder(n * 7919, 100);
  for (const bool descending : {false, true}) {
    CAPTURE(descending);
    check_bits(few, {.descending = descending});
    check_bits(few - 50, {.descending = descending});
    check_bits(few * 0 + 7, {.descending = descending});
    check_bits(n, {.descending = descending});
    const Array numbers = astype(remainder(n * 7919, 5) - 2, DType::kFloat32);
    check_bits(numbers, {.descending = descending});
    check_bits(numbers * 0, {.descending = descending});  // zeros of both signs
    check_bits(numbers / 0, {.descending = descending});  // NaN and infinities
  }
}
