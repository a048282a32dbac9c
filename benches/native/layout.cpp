// Rows whose difficulty is the order of memory.
#include <algorithm>
#include <cmath>

#include "stream.h"

void transposed_copy(const float* __restrict x, float* __restrict out, int64_t rows,
                     int64_t columns) {
  constexpr int64_t kTile = 16;  // 16 x 16 floats: a cache line a row, both ways
#pragma omp parallel for collapse(2) schedule(static)
  for (int64_t c0 = 0; c0 < columns; c0 += kTile)
    for (int64_t r0 = 0; r0 < rows; r0 += kTile) {
      const int64_t r1 = std::min(rows, r0 + kTile), c1 = std::min(columns, c0 + kTile);
      for (int64_t c = c0; c < c1; ++c)
        for (int64_t r = r0; r < r1; ++r) out[c * rows + r] = x[r * columns + c];
    }
}

void strided_sum(const double* __restrict x, double* __restrict out, int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; ++i) out[i] = x[2 * i] + x[2 * i + 1];
}

void outer_add(const float* __restrict x, const float* __restrict y, float* __restrict out,
               int64_t rows, int64_t columns) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r)
#pragma omp simd
    for (int64_t c = 0; c < columns; ++c) out[r * columns + c] = x[r] + y[c];
}

void pairwise_distance(const float* __restrict x, float* __restrict out, int64_t n,
                       int64_t dimensions) {
  constexpr int64_t kStrip = 256;
#pragma omp parallel for schedule(static)
  for (int64_t i = 0; i < n; ++i)
    for (int64_t first = 0; first < n; first += kStrip) {
      const int64_t count = std::min(n - first, kStrip);
      float total[kStrip] = {};
      for (int64_t d = 0; d < dimensions; ++d) {
        const float mine = x[i * dimensions + d];
#pragma omp simd
        for (int64_t j = 0; j < count; ++j) {
          const float delta = mine - x[(first + j) * dimensions + d];
          total[j] += delta * delta;
        }
      }
#pragma omp simd
      for (int64_t j = 0; j < count; ++j) out[i * n + first + j] = std::sqrt(total[j]);
    }
}
