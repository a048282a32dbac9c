// The device library: functions that kernels may call by name. This header is its reference.
//
// The functions are C++. They are compiled to LLVM bitcode when hither is built (one file for each
// target triple, without target attributes), linked into the kernels that call them, and inlined.
// Semantics, including special values, are NumPy's. No function raises: where NumPy warns, the
// result is NumPy's.
//
// T stands for a type by its name: i8 i16 i32 i64 u8 u16 u32 u64 (IR: i8 ... i64 both),
// f32 (float), f64 (double), f16 (half). c64 is a pair of floats, c128 a pair of doubles.
//
// Integers: T in {i8, i16, i32, i64, u8, u16, u32, u64}
//   T hither_floor_divide_T(T a, T b)   rounds towards -infinity; 0 for b = 0; MIN / -1 = MIN
//   T hither_remainder_T(T a, T b)      sign of b; 0 for b = 0 and for MIN % -1
//   T hither_pow_T(T a, T b)            wraps around; for b < 0: 1 for a = 1, +-1 for a = -1,
//                                       else 0
//   T hither_sign_T(T a)                -1, 0, 1
//
// Real numbers: T in {f32, f64}
//   T hither_floor_divide_T(T a, T b)   as Python's //, a / b for infinities and for b = 0
//   T hither_remainder_T(T a, T b)      as Python's %, sign of b, -0 and +0 included
//   T hither_logaddexp_T(T a, T b)      log(exp(a) + exp(b)) without overflow
//   T hither_logaddexp2_T(T a, T b)     log2(2**a + 2**b) without overflow
//   T hither_sign_T(T a)                -1, +0, 1; nan for nan
//   T hither_cube_T(T a)                a**3, at most 1 ulp; exact if it is an integer that T has
//   T hither_rsqrt_T(T a)               1 / sqrt(a), at most 1 ulp
//   T hither_nextafter_T(T a, T b)      also f16, and bf16: bits as uint16_t
//   T hither_frexp_T(T a, int* exponent), T hither_modf_T(T a, T* whole)   as libm's
//   f64 hither_NAME_f64(f64 a) for NAME in exp log erf: used on CUDA devices for libm's
//                                       (table_math.cpp); not on CPUs
//   T hither_NAME_T(T a), for two operands T hither_NAME_T(T a, T b): SciPy's special functions
//                                       (special.cpp). They have no branches and no tables
// Other functions of real numbers (sin, pow, hypot, ...) are called by LLVM's or libm's name: see
// compiler/module/math_functions.h.
//
// Complex numbers: T in {c64, c128}, F = float or double. The result is stored through `out`, which
// points to two Fs (real part first) in an alloca of the caller. Inlining removes the store.
//   void hither_OP_T(F re, F im, F* out) for OP in
//       exp log sqrt sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh
//       expm1 log1p log2 log10 square reciprocal sign
//   void hither_OP_T(F a_re, F a_im, F b_re, F b_im, F* out) for OP in
//       multiply divide pow
//   F hither_abs_T(F re, F im)
//
// Random numbers: random.cpp describes hither_random_NAME. Their bits are equal on every device.
//
// Sparse matrices in rows: sparse.cpp describes hither_sparse_NAME_T, T in {i32, i64}. Small dense
// matrices: matrices.cpp describes hither_matrix_NAME_MOST_T, T in {f32, f64, c64, c128}.
#pragma once
