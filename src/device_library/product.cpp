// Matrix products for devices with groups and local memory: hither_product_TYPE_B. An item computes
// B x B elements of the result, and a group of 16 x 16 items a square of them.
//
// Both operands' next tiles are loaded into registers while the previous ones are multiplied (V.
// Volkov, J. Demmel: Benchmarking GPUs to tune dense linear algebra; SC08). Integers wrap around.
// float16 and bfloat16 are summed in float32. Sums run along k in order, so equal programs give
// equal bits.
#define HITHER_DEVICE_CODE
#include <hither/device_code.h>

#include "device_library/libm.h"

namespace {

using namespace hither::device;

constexpr int kSide = 16;  // items of a group in each dimension
constexpr int kItems = kSide * kSide;
constexpr int kRun = 4;  // contiguous elements of an item

template <class F>
struct Complex {
  F re, im;
};

/// The element type is `Stored` in memory, and `Kept` in local memory and sums.
template <class Stored_, class Kept_>
struct Numbers {
  using Stored = Stored_;
  using Kept = Kept_;
  static Kept load(Stored x) { return static_cast<Kept>(x); }
  static Stored store(Kept x) { return static_cast<Stored>(x); }
  static void add(Kept& sum, Kept x, Kept y) { sum += x * y; }
};
template <class F>
struct Reals : Numbers<F, F> {
  static void add(F& sum, F x, F y) { sum = libm::fma(x, y, sum); }
};
struct Halves : Numbers<_Float16, float> {
  static void add(float& sum, float x, float y) { sum = libm::fma(x, y, sum); }
};
struct BHalves : Halves {
  using Stored = uint16_t;
  static float load(uint16_t x) {
    return __builtin_bit_cast(float, static_cast<uint32_t>(x) << 16);
  }
  static uint16_t store(float x) {
    const auto bits = __builtin_bit_cast(uint32_t, x);
    if (x != x) return static_cast<uint16_t>(bits >> 16 | 0x7fc0);
    return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
};
struct Truths : Numbers<uint8_t, uint8_t> {
  static void add(uint8_t& sum, uint8_t x, uint8_t y) { sum |= x & y; }
};
template <class F>
struct Complexes {
  using Stored = Complex<F>;
  using Kept = Complex<F>;
  static Kept load(Stored x) { return x; }
  static Stored store(Kept x) { return x; }
  static void add(Kept& sum, Kept x, Kept y) {
    sum.re = libm::fma(x.re, y.re, sum.re);
    sum.re = libm::fma(-x.im, y.im, sum.re);
    sum.im = libm::fma(x.re, y.im, sum.im);
    sum.im = libm::fma(x.im, y.re, sum.im);
  }
};

/// Loads tiles of an operand through registers into local memory: kLines rows or columns of the
/// result by kDepth of k.
template <class N, int kLines, int kDepth>
class Reader {
 public:
  /// Starts at line `first` of `lines`. `line` and `along` are strides.
  Reader(const typename N::Stored* data, int64_t line, int64_t along, int64_t lines, int64_t first,
         int item)
      : along_first_(along == 1),  // neighbouring items load neighbouring elements
        line_(along_first_ ? item / kDepth : item % kLines),
        k_(along_first_ ? item % kDepth : item / kLines),
        lines_(static_cast<int>(lines - first < kLines ? lines - first : kLines)),
        step_(along_first_ ? kItems / kDepth * line : kItems / kLines * along),
        tile_step_(kDepth * along),
        next_(data + (first + line_) * line + k_ * along) {}

  /// Loads the next tile. `left` elements of k remain.
  void fetch(int64_t left) {
    const int depth = static_cast<int>(left < kDepth ? left : kDepth);
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      values_[i] = typename N::Kept{};
      if (line_of(i) < lines_ && k_of(i) < depth) values_[i] = N::load(next_[i * step_]);
    }
    next_ += tile_step_;
  }
  template <class Tile>
  void put(Tile& tile) const {
#pragma unroll
    for (int i = 0; i < kCount; ++i) tile[k_of(i)][line_of(i)] = values_[i];
  }

 private:
  static constexpr int kCount = kLines * kDepth / kItems;
  int line_of(int i) const { return line_ + (along_first_ ? i * (kItems / kDepth) : 0); }
  int k_of(int i) const { return k_ + (along_first_ ? 0 : i * (kItems / kLines)); }

  const bool along_first_;
  const int line_, k_, lines_;
  const int64_t step_, tile_step_;
  const typename N::Stored* next_;
  typename N::Kept values_[kCount];
};

/// The position of an item's q-th line in the tile: in runs of kRun lines. The runs of all items
/// lie between two runs of an item.
constexpr int place_of(int item, int q) {
  return q / kRun * (kSide * kRun) + item * kRun + q % kRun;
}

template <class N, int kBlock, class Tile>
void multiply(typename N::Kept (&sums)[kBlock][kBlock], const Tile& a, const Tile& b, int y, int x,
              int depth) {
  for (int k = 0; k < depth; ++k) {
    typename N::Kept left[kBlock], right[kBlock];
#pragma unroll
    for (int q = 0; q < kBlock; ++q) left[q] = a[k][place_of(y, q)];
#pragma unroll
    for (int q = 0; q < kBlock; ++q) right[q] = b[k][place_of(x, q)];
#pragma unroll
    for (int i = 0; i < kBlock; ++i)
#pragma unroll
      for (int j = 0; j < kBlock; ++j) N::add(sums[i][j], left[i], right[j]);
  }
}

/// Strides and steps in elements: a's along m and k, b's along k and n, and those between products.
struct Shape {
  int64_t m, n, k, a_m, a_k, b_k, b_n, a_step, b_step;
};

template <class N, int kBlock>
void product(typename N::Stored* c, const typename N::Stored* a, const typename N::Stored* b,
             const Shape& s) {
  using Kept = typename N::Kept;
  constexpr int kLines = kSide * kBlock, kDepth = kBlock == 8 ? 8 : 16;
  struct alignas(16) Tile {
    Kept at[kDepth][kLines + 16 / sizeof(Kept)];  // padding moves columns to other banks
  };
  alignas(16) HITHER_LOCAL unsigned char left_bytes[sizeof(Tile)], right_bytes[sizeof(Tile)];
  auto& left_tile = *reinterpret_cast<Tile*>(generic(left_bytes));
  auto& right_tile = *reinterpret_cast<Tile*>(generic(right_bytes));
  const int64_t across = (s.n + kLines - 1) / kLines, down = (s.m + kLines - 1) / kLines;
  const int64_t group = group_id(), which = group / (across * down);
  const int64_t top = group / across % down * kLines, left = group % across * kLines;
  const int item = static_cast<int>(local_id()), y = item / kSide, x = item % kSide;
  Reader<N, kLines, kDepth> rows(a + which * s.a_step, s.a_m, s.a_k, s.m, top, item);
  Reader<N, kLines, kDepth> columns(b + which * s.b_step, s.b_n, s.b_k, s.n, left, item);
  Kept sums[kBlock][kBlock] = {};
  rows.fetch(s.k);
  columns.fetch(s.k);
  for (int64_t k = s.k; k > 0; k -= kDepth) {
    rows.put(left_tile.at);
    columns.put(right_tile.at);
    barrier(kLocalFence);
    rows.fetch(k - kDepth);
    columns.fetch(k - kDepth);
    multiply<N, kBlock>(sums, left_tile.at, right_tile.at, y, x, kDepth);
    barrier(kLocalFence);
  }
  c += which * s.m * s.n;
#pragma unroll
  for (int i = 0; i < kBlock; ++i)
#pragma unroll
    for (int j = 0; j < kBlock; ++j) {
      const int64_t row = top + place_of(y, i), column = left + place_of(x, j);
      if (row < s.m && column < s.n) c[row * s.n + column] = N::store(sums[i][j]);
    }
}

}  // namespace

/// c = a b for a stack of products in C order. The groups are products x tiles of c, in one
/// dimension.
#define HITHER_PRODUCT(NAME, BLOCK, ...)                                                   \
  extern "C" void hither_product_##NAME##_##BLOCK(                                         \
      void* c, const void* a, const void* b, int64_t m, int64_t n, int64_t k, int64_t a_m, \
      int64_t a_k, int64_t b_k, int64_t b_n, int64_t a_step, int64_t b_step) {             \
    using N = __VA_ARGS__;                                                                 \
    using Stored = N::Stored;                                                              \
    product<N, BLOCK>(static_cast<Stored*>(c), static_cast<const Stored*>(a),              \
                      static_cast<const Stored*>(b),                                       \
                      {m, n, k, a_m, a_k, b_k, b_n, a_step, b_step});                      \
  }
#define HITHER_PRODUCTS(NAME, ...)     \
  HITHER_PRODUCT(NAME, 4, __VA_ARGS__) \
  HITHER_PRODUCT(NAME, 8, __VA_ARGS__)

HITHER_PRODUCTS(bool, Truths)
HITHER_PRODUCTS(i8, Numbers<uint8_t, uint32_t>)
HITHER_PRODUCTS(i16, Numbers<uint16_t, uint32_t>)
HITHER_PRODUCTS(i32, Numbers<uint32_t, uint32_t>)
HITHER_PRODUCTS(f16, Halves)
HITHER_PRODUCTS(bf16, BHalves)
HITHER_PRODUCTS(f32, Reals<float>)
// Wider types have enough registers only for 4 x 4.
HITHER_PRODUCT(i64, 4, Numbers<uint64_t, uint64_t>)
HITHER_PRODUCT(f64, 4, Reals<double>)
HITHER_PRODUCT(c64, 4, Complexes<float>)
HITHER_PRODUCT(c128, 4, Complexes<double>)
