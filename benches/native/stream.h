// Loops that define what this machine can do: one function a row of the benches, OpenMP and the
// compiler's vectoriser, results into memory that stands. Arrays are C-contiguous.
#pragma once

#include <cstdint>

extern "C" {
void triad(const double* a, const double* b, double scale, double* out, int64_t n);
void chain_of_ten(const double* x, double* out, int64_t n);
void chain_of_eight(const float* x, const float* y, float* out, int64_t n);
void black_scholes(const double* spot, const double* strike, const double* years, double* call,
                   double* put, int64_t n);
double sum_all(const float* x, int64_t n);
void sum_axis_0(const float* x, float* out, int64_t rows, int64_t columns);
void sum_axis_1(const float* x, float* out, int64_t rows, int64_t columns);
int64_t argmax_all(const float* x, int64_t n);
void argmax_axis_0(const float* x, int64_t* out, int64_t rows, int64_t columns);
void argmax_axis_1(const float* x, int64_t* out, int64_t rows, int64_t columns);
void softmax(const float* x, float* out, int64_t rows, int64_t columns);
void transposed_copy(const float* x, float* out, int64_t rows, int64_t columns);
void strided_sum(const double* x, double* out, int64_t n);
void outer_add(const float* x, const float* y, float* out, int64_t rows, int64_t columns);
void pairwise_distance(const float* x, float* out, int64_t n, int64_t dimensions);
}
