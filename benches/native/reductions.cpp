// Reductions. Sums over axis 0 go row by row into a strip of columns that stays in the cache.
#include <algorithm>
#include <limits>
#include <vector>

#include "stream.h"

namespace {
constexpr int64_t kStrip = 512;  // columns
}

double sum_all(const float* __restrict x, int64_t n) {
  double total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total)
  for (int64_t block = 0; block < n; block += 4096) {
    const int64_t end = std::min(n, block + 4096);
    float part = 0;
#pragma omp simd reduction(+ : part)
    for (int64_t i = block; i < end; ++i) part += x[i];
    total += part;
  }
  return total;
}

void sum_axis_0(const float* __restrict x, float* __restrict out, int64_t rows, int64_t columns) {
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < columns; first += kStrip) {
    const int64_t last = std::min(columns, first + kStrip);
    for (int64_t c = first; c < last; ++c) out[c] = 0;
    for (int64_t r = 0; r < rows; ++r)
#pragma omp simd
      for (int64_t c = first; c < last; ++c) out[c] += x[r * columns + c];
  }
}

void sum_axis_1(const float* __restrict x, float* __restrict out, int64_t rows, int64_t columns) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) {
    float total = 0;
#pragma omp simd reduction(+ : total)
    for (int64_t c = 0; c < columns; ++c) total += x[r * columns + c];
    out[r] = total;
  }
}

namespace {

// The largest value, then its first place: both passes vectorise, the second mostly reads caches.
int64_t first_largest(const float* x, int64_t n) {
  float largest = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : largest)
  for (int64_t i = 0; i < n; ++i) largest = x[i] > largest ? x[i] : largest;
  return std::find(x, x + n, largest) - x;
}

}  // namespace

int64_t argmax_all(const float* __restrict x, int64_t n) {
  constexpr int64_t kBlock = 8192;
  const int64_t blocks = (n + kBlock - 1) / kBlock;
  std::vector<int64_t> best(static_cast<size_t>(blocks));
#pragma omp parallel for schedule(static)
  for (int64_t b = 0; b < blocks; ++b)
    best[b] = b * kBlock + first_largest(x + b * kBlock, std::min(kBlock, n - b * kBlock));
  int64_t winner = best[0];
  for (const int64_t i : best)
    if (x[i] > x[winner]) winner = i;
  return winner;
}

void argmax_axis_0(const float* __restrict x, int64_t* __restrict out, int64_t rows,
                   int64_t columns) {
#pragma omp parallel for schedule(static)
  for (int64_t first = 0; first < columns; first += kStrip) {
    const int64_t count = std::min(columns - first, kStrip);
    float largest[kStrip];
    int32_t place[kStrip] = {};
    std::copy_n(x + first, count, largest);
    for (int64_t r = 1; r < rows; ++r) {
      const float* row = x + r * columns + first;
#pragma omp simd
      for (int64_t c = 0; c < count; ++c) {
        const bool more = row[c] > largest[c];
        largest[c] = more ? row[c] : largest[c];
        place[c] = more ? static_cast<int32_t>(r) : place[c];
      }
    }
    for (int64_t c = 0; c < count; ++c) out[first + c] = place[c];
  }
}

void argmax_axis_1(const float* __restrict x, int64_t* __restrict out, int64_t rows,
                   int64_t columns) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) out[r] = first_largest(x + r * columns, columns);
}
