// Element-wise rows: built with -ffast-math, so that the compiler calls libmvec.
#include <cmath>

#include "stream.h"

void triad(const double* __restrict a, const double* __restrict b, double scale,
           double* __restrict out, int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; ++i) out[i] = a[i] + scale * b[i];
}

void chain_of_ten(const double* __restrict x, double* __restrict out, int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; ++i) {
    const double v = x[i];
    double y = v * 1.5;
    y = (y + v) * 0.5;
    y = (y - 0.25) * v;
    y = (y + 1.0) * 0.75;
    y = (y - v) * 1.25;
    out[i] = y + 2.0;
  }
}

void chain_of_eight(const float* __restrict x, const float* __restrict y, float* __restrict out,
                    int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; ++i) {
    const float a = x[i], b = y[i];
    float v = a * b + a;
    v = v * v - b;
    v = std::sqrt(std::fabs(v) + 1.0f);
    out[i] = v * 0.5f;
  }
}

void black_scholes(const double* __restrict spot, const double* __restrict strike,
                   const double* __restrict years, double* __restrict call, double* __restrict put,
                   int64_t n) {
  constexpr double kRate = 0.02, kVolatility = 0.3, kRootHalf = 0.70710678118654752440;
#pragma omp parallel for simd schedule(static)
  for (int64_t i = 0; i < n; ++i) {
    const double s = spot[i], t = years[i];
    const double deviation = kVolatility * std::sqrt(t);
    const double d1 =
        (std::log(s / strike[i]) + (kRate + 0.5 * kVolatility * kVolatility) * t) / deviation;
    const double d2 = d1 - deviation;
    const double discounted = strike[i] * std::exp(-kRate * t);
    const double c = s * (0.5 + 0.5 * std::erf(d1 * kRootHalf)) -
                     discounted * (0.5 + 0.5 * std::erf(d2 * kRootHalf));
    call[i] = c;
    put[i] = c - s + discounted;
  }
}

void softmax(const float* __restrict x, float* __restrict out, int64_t rows, int64_t columns) {
#pragma omp parallel for schedule(static)
  for (int64_t r = 0; r < rows; ++r) {
    const float* in = x + r * columns;
    float* result = out + r * columns;
    float largest = in[0];
#pragma omp simd reduction(max : largest)
    for (int64_t c = 0; c < columns; ++c) largest = in[c] > largest ? in[c] : largest;
    float total = 0;
#pragma omp simd reduction(+ : total)
    for (int64_t c = 0; c < columns; ++c) {
      result[c] = std::exp(in[c] - largest);
      total += result[c];
    }
    const float scale = 1 / total;
#pragma omp simd
    for (int64_t c = 0; c < columns; ++c) result[c] *= scale;
  }
}
