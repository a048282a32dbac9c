// Distributions of random numbers: by the inverse of the distribution function, or by rejection.
// Parameters are in the range that NumPy allows.
#pragma once

#include "device_library/random_words.h"

namespace {
namespace distributions {

using real_math::exp;
using real_math::expm1;
using real_math::fabs;
using real_math::floor;
using real_math::log;
using real_math::log1p;
using real_math::log_factorial;
using real_math::sqrt;

constexpr double kLargestInteger = 9223372036854775807.0;  // rounded: 2**63

template <class T>
inline T nothing() {
  return static_cast<T>(__builtin_nan(""));
}
template <>
inline int64_t nothing<int64_t>() {
  return 0;
}

inline int64_t whole(double x) {
  return x >= kLargestInteger ? INT64_MAX : x > 0 ? static_cast<int64_t>(x) : 0;
}

inline double laplace(Stream& s, double loc, double scale, double) {
  const Words w = s.next();
  const double distance = -log(1 - unit64(w.x[0], w.x[1])) * scale;
  return loc + (w.x[2] & 1 ? distance : -distance);
}

/// log(u / (1 - u)) from 1 - u in [2**-54, 1 - 2**-54].
inline double logistic(Stream& s, double loc, double scale, double) {
  const Words w = s.next();
  const double unit = unit64(w.x[0], w.x[1]), u = unit == 0 ? 0x1p-54 : unit;
  return loc + scale * (log(u) - log(1 - u));
}

inline double gumbel(Stream& s, double loc, double scale, double) {
  const double e = s.exponential();
  return loc - scale * log(e == 0 ? 0x1p-54 : e);
}

inline double rayleigh(Stream& s, double scale, double, double) {
  return scale * sqrt(2 * s.exponential());
}

/// An exponential number to the power of 1 / a.
inline double weibull(Stream& s, double a, double, double) {
  const double e = s.exponential();
  return e == 0 || a == 0 ? 0 : real_math::pow(e, 1 / a);
}

inline double pareto(Stream& s, double a, double, double) { return expm1(s.exponential() / a); }

inline double power(Stream& s, double a, double, double) { return exp(-s.exponential() / a); }

inline double cauchy(Stream& s, double, double, double) {
  const Words w = s.next();
  const double unit = unit64(w.x[0], w.x[1]);
  const Pair<double> point = real_math::point_at(0.5 * (unit == 0 ? 0x1p-54 : unit));
  return -point.first / point.second;
}

inline double triangular(Stream& s, double left, double mode, double right) {
  const Words w = s.next();
  const double u = unit64(w.x[0], w.x[1]), width = right - left, rise = mode - left;
  const double rising = left + sqrt(u * (width * rise));
  const double falling = right - sqrt((1 - u) * (width * (right - mode)));
  return u * width <= rise ? rising : falling;
}

inline double lognormal(Stream& s, double mean, double sigma, double) {
  return exp(mean + sigma * s.normal());
}

/// G. Marsaglia and W. W. Tsang: A simple method for generating gamma variables (2000). a >= 1.
inline double large_gamma(Stream& s, double a) {
  const double d = a - 1.0 / 3, c = 1 / sqrt(9 * d);
  double v = 1;
  while (s.goes_on()) {
    const Words w = s.next();
    const double radius = sqrt(-2 * log(1 - unit64(w.x[0], w.x[1])));
    const double x = radius * real_math::point_at(static_cast<double>(w.x[2]) * 0x1p-32).first;
    const double u = inner_unit(w.x[3]), t = 1 + c * x;
    if (t <= 0) continue;
    v = t * t * t;
    if (u < 1 - 0.0331 * (x * x) * (x * x)) break;
    if (log(u) < 0.5 * x * x + d * (1 - v + log(v))) break;
  }
  return d * v;
}

inline double gamma(Stream& s, double a, double scale, double) {
  if (a == 0) return 0;
  if (a == 1) return s.exponential() * scale;
  const double g = large_gamma(s, a < 1 ? a + 1 : a);
  return (a < 1 ? g * exp(-s.exponential() / a) : g) * scale;
}

/// The logarithm of a gamma number, which for small a is often below the smallest double.
inline double log_gamma(Stream& s, double a, double, double) {
  const double g = log(large_gamma(s, a < 1 ? a + 1 : a));
  return a < 1 ? g - s.exponential() / a : g;
}

inline double beta(Stream& s, double a, double b, double) {
  if (a >= 1 || b >= 1) {
    const double x = gamma(s, a, 1, 0), y = gamma(s, b, 1, 0);
    return x / (x + y);
  }
  const double difference = log_gamma(s, b, 0, 0) - log_gamma(s, a, 0, 0);
  return 1 / (1 + exp(difference));
}

inline double chisquare(Stream& s, double freedom) { return 2 * gamma(s, freedom * 0.5, 1, 0); }

inline double f(Stream& s, double over, double under, double) {
  const double x = chisquare(s, over) * under;
  return x / (chisquare(s, under) * over);
}

inline double standard_t(Stream& s, double freedom, double, double) {
  const double x = s.normal();
  return x * sqrt(freedom * 0.5 / gamma(s, freedom * 0.5, 1, 0));
}

/// The inverse Gaussian distribution: the smaller root of a quadratic equation, or mean**2 / root.
inline double wald(Stream& s, double mean, double scale, double) {
  const Words w = s.next();
  const double z = two_normals(w).first, t = mean * (z * z) / (2 * scale);
  const double x = mean / (1 + t + sqrt(t * (t + 2)));
  return s.unit() * (mean + x) <= mean ? x : mean * (mean / x);
}

/// D. J. Best and N. I. Fisher: Efficient simulation of the von Mises distribution (1979).
inline double vonmises(Stream& s, double mu, double kappa, double) {
  double angle = 0;
  if (kappa < 1e-8) {
    angle = real_math::kPi * (1 - 2 * s.unit());
  } else if (kappa > 1e6) {  // nearly normal
    angle = s.normal() / sqrt(kappa);
  } else {
    const double root = sqrt(1 + 4 * kappa * kappa), tau = 1 + root;
    // rho = (tau - sqrt(2 tau)) / (2 kappa), which cancels for small kappa
    const double rho = 2 * kappa / (tau + sqrt(2 * tau)) * ((tau - 2) / (root - 1));
    const double r = kappa < 1e-5 ? 1 / kappa + kappa : (1 + rho * rho) / (2 * rho);
    const double less = kappa < 1e-5 ? r - 1 : (1 - rho) * (1 - rho) / (2 * rho);
    double tangent = 0;
    bool negative = false;
    while (s.goes_on()) {
      const Words w = s.next();
      const Pair<double> half = real_math::point_at(0.25 * unit64(w.x[0], w.x[1]));
      const double z = half.first * half.first - half.second * half.second;
      const double f = (1 + r * z) / (r + z), y = kappa * (r - f), u = inner_unit(w.x[2]);
      negative = w.x[3] & 1;
      tangent = half.second / half.first * sqrt(less / (r + 1));
      if (y * (2 - y) > u || log(y / u) + 1 - y >= 0) break;
    }
    angle = 2 * libm::atan2(tangent, 1.0);
    if (negative) angle = -angle;
  }
  angle += mu;
  const double circles = floor((angle + real_math::kPi) / (2 * real_math::kPi));
  return angle - circles * (2 * real_math::kPi);
}

/// Sequential search for a mean below 10, else W. Hormann's transformed rejection with squeeze
/// PTRS (The transformed rejection method for generating Poisson random variables, 1993).
inline double poisson_number(Stream& s, double mean) {
  if (mean < 10) {
    const Words w = s.next();
    double u = unit64(w.x[0], w.x[1]), p = exp(-mean), k = 0;
    while (u >= p && k < 200) {
      u -= p;
      k += 1;
      p *= mean / k;
    }
    return k;
  }
  const double root = sqrt(mean), b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
  const double least = 0.9277 - 3.6224 / (b - 2);
  const double alpha = log(1.1239 + 1.1328 / (b - 3.4)), logarithm = log(mean);
  double k = 0;
  while (s.goes_on()) {
    const Words w = s.next();
    const double u = unit64(w.x[0], w.x[1]) - 0.5, v = inner_unit(w.x[2]);
    const double us = 0.5 - fabs(u);
    k = floor((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= least) break;
    if (us <= 0 || k < 0 || (us < 0.013 && v > us)) continue;
    if (log(v) + alpha - log(a / (us * us) + b) <= k * logarithm - mean - log_factorial(k)) break;
  }
  return k;
}

inline int64_t poisson(Stream& s, double mean, double, double) {
  return whole(poisson_number(s, mean));
}

inline double noncentral_chisquare(Stream& s, double freedom, double shift, double) {
  if (shift == 0) return chisquare(s, freedom);
  if (freedom > 1) {
    const double z = s.normal() + sqrt(shift);
    return chisquare(s, freedom - 1) + z * z;
  }
  return chisquare(s, freedom + 2 * poisson_number(s, shift * 0.5));
}

inline double noncentral_f(Stream& s, double over, double under, double shift) {
  const double x = noncentral_chisquare(s, over, shift, 0) * under;
  return x / (chisquare(s, under) * over);
}

/// The rest of Stirling's series for log(n!).
inline double stirling_rest(double n) {
  return log_factorial(n) - ((n + 0.5) * log(n + 1) - (n + 1) + 0x1.d67f1c864beb5p-1);
}

/// W. Hormann's BTRS (The generation of binomial random variates, 1993), for n p >= 10, p <= 0.5.
inline double large_binomial(Stream& s, double n, double p) {
  const double deviation = sqrt(n * p * (1 - p)), b = 1.15 + 2.53 * deviation;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p, centre = n * p + 0.5, ratio = p / (1 - p);
  const double least = 0.92 - 4.2 / b, alpha = (2.83 + 5.1 / b) * deviation;
  const double m = floor((n + 1) * p);
  const double mode =
      (m + 0.5) * log((m + 1) / (ratio * (n - m + 1))) + stirling_rest(m) + stirling_rest(n - m);
  double k = 0;
  while (s.goes_on()) {
    const Words w = s.next();
    const double u = unit64(w.x[0], w.x[1]) - 0.5, v = inner_unit(w.x[2]);
    const double us = 0.5 - fabs(u);
    k = floor((2 * a / us + b) * u + centre);
    if (us <= 0 || k < 0 || k > n) continue;
    if (us >= 0.07 && v <= least) break;
    const double bound = mode + (n + 1) * log((n - m + 1) / (n - k + 1)) +
                         (k + 0.5) * log(ratio * (n - k + 1) / (k + 1)) - stirling_rest(k) -
                         stirling_rest(n - k);
    if (log(v * alpha / (a / (us * us) + b)) <= bound) break;
  }
  return k;
}

inline double small_binomial(Stream& s, double n, double p) {
  const Words w = s.next();
  const double ratio = p / (1 - p);
  double u = unit64(w.x[0], w.x[1]), q = exp(n * log1p(-p)), k = 0;
  while (u >= q && k < n && k < 200) {
    u -= q;
    k += 1;
    q *= (n - k + 1) / k * ratio;
  }
  return k;
}

inline int64_t binomial(Stream& s, double n, double p, double) {
  const double small = p > 0.5 ? 1 - p : p;
  double k = 0;
  if (n > 0 && small > 0)
    k = n * small < 10 ? small_binomial(s, n, small) : large_binomial(s, n, small);
  return whole(p > 0.5 ? n - k : k);
}

inline int64_t geometric(Stream& s, double p, double, double) {
  if (p >= 1) return 1;
  const double below = p < 0.5 ? log1p(-p) : log(1 - p);
  return whole(floor(-s.exponential() / below) + 1);
}

inline int64_t negative_binomial(Stream& s, double n, double p, double) {
  return whole(poisson_number(s, gamma(s, n, 1, 0) * ((1 - p) / p)));
}

/// Draws one by one.
inline double drawn_hypergeometric(Stream& s, double good, double bad, double sample) {
  double left = good, total = good + bad, k = 0;
  for (double i = 0; i < sample; i += 1) {
    const bool hit = (1 - s.unit()) * total < left;
    k += hit ? 1 : 0;
    left -= hit ? 1 : 0;
    total -= 1;
  }
  return k;
}

/// Ratio of uniforms (E. Stadlober: The ratio of uniforms approach for generating discrete random
/// variates, 1990). few <= many, and sample is at most half of all.
inline double large_hypergeometric(Stream& s, double few, double many, double sample) {
  const double total = few + many, share = few / total, a = sample * share + 0.5;
  const double variance = (total - sample) * sample * share * (1 - share) / (total - 1);
  const double c = sqrt(variance + 0.5), h = 0x1.b72cd3f331398p0 * c + 0x1.cc3ebd3bc7118p-1;
  const double m = floor((sample + 1) * (few + 1) / (total + 2));
  const double mode = log_factorial(m) + log_factorial(few - m) + log_factorial(sample - m) +
                      log_factorial(many - sample + m);
  const double end = (sample < few ? sample : few) + 1, far = floor(a + 16 * c);
  const double bound = end < far ? end : far;
  double k = 0;
  while (s.goes_on()) {
    const Words w = s.next();
    const double u = 1 - unit64(w.x[0], w.x[1]), v = unit64(w.x[2], w.x[3]);
    const double x = a + h * (v - 0.5) / u;
    if (x < 0 || x >= bound) continue;
    k = floor(x);
    const double t = mode - log_factorial(k) - log_factorial(few - k) - log_factorial(sample - k) -
                     log_factorial(many - sample + k);
    if (u * (4 - u) - 3 <= t) break;
    if (u * (u - t) >= 1) continue;
    if (2 * log(u) <= t) break;
  }
  return k;
}

inline int64_t hypergeometric(Stream& s, double good, double bad, double sample) {
  const double total = good + bad, few = good < bad ? good : bad, many = total - few;
  const double less = sample > total - sample ? total - sample : sample;
  double k = less > 10 ? large_hypergeometric(s, few, many, less)
                       : drawn_hypergeometric(s, few, many, less);
  if (good > bad) k = less - k;
  return whole(less < sample ? good - k : k);
}

/// Rejection from a continuous distribution (L. Devroye: Non-uniform random variate generation,
/// 1986, chapter X.6).
inline int64_t zipf(Stream& s, double a, double, double) {
  if (a >= 1025) return 1;
  const double less = a - 1, b = exp(less * real_math::kLog2High + less * real_math::kLog2Low);
  // Of smaller u, x would be no 64-bit integer.
  const double least = exp(-less * 63 * real_math::kLog2High);
  double x = 1;
  while (s.goes_on()) {
    const Words w = s.next();
    const double part_of_one = unit64(w.x[0], w.x[1]), v = unit64(w.x[2], w.x[3]);
    const double u = part_of_one * least + (1 - part_of_one);
    x = floor(exp(-log(u) / less));
    if (x >= kLargestInteger) continue;
    const double part = expm1(less * log1p(1 / x));
    if (v * x * part / (b - 1) <= (part + 1) / b) break;
  }
  return whole(x);
}

/// A. W. Kemp: Efficient generation of logarithmically distributed pseudo-random variables (1981).
inline int64_t logseries(Stream& s, double p, double, double) {
  const double r = p < 0.5 ? log1p(-p) : log(1 - p);
  while (s.goes_on()) {
    const Words w = s.next();
    const double v = unit64(w.x[0], w.x[1]), u = 1 - unit64(w.x[2], w.x[3]);
    if (v >= p) return 1;
    const double q = -expm1(r * u);
    if (v == 0) continue;
    if (v <= q * q) {
      const double found = floor(1 + log(v) / log(q));
      if (found < 1) continue;
      return whole(found);
    }
    return v >= q ? 1 : 2;
  }
  return 1;
}

}  // namespace distributions
}  // namespace
