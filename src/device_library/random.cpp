// Random numbers: element `item` of a draw, whose key is in two doubles (key_of). The values of an
// element depend on nothing else, so they are equal on every device. Each element has counters of
// its own (item, 0), (item, 1), ... for as many numbers as it takes. Uniform and normal numbers are
// an exception: adjacent elements share the words of one counter.
//
// hither_random_NAME(item, low, high, a, b, c) has the parameters of the distribution in its
// doubles; those that it does not need are ignored. device_library.h describes the others.
#include "device_library/random_distributions.h"

namespace {

using real_math::fabs;

/// 96 random bits times a width of at most 2**32, divided by 2**96. Probabilities are equal to
/// within 2**-64.
HITHER_INLINE uint64_t below_32(const Words& w, uint64_t width) {
  uint64_t t = (w.x[1] * width) >> 32;
  t = (w.x[2] * width + t) >> 32;
  return (w.x[3] * width + t) >> 32;
}

/// The same for any width, where 0 means 2**64, of 128 bits.
HITHER_INLINE uint64_t below(const Words& w, uint64_t width) {
  const uint64_t low = width & kLow, high = width >> 32;
  // The product of the words and `low`, then of the words and `high`, without its low words.
  uint64_t t = (w.x[0] * low) >> 32, u = 0;
  t += w.x[1] * low;
  const uint64_t second = (t & kLow) + w.x[0] * high;
  t = (t >> 32) + w.x[2] * low;
  u = (second >> 32) + w.x[1] * high;
  const uint64_t third = (t & kLow) + (u & kLow);
  t = (t >> 32) + w.x[3] * low;
  u = (u >> 32) + (third >> 32) + w.x[2] * high;
  const uint64_t fourth = (t & kLow) + (u & kLow);
  const uint64_t result = (t >> 32) + (u >> 32) + (fourth >> 32) + w.x[3] * high;
  return width == 0 ? w.x[3] << 32 | w.x[2] : result;
}

HITHER_INLINE double scaled(double unit, double low, double high) {
  return low + (high - low) * unit;
}
HITHER_INLINE float scaled(float unit, double low, double high) {
  const auto from = static_cast<float>(low);
  return libm::fma(static_cast<float>(high) - from, unit, from);
}
HITHER_INLINE double shifted(double z, double loc, double scale) { return loc + scale * z; }
HITHER_INLINE float shifted(float z, double loc, double scale) {
  return libm::fma(static_cast<float>(scale), z, static_cast<float>(loc));
}

template <class T>
HITHER_INLINE T chosen(const T* x, uint64_t index, int count) {
  T found = x[0];
  for (int i = 1; i < count; ++i) found = index == static_cast<uint64_t>(i) ? x[i] : found;
  return found;
}

// The numbers of one counter: two doubles, or four floats.
struct Doubles {
  double x[2];
};
struct Floats {
  float x[4];
};

HITHER_INLINE Doubles uniform64(const Words& w, double a, double b) {
  return {{scaled(unit64(w.x[0], w.x[1]), a, b), scaled(unit64(w.x[2], w.x[3]), a, b)}};
}
HITHER_INLINE Floats uniform32(const Words& w, double a, double b) {
  return {{scaled(unit32(w.x[0]), a, b), scaled(unit32(w.x[1]), a, b), scaled(unit32(w.x[2]), a, b),
           scaled(unit32(w.x[3]), a, b)}};
}
HITHER_INLINE Doubles normal64(const Words& w, double a, double b) {
  const Pair<double> z = two_normals(w);
  return {{shifted(z.first, a, b), shifted(z.second, a, b)}};
}
HITHER_INLINE Floats normal32(const Words& w, double a, double b) {
  const Pair<float> y = two_normals(w.x[0], w.x[1]), z = two_normals(w.x[2], w.x[3]);
  return {{shifted(y.first, a, b), shifted(y.second, a, b), shifted(z.first, a, b),
           shifted(z.second, a, b)}};
}
HITHER_INLINE Doubles exponential64(const Words& w, double, double scale) {
  return {{-real_math::log(1 - unit64(w.x[0], w.x[1])) * scale,
           -real_math::log(1 - unit64(w.x[2], w.x[3])) * scale}};
}
HITHER_INLINE Floats exponential32(const Words& w, double, double scale) {
  const auto by = static_cast<float>(scale);
  return {{-real_math::log(1 - unit32(w.x[0])) * by, -real_math::log(1 - unit32(w.x[1])) * by,
           -real_math::log(1 - unit32(w.x[2])) * by, -real_math::log(1 - unit32(w.x[3])) * by}};
}

HITHER_INLINE double joined(float x, float y) {
  return __builtin_bit_cast(double, static_cast<uint64_t>(__builtin_bit_cast(uint32_t, y)) << 32 |
                                        __builtin_bit_cast(uint32_t, x));
}

}  // namespace

// One element, and all elements of a counter as the bytes of two doubles.
#define HITHER_SHARED_COUNTER(NAME)                                                              \
  extern "C" double hither_random_##NAME##_f64(uint64_t item, double low, double high, double a, \
                                               double b) {                                       \
    return chosen(NAME##64(philox(item >> 1, 0, key_of(low, high)), a, b).x, item & 1, 2);       \
  }                                                                                              \
  extern "C" float hither_random_##NAME##_f32(uint64_t item, double low, double high, double a,  \
                                              double b) {                                        \
    return chosen(NAME##32(philox(item >> 2, 0, key_of(low, high)), a, b).x, item & 3, 4);       \
  }                                                                                              \
  extern "C" Pair<double> hither_random_##NAME##_all_f64(uint64_t item, double low, double high, \
                                                         double a, double b) {                   \
    const Doubles d = NAME##64(philox(item, 0, key_of(low, high)), a, b);                        \
    return {d.x[0], d.x[1]};                                                                     \
  }                                                                                              \
  extern "C" Pair<double> hither_random_##NAME##_all_f32(uint64_t item, double low, double high, \
                                                         double a, double b) {                   \
    const Floats f = NAME##32(philox(item, 0, key_of(low, high)), a, b);                         \
    return {joined(f.x[0], f.x[1]), joined(f.x[2], f.x[3])};                                     \
  }

HITHER_SHARED_COUNTER(uniform)
HITHER_SHARED_COUNTER(normal)
HITHER_SHARED_COUNTER(exponential)

extern "C" uint64_t hither_random_bits(uint64_t item, double low, double high) {
  const Words w = philox(item, 0, key_of(low, high));
  return w.x[1] << 32 | w.x[0];
}

extern "C" uint64_t hither_random_below(uint64_t item, double low, double high, uint64_t width) {
  return below(philox(item, 0, key_of(low, high)), width);
}

extern "C" uint64_t hither_random_below_32(uint64_t item, double low, double high, uint64_t width) {
  return below_32(philox(item, 0, key_of(low, high)), width);
}

// Parameters that are not numbers give such results, and zero for integers.
#define HITHER_RANDOM(NAME, T)                                                                  \
  extern "C" T hither_random_##NAME(uint64_t item, double low, double high, double a, double b, \
                                    double c) {                                                 \
    Stream s(item, low, high);                                                                  \
    const bool none = a != a || b != b || c != c;                                               \
    const T found = distributions::NAME(s, none ? 1 : a, none ? 1 : b, none ? 1 : c);           \
    return none ? distributions::nothing<T>() : found;                                          \
  }

HITHER_RANDOM(laplace, double)
HITHER_RANDOM(logistic, double)
HITHER_RANDOM(gumbel, double)
HITHER_RANDOM(rayleigh, double)
HITHER_RANDOM(weibull, double)
HITHER_RANDOM(pareto, double)
HITHER_RANDOM(power, double)
HITHER_RANDOM(cauchy, double)
HITHER_RANDOM(triangular, double)
HITHER_RANDOM(lognormal, double)
HITHER_RANDOM(gamma, double)
HITHER_RANDOM(log_gamma, double)
HITHER_RANDOM(beta, double)
HITHER_RANDOM(f, double)
HITHER_RANDOM(standard_t, double)
HITHER_RANDOM(noncentral_chisquare, double)
HITHER_RANDOM(noncentral_f, double)
HITHER_RANDOM(wald, double)
HITHER_RANDOM(vonmises, double)
HITHER_RANDOM(poisson, int64_t)
HITHER_RANDOM(binomial, int64_t)
HITHER_RANDOM(geometric, int64_t)
HITHER_RANDOM(negative_binomial, int64_t)
HITHER_RANDOM(hypergeometric, int64_t)
HITHER_RANDOM(zipf, int64_t)
HITHER_RANDOM(logseries, int64_t)
