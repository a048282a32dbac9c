// libm's functions by one name for float and double. The compiler gives each its variant for the
// machine.
#pragma once

#define HITHER_LIBM_1(NAME)                                     \
  inline float NAME(float x) { return __builtin_##NAME##f(x); } \
  inline double NAME(double x) { return __builtin_##NAME(x); }
#define HITHER_LIBM_2(NAME)                                                 \
  inline float NAME(float x, float y) { return __builtin_##NAME##f(x, y); } \
  inline double NAME(double x, double y) { return __builtin_##NAME(x, y); }
#define HITHER_LIBM_COMPLEX(NAME)                                                  \
  inline _Complex float NAME(_Complex float z) { return __builtin_c##NAME##f(z); } \
  inline _Complex double NAME(_Complex double z) { return __builtin_c##NAME(z); }

namespace libm {

HITHER_LIBM_1(sin)
HITHER_LIBM_1(cos)
HITHER_LIBM_1(exp)
HITHER_LIBM_1(exp2)
HITHER_LIBM_1(expm1)
HITHER_LIBM_1(log)
HITHER_LIBM_1(log1p)
HITHER_LIBM_1(floor)
HITHER_LIBM_1(fabs)
HITHER_LIBM_2(atan2)
HITHER_LIBM_2(copysign)
HITHER_LIBM_2(fmod)
HITHER_LIBM_2(hypot)

namespace complex {

HITHER_LIBM_COMPLEX(exp)
HITHER_LIBM_COMPLEX(log)
HITHER_LIBM_COMPLEX(sqrt)
HITHER_LIBM_COMPLEX(sin)
HITHER_LIBM_COMPLEX(cos)
HITHER_LIBM_COMPLEX(tan)
HITHER_LIBM_COMPLEX(sinh)
HITHER_LIBM_COMPLEX(cosh)
HITHER_LIBM_COMPLEX(tanh)
HITHER_LIBM_COMPLEX(asin)
HITHER_LIBM_COMPLEX(acos)
HITHER_LIBM_COMPLEX(atan)
HITHER_LIBM_COMPLEX(asinh)
HITHER_LIBM_COMPLEX(acosh)
HITHER_LIBM_COMPLEX(atanh)

inline _Complex float pow(_Complex float a, _Complex float b) { return __builtin_cpowf(a, b); }
inline _Complex double pow(_Complex double a, _Complex double b) { return __builtin_cpow(a, b); }

}  // namespace complex
}  // namespace libm

#undef HITHER_LIBM_1
#undef HITHER_LIBM_2
#undef HITHER_LIBM_COMPLEX
