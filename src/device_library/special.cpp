// Special functions of real numbers, after SciPy's conventions. They have no branches, so that
// loops over them become vector instructions. A float's value is computed in double and rounded,
// unless the form for floats is as accurate.
#include <stdint.h>

#include "device_library/libm.h"
#include "device_library/special_tables.h"

namespace special {
namespace {

constexpr double kInf = __builtin_inf();
constexpr double kNan = __builtin_nan("");
constexpr double kPi = 0x1.921fb54442d18p+1;
constexpr double kLogPi = 0x1.250d048e7a1bdp+0;
constexpr double kHalfLog2Pi = 0x1.d67f1c864beb5p-1;
constexpr double kRootOfHalf = 0x1.6a09e667f3bcdp-1, kRootOfHalfLow = -0x1.bdd3413b26456p-55;

template <class F, int N>
inline F polynomial(const F (&coefficients)[N], F x) {
  F sum = coefficients[N - 1];
#pragma clang loop unroll(full)
  for (int i = N - 2; i >= 0; --i) sum = libm::fma(sum, x, coefficients[i]);
  return sum;
}

template <class F, int M, int N>
inline F quotient(const F (&above)[M], const F (&below)[N], F x) {
  return polynomial(above, x) / polynomial(below, x);
}

inline double rint(double x) { return __builtin_rint(x); }
inline bool is_integer(double x) { return x == libm::floor(x); }
inline double less_root(double x, Root root) { return (x - root.high) - root.low; }

// --- inverses of the error function ---

/// erfinv(x), where `product` is (1 - x) (1 + x). Near 0 it is x times a function of
/// w = -log(product), and else the root of w plus a function of w; Giles (GPU Computing Gems, 2011)
/// explains why w is the right variable.
template <bool kWhole>
inline double erfinv_of(double x, double product) {
  const double w = -libm::log(product);
  const bool near = w <= 5;
  double above = near ? polynomial(kErfinvNearP, w) : polynomial(kErfinvFarP, w);
  double below = near ? polynomial(kErfinvNearQ, w) : polynomial(kErfinvFarQ, w);
  if constexpr (kWhole) {  // erfinv ends at w = 37, its complement's inverse at 745
    const double s = libm::sqrt(w);
    above = s > 6.05 ? polynomial(kErfinvTailP, s) : above;
    below = s > 6.05 ? polynomial(kErfinvTailQ, s) : below;
  }
  const double rest = above / below;
  return near ? x * rest : libm::copysign(w == kInf ? w : libm::sqrt(w + rest), x);
}

/// x times one of two polynomials of w, without a root and a division.
inline float erfinv(float x) {
  const float w = -libm::log(libm::fma(-x, x, 1.0f));
  const float found =
      x * (w <= 5.5f ? polynomial(kErfinvFloatP, w) : polynomial(kErfinvFloatEndP, w - 11));
  return w == float(kInf) ? libm::copysign(w, x) : found;
}

inline float erfcinv_of(float x, float product) {
  const float w = -libm::log(product);
  const bool near = w <= 5;
  const float above = near ? polynomial(kErfinvNearFloatP, w) : polynomial(kErfinvFarFloatP, w);
  const float below = near ? polynomial(kErfinvNearFloatQ, w) : polynomial(kErfinvFarFloatQ, w);
  const float rest = above / below;
  return near ? x * rest : libm::copysign(w == float(kInf) ? w : libm::sqrt(w + rest), x);
}

inline double erfinv(double x) { return erfinv_of<false>(x, (1 - x) * (1 + x)); }
inline double erfcinv(double y) { return erfinv_of<true>(-(y - 1), y * (2 - y)); }
inline float erfcinv(float y) { return erfcinv_of(-(y - 1), y * (2 - y)); }

template <class F>
F ndtri(F p) {
  return F(-0x1.6a09e667f3bcdp+0) * erfcinv(2 * p);
}

// --- the normal distribution ---

/// x / sqrt(2), and what its rounding has left.
struct Scaled {
  double value, rest;
};

inline Scaled over_root_of_2(double x) {
  const double value = x * kRootOfHalf;
  return {value, libm::fma(x, kRootOfHalf, -value) + x * kRootOfHalfLow};
}

/// erfc of far numbers is steep: its logarithmic derivative, nearly, corrects it for the rest.
inline double ndtr(double x) {
  const Scaled z = over_root_of_2(-x);
  const double slope = z.value + libm::sqrt(libm::fma(z.value, z.value, 4 / kPi));
  const double value = 0.5 * libm::erfc(z.value);
  return z.value > 0.5 && z.value < 40 ? value * (1 - z.rest * slope) : value;
}

inline double erfcx(double x) {
  const double size = libm::fabs(x);
  const double v = 1 / (1 + size);
  const double tail = v * quotient(kErfcxP, kErfcxQ, v);
  const double square = size * size;
  const double rest = libm::fma(size, size, -square);
  const double power = 2 * libm::exp(square);
  const double other = power == kInf ? power : libm::fma(power, rest, power) - tail;
  return x < 0 ? other : tail;
}

inline double log_ndtr(double x) {
  const bool far = x < -1;
  const double inside = libm::log(0.5 * erfcx(far ? -x * kRootOfHalf : 0)) - 0.5 * x * x;
  return far ? inside : libm::log1p(-ndtr(-x));
}

// --- the gamma function ---

inline double log_gamma_series(double u, double log_of_u) {
  const double v = 1 / u;
  return libm::fma(u - 0.5, log_of_u - 1, kHalfLog2Pi - 0.5) +
         v * polynomial(kStirlingTailP, v * v);
}

/// sin(pi u), without a sign.
inline double sine_of_pi(double u) {
  const double r = u - rint(u);
  return libm::fabs(r) * polynomial(kSinPiP, r * r);
}

/// By a quotient with the zeros at 1 and 2 as factors, from 8 on by Stirling's series, and for
/// negative numbers by reflection.
inline double gammaln(double x) {
  const double u = libm::fabs(x);
  const bool low = u < 1, high = u >= 8;
  const double z = low ? u + 1 : u;
  const double log_of_u = libm::log(low || high ? u : 1);
  const double near =
      (low ? u : u - 1) * (low ? u - 1 : u - 2) * quotient(kLogGammaP, kLogGammaQ, z);
  const double far = u == kInf ? u : log_gamma_series(u, log_of_u);
  const double above = high ? far : near;  // of u + 1 where u is low
  const double reflected = (kLogPi - libm::log(sine_of_pi(u) * (low ? 1 : u))) - above;
  const double value = low ? above - log_of_u : above;
  const double negative = u == kInf ? x : reflected;
  return x < 0 ? negative : value;
}

inline double gamma(double x) {
  const double value = libm::tgamma(x);
  const double at_pole = x == 0 ? libm::copysign(kInf, x) : kNan;
  return x <= 0 && is_integer(x) ? at_pole : value;
}

inline double gammasgn(double x) {
  const double below = libm::floor(x);
  const bool is_odd = below != 2 * libm::floor(0.5 * below);
  const double sign = x > 0 ? 1 : is_odd ? -1 : 1;
  const double at_pole = x == 0 ? libm::copysign(1.0, x) : kNan;
  return x != x ? x : x <= 0 && below == x ? at_pole : sign;
}

inline double rgamma(double x) {
  const bool far = libm::fabs(x) > 171;
  const double value = 1 / libm::tgamma(x);
  const double sign = x > 0 ? 1 : gammasgn(x);
  const double distant = sign * libm::exp(-gammaln(far ? x : 1));
  return x <= 0 && is_integer(x) ? 0 : far ? distant : value;
}

inline double digamma(double x) {
  const bool is_negative = x < 0;
  const double u = is_negative ? 1 - x : x;
  const bool low = u < 1;
  const double z = low ? u + 1 : u;
  const double v = 1 / z, t = v * v;
  const double near = less_root(z, kPsiRoot) * quotient(kPsiP, kPsiQ, z);
  const double far = libm::log(z) - libm::fma(t, quotient(kPsiTailP, kPsiTailQ, t), 0.5 * v);
  const double value = (z < 2 ? near : far) - (low ? 1 / u : 0);
  const double reflected = value - kPi / libm::tan(kPi * (x - rint(x)));
  const double at_root = less_root(x, kPsiNegativeRoot) * quotient(kPsiNegativeP, kPsiNegativeQ, x);
  const double below = x > -0.7 && x < -0.3 ? at_root : reflected;
  return !is_negative ? value : is_integer(x) ? kNan : below;
}

/// The rest of Stirling's series.
inline double stirling_rest(double u) {
  const double v = 1 / u;
  return v * polynomial(kStirlingTailP, v * v);
}

/// For numbers above 0: with the larger one from 8 on, Stirling's series without the terms that
/// cancel.
inline double betaln_positive(double a, double b) {
  const double small = a < b ? a : b, large = a < b ? b : a, sum = a + b;
  const double ratio = small / large;
  const double log_of_small = gammaln(small), log_of_large = libm::log(large);
  const double rest = stirling_rest(large) - stirling_rest(sum);
  const double common = rest - (sum - 0.5) * libm::log1p(ratio);
  const double one_far = log_of_small + (common - small * (log_of_large - 1));
  const double both_far = (common + stirling_rest(small)) +
                          ((small - 0.5) * libm::log(ratio) + (kHalfLog2Pi - 0.5 * log_of_large));
  const double near = log_of_small + (gammaln(large) - gammaln(sum));
  const double far = large == kInf ? -kInf : small < 8 ? one_far : both_far;
  return large < 8 ? near : far;
}

/// log(abs(beta(small, large))) for a large number far above the other one, which is negative.
inline double betaln_far(double small, double large) {
  const double c = small * (1 - small), v = 1 / large;
  const double series = c * v * (0.5 + v / 12 * ((1 - 2 * small) - c * v));
  return gammaln(small) - small * libm::log(large) + series;
}

inline double betaln_regular(double a, double b) {
  const double small = libm::fabs(a) < libm::fabs(b) ? a : b;
  const double large = libm::fabs(a) < libm::fabs(b) ? b : a;
  const bool far = large > 1e6 && large > 1e6 * libm::fabs(small);
  const double any = gammaln(small) + (gammaln(large) - gammaln(a + b));
  const double mixed = far ? betaln_far(small, far ? large : 1) : any;
  return a > 0 && b > 0 ? betaln_positive(a, b) : mixed;
}

/// beta(a, b) for numbers of any sign that are no poles.
inline double beta_regular(double a, double b) {
  const double sum = a + b;
  const double small = libm::fabs(a) < libm::fabs(b) ? a : b;
  const double large = libm::fabs(a) < libm::fabs(b) ? b : a;
  const bool is_zero = sum <= 0 && is_integer(sum);
  const bool fits = libm::fabs(large) < 170 && libm::fabs(sum) < 170;
  const double near = libm::tgamma(large) / libm::tgamma(is_zero ? 1 : sum) * libm::tgamma(small);
  const double sign = gammasgn(a) * gammasgn(b) * gammasgn(is_zero ? 1 : sum);
  const double far = sign * libm::exp(betaln_regular(a, b));
  const double at_poles = sum / a / b;  // where the functions of `near` are infinite
  return is_zero ? 0 : libm::fabs(large) < 1e-200 ? at_poles : fits ? near : far;
}

/// An argument that is an integer below 1 has a value only with another integer; beta(a, b) is then
/// a multiple of beta(1 - a - b, b).
struct Reflected {
  double a, b, sign;
  bool is_pole;
};

inline Reflected reflect(double a, double b) {
  const bool first = a <= 0 && is_integer(a), second = b <= 0 && is_integer(b);
  const double pole = first ? a : b, other = first ? b : a, replaced = 1 - pole - other;
  const bool fits = libm::fabs(pole) < 0x1p31 && libm::fabs(other) < 0x1p31;
  const bool is_possible = fits && is_integer(other) && replaced > 0;
  const bool is_odd = other != 2 * libm::floor(0.5 * other);
  const bool either = first || second;
  return {either ? replaced : a, either ? other : b, either && is_possible && is_odd ? -1.0 : 1.0,
          either && !(is_possible && other > 0)};
}

inline double beta(double a, double b) {
  const Reflected r = reflect(a, b);
  const double value = beta_regular(r.is_pole ? 1 : r.a, r.is_pole ? 1 : r.b);
  return r.sign * (r.is_pole ? kInf : value);
}

inline double betaln(double a, double b) {
  const Reflected r = reflect(a, b);
  return r.is_pole ? kInf : betaln_regular(r.is_pole ? 1 : r.a, r.is_pole ? 1 : r.b) + 0.0;
}

// --- Bessel functions ---

/// Factors of the functions of one order far from 0, and of their phases.
struct Far {
  double p, q, cosine, sine;
};

/// J and Y of an order are sqrt(2 / (pi x)) (P cos c - Q sin c) and (P sin c + Q cos c) there, with
/// c = x - pi / 4, less pi / 2 for order 1.
template <int kOrder>
inline Far far_of(double x) {
  const double v = 1 / x, t = v * v;
  const double p = kOrder == 0 ? quotient(kP0P, kP0Q, t) : quotient(kP1P, kP1Q, t);
  const double q = v * (kOrder == 0 ? quotient(kQ0P, kQ0Q, t) : quotient(kQ1P, kQ1Q, t));
  const double c = libm::cos(x), s = libm::sin(x);
  const double size = libm::sqrt(v) * 0x1.20dd750429b6dp-1;  // 1 / sqrt(pi)
  const double cosine = size * (c + s), sine = size * (s - c);
  return kOrder == 0 ? Far{p, q, cosine, sine} : Far{p, q, sine, -cosine};
}

template <int kOrder>
inline double j(double x) {
  constexpr Root root = kOrder == 0 ? kJ0Root : kJ1Root;
  const double u = libm::fabs(x), s = u * u;
  const double roots = less_root(u, root) * ((u + root.high) + root.low);
  const double near = roots * (kOrder == 0 ? quotient(kJ0P, kJ0Q, s) : u * quotient(kJ1P, kJ1Q, s));
  const bool is_near = u <= 5;
  const Far f = far_of<kOrder>(is_near ? 5 : u);
  const double far = f.p * f.cosine - f.q * f.sine;
  const double value = is_near ? near : far;
  if constexpr (kOrder == 0) return u < 0x1p-27 ? 1 : value;
  return x < 0 ? -value : value;
}

template <int kOrder>
inline double y(double x) {
  const bool is_near = x <= 5;
  const double s = x * x;
  const double logarithm = libm::log(is_near ? x : 1);
  const double product = logarithm * j<kOrder>(is_near ? x : 1);
  const double near = kOrder == 0 ? quotient(kY0P, kY0Q, s) + 2 / kPi * product
                                  : x * quotient(kY1P, kY1Q, s) + 2 / kPi * (product - 1 / x);
  const Far f = far_of<kOrder>(is_near ? 5 : x);
  const double far = f.p * f.sine + f.q * f.cosine;
  const double value = is_near ? near : far;
  return x == 0 ? -kInf : x < 0 ? kNan : value;
}

/// The modified Bessel function of the first kind; kScaled: times exp(-|x|). Far from 0 the
/// exponential is two factors, because it overflows before the product does.
template <int kOrder, bool kScaled>
inline double i(double x) {
  const double u = libm::fabs(x), s = u * u, v = 1 / u, t = libm::fma(16.0, v, -1.0);
  const double near = kOrder == 0 ? polynomial(kI0P, s) : u * polynomial(kI1P, s);
  const double far =
      libm::sqrt(v) * (kOrder == 0 ? polynomial(kI0FarP, t) : polynomial(kI1FarP, t));
  const bool is_near = u <= 8;
  const double power = libm::exp(kScaled ? -u : 0.5 * u);
  const double value = kScaled   ? (is_near ? near * power : far)
                       : is_near ? near
                                 : far * power * power;
  return kOrder == 1 && x < 0 ? -value : value;
}

/// exp(x) times the modified Bessel function of the second kind.
template <int kOrder, bool kScaled>
inline double k(double x) {
  const double s = x * x, v = 1 / x;
  const double logarithm = libm::log(0.5 * x);
  const double near =
      kOrder == 0
          ? quotient(kK0P, kK0Q, s) - logarithm * polynomial(kI0SeriesP, s)
          : libm::fma(x, quotient(kK1P, kK1Q, s) + logarithm * polynomial(kI1SeriesP, s), v);
  const double far =
      libm::sqrt(v) * (kOrder == 0 ? quotient(kK0FarP, kK0FarQ, v) : quotient(kK1FarP, kK1FarQ, v));
  const bool is_near = x <= 2;
  const double power = libm::exp(kScaled ? (is_near ? x : 0) : (is_near ? 0 : -x));
  const double value = (is_near ? near : far) * power;
  return x == 0 ? kInf : x < 0 ? kNan : value;
}

// --- logistic functions, entropies and powers ---

template <class F>
inline F expit(F x) {
  return 1 / (1 + libm::exp(-x));
}

template <class F>
inline F log_expit(F x) {
  const F rest = libm::log1p(libm::exp(-libm::fabs(x)));
  return x < 0 ? x - rest : -rest;
}

inline double logit(double p) {
  const double s = 2 * (p - 0.5);
  const bool is_near = p > 0.3 && p < 0.65;
  const double near = libm::log1p(is_near ? s : 0) - libm::log1p(is_near ? -s : 0);
  return is_near ? near : libm::log(p / (1 - p));
}

template <class F>
inline F xlogy(F x, F y) {
  return x == 0 && y == y ? 0 : x * libm::log(y);
}

template <class F>
inline F xlog1py(F x, F y) {
  return x == 0 && y == y ? 0 : x * libm::log1p(y);
}

template <class F>
inline F entr(F x) {
  const F value = -x * libm::log(x);
  return x == 0 ? 0 : x < 0 ? F(-kInf) : value;
}

/// x log(x / y) for positive numbers. The quotient may be near 1, too small or infinite.
inline double relative_entropy(double x, double y) {
  const double ratio = x / y;
  const bool is_near = ratio > 0.5 && ratio < 2, fits = ratio > 0x1p-1022 && ratio < kInf;
  const double near = libm::log1p(is_near ? (x - y) / y : 0);
  const double far = libm::log(fits ? ratio : x) - (fits ? 0 : libm::log(y));
  return x * (is_near ? near : far);
}

inline double rel_entr(double x, double y) {
  const double value = relative_entropy(x, y);
  const double other = x == 0 && y >= 0 ? 0 : kInf;
  return x != x || y != y ? x + y : x > 0 && y > 0 ? value : other;
}

inline double kl_div(double x, double y) {
  const double value = x * libm::log(x / y) - x + y;
  const double other = x == 0 && y >= 0 ? y : kInf;
  return x != x || y != y ? x + y : x > 0 && y > 0 ? value : other;
}

inline double exprel(double x) {
  const double value = x > 717 ? kInf : libm::expm1(x) / x;
  return libm::fabs(x) < 0x1p-53 ? 1 : value;
}

/// (exp(power log) - 1) / power, which also holds where the exponential alone overflows.
inline double box_cox(double logarithm, double power) {
  const double exponent = power * logarithm;
  const bool fits = exponent < 709;
  const double near = libm::expm1(fits ? exponent : 0) / power;
  const double far = libm::copysign(libm::exp(exponent - libm::log(libm::fabs(power))), power);
  const double value = fits ? near : far - 1 / power;
  const bool underflows = libm::fabs(exponent) < 0x1p-1000 && libm::fabs(power) < 1;
  return libm::fabs(power) < 1e-19 || underflows ? logarithm
         : exponent != exponent                  ? exponent
                                                 : value;
}

inline double boxcox(double x, double power) { return box_cox(libm::log(x), power); }
inline double boxcox1p(double x, double power) { return box_cox(libm::log1p(x), power); }

/// log(1 + power x) / power, also where the product overflows.
inline double inverse_exponent(double x, double power) {
  const double product = power * x;
  const bool fits = product < kInf;
  const double far = libm::log(libm::fabs(fits ? 1 : x)) + libm::log(libm::fabs(power));
  return (fits ? libm::log1p(product) : far) / power;
}

inline double inv_boxcox(double x, double power) {
  return libm::exp(power == 0 ? x : inverse_exponent(x, power));
}

inline double inv_boxcox1p(double x, double power) {
  const double value = libm::expm1(power == 0 ? x : inverse_exponent(x, power));
  return libm::fabs(power * x) < 1e-154 && power != 0 ? x : value;
}

inline double exp10(double x) { return __builtin_exp10(x); }

}  // namespace
}  // namespace special

#define HITHER_SPECIAL_1(NAME, DOUBLE, FLOAT)                           \
  extern "C" double hither_##NAME##_f64(double x) { return DOUBLE(x); } \
  extern "C" float hither_##NAME##_f32(float x) { return static_cast<float>(FLOAT(x)); }
#define HITHER_SPECIAL_2(NAME, DOUBLE, FLOAT)                                        \
  extern "C" double hither_##NAME##_f64(double x, double y) { return DOUBLE(x, y); } \
  extern "C" float hither_##NAME##_f32(float x, float y) { return static_cast<float>(FLOAT(x, y)); }
#define HITHER_IN_DOUBLE_1(NAME) HITHER_SPECIAL_1(NAME, special::NAME, special::NAME)
#define HITHER_IN_DOUBLE_2(NAME) HITHER_SPECIAL_2(NAME, special::NAME, special::NAME)
#define HITHER_IN_BOTH_1(NAME) HITHER_SPECIAL_1(NAME, special::NAME<double>, special::NAME<float>)
#define HITHER_IN_BOTH_2(NAME) HITHER_SPECIAL_2(NAME, special::NAME<double>, special::NAME<float>)

HITHER_SPECIAL_1(erfinv, special::erfinv, special::erfinv)
HITHER_SPECIAL_1(erfcinv, special::erfcinv, special::erfcinv)
HITHER_IN_BOTH_1(ndtri)
HITHER_IN_DOUBLE_1(ndtr)
HITHER_IN_DOUBLE_1(log_ndtr)
HITHER_IN_DOUBLE_1(erfcx)
HITHER_IN_DOUBLE_1(gamma)
HITHER_IN_DOUBLE_1(gammaln)
HITHER_IN_DOUBLE_1(gammasgn)
HITHER_IN_DOUBLE_1(rgamma)
HITHER_IN_DOUBLE_1(digamma)
HITHER_IN_DOUBLE_2(beta)
HITHER_IN_DOUBLE_2(betaln)
HITHER_SPECIAL_1(j0, special::j<0>, special::j<0>)
HITHER_SPECIAL_1(j1, special::j<1>, special::j<1>)
HITHER_SPECIAL_1(y0, special::y<0>, special::y<0>)
HITHER_SPECIAL_1(y1, special::y<1>, special::y<1>)
HITHER_SPECIAL_1(i0, (special::i<0, false>), (special::i<0, false>))
HITHER_SPECIAL_1(i1, (special::i<1, false>), (special::i<1, false>))
HITHER_SPECIAL_1(i0e, (special::i<0, true>), (special::i<0, true>))
HITHER_SPECIAL_1(i1e, (special::i<1, true>), (special::i<1, true>))
HITHER_SPECIAL_1(k0, (special::k<0, false>), (special::k<0, false>))
HITHER_SPECIAL_1(k1, (special::k<1, false>), (special::k<1, false>))
HITHER_SPECIAL_1(k0e, (special::k<0, true>), (special::k<0, true>))
HITHER_SPECIAL_1(k1e, (special::k<1, true>), (special::k<1, true>))
HITHER_IN_BOTH_1(expit)
HITHER_IN_BOTH_1(log_expit)
HITHER_IN_DOUBLE_1(logit)
HITHER_IN_BOTH_2(xlogy)
HITHER_IN_BOTH_2(xlog1py)
HITHER_IN_BOTH_1(entr)
HITHER_IN_DOUBLE_2(rel_entr)
HITHER_IN_DOUBLE_2(kl_div)
HITHER_IN_DOUBLE_1(exprel)
HITHER_IN_DOUBLE_2(boxcox)
HITHER_IN_DOUBLE_2(boxcox1p)
HITHER_IN_DOUBLE_2(inv_boxcox)
HITHER_IN_DOUBLE_2(inv_boxcox1p)
HITHER_IN_DOUBLE_1(exp10)
