// libm's functions with one name for float and double. The compiler chooses the variant for the
// machine.
#pragma once

#define HITHER_LIBM_1(NAME)                                     \
  inline float NAME(float x) { return __builtin_##NAME##f(x); } \
  inline double NAME(double x) { return __builtin_##NAME(x); }
#define HITHER_LIBM_2(NAME)                                                 \
  inline float NAME(float x, float y) { return __builtin_##NAME##f(x, y); } \
  inline double NAME(double x, double y) { return __builtin_##NAME(x, y); }

namespace libm {

HITHER_LIBM_1(sin)
HITHER_LIBM_1(cos)
HITHER_LIBM_1(tan)
HITHER_LIBM_1(sinh)
HITHER_LIBM_1(cosh)
HITHER_LIBM_1(asinh)
HITHER_LIBM_1(sqrt)
HITHER_LIBM_1(exp)
HITHER_LIBM_1(exp2)
HITHER_LIBM_1(expm1)
HITHER_LIBM_1(log)
HITHER_LIBM_1(log1p)
HITHER_LIBM_1(erfc)
HITHER_LIBM_1(tgamma)
HITHER_LIBM_1(floor)
HITHER_LIBM_1(trunc)
HITHER_LIBM_1(fabs)
HITHER_LIBM_2(atan2)
HITHER_LIBM_2(copysign)
HITHER_LIBM_2(fmod)
HITHER_LIBM_2(hypot)

inline float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
inline double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }

}  // namespace libm

#undef HITHER_LIBM_1
#undef HITHER_LIBM_2
