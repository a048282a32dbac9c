// The device library's table functions, run on this machine, whose arithmetic equals a CUDA
// device's. long double has eleven more bits than double.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>

#include <doctest/doctest.h>

#include "device_library/table_math.cpp"

namespace {

using Function = double (*)(double);
using Exact = long double (*)(long double);

/// The error in ulp of a double near `right`.
double error_of(double found, long double right) {
  const auto nearest = static_cast<double>(right);
  if (!std::isfinite(nearest)) return found == nearest ? 0 : 1e300;
  const int exponent = std::max(std::ilogb(std::max(std::fabs(nearest), 0x1p-1022)), -1022);
  return static_cast<double>(std::fabs(found - right) / std::ldexp(1.0L, exponent - 52));
}

double largest_error(Function f, Exact exact, double from, double to) {
  constexpr int kSteps = 200'000;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> within(0, 1);
  double largest = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double x = std::clamp(from + (to - from) * ((i + within(random)) / kSteps), from, to);
    largest = std::max(largest, error_of(f(x), exact(x)));
  }
  return largest;
}

}  // namespace

TEST_CASE("exp by tables has at most its documented error, small results included") {
  const Exact exact = [](long double x) { return std::exp(x); };
  CHECK(largest_error(hither_exp_f64, exact, -1, 1) < 0.54);
  CHECK(largest_error(hither_exp_f64, exact, -708, 709.7) < 0.54);
  CHECK(largest_error(hither_exp_f64, exact, -745.1, -708) < 0.77);
  CHECK(hither_exp_f64(0) == 1);
  CHECK(hither_exp_f64(-0.0) == 1);
  CHECK(hither_exp_f64(0x1p-1074) == 1);
  CHECK(hither_exp_f64(0x1.62e42fefa39efp9) ==
        std::exp(0x1.62e42fefa39efp9));  // the largest finite result
  CHECK(hither_exp_f64(0x1.62e42fefa39f0p9) == kInfinity);
  CHECK(hither_exp_f64(-745.13) == 0x1p-1074);
  CHECK(hither_exp_f64(-745.14) == 0);
  CHECK(hither_exp_f64(-1e308) == 0);
  CHECK(hither_exp_f64(-kInfinity) == 0);
  CHECK(hither_exp_f64(kInfinity) == kInfinity);
  CHECK(std::isnan(hither_exp_f64(kNan)));
  CHECK(std::isnan(hither_exp_f64(-kNan)));
}

TEST_CASE("log by tables has at most its documented error, near 1 too") {
  const Exact exact = [](long double x) { return std::log(x); };
  for (const auto& [from, to] : {std::pair{0.5, 2.0},
                                 {0.97, 1.02},
                                 {0.998, 1.0},
                                 {1.0, 1.0001},
                                 {1.0039, 1.00394},
                                 {0.998, 0.9981},
                                 {2.0, 1e6},
                                 {1e300, 1e308}})
    CHECK(largest_error(hither_log_f64, exact, from, to) < 0.9);
  CHECK(largest_error(hither_log_f64, exact, 0x1p-1074, 0x1p-1022) < 0.9);
  CHECK(std::signbit(hither_log_f64(1)) == false);
  CHECK(hither_log_f64(1) == 0);
  CHECK(hither_log_f64(0.0) == -kInfinity);
  CHECK(hither_log_f64(-0.0) == -kInfinity);
  CHECK(std::isnan(hither_log_f64(-1)));
  CHECK(std::isnan(hither_log_f64(-0x1p-1074)));
  CHECK(std::isnan(hither_log_f64(-kInfinity)));
  CHECK(hither_log_f64(kInfinity) == kInfinity);
  CHECK(std::isnan(hither_log_f64(kNan)));
}

TEST_CASE("erf by tables has at most its documented error, and odd") {
  const Exact exact = [](long double x) { return std::erf(x); };
  for (const auto& [from, to] : {std::pair{0.0, 6.2},
                                 {0.0, 0.004},
                                 {0.0039, 0.0118},
                                 {0.0117, 0.03},
                                 {1e-10, 1e-9},
                                 {5.8, 6.0},
                                 {-3.0, 0.0}})
    CHECK(largest_error(hither_erf_f64, exact, from, to) < 1.36);
  for (double x : {0.0, 0x1p-1074, 1e-310, 0.3, 5.99, 6.0, 30.0, 1e308, kInfinity})
    CHECK(hither_erf_f64(-x) == -hither_erf_f64(x));
  CHECK(std::signbit(hither_erf_f64(-0.0)));
  CHECK(hither_erf_f64(0x1p-1074) == 0x1p-1074);
  CHECK(hither_erf_f64(5.95) == 1);
  CHECK(hither_erf_f64(1e308) == 1);
  CHECK(hither_erf_f64(-kInfinity) == -1);
  CHECK(std::isnan(hither_erf_f64(kNan)));
  CHECK(std::isnan(hither_erf_f64(-kNan)));
}

TEST_CASE("log1p by tables has at most its documented error, and keeps the sign of zero") {
  const Exact exact = [](long double x) { return std::log1p(x); };
  for (const auto& [from, to] : {std::pair{-1.0, 1.0},
                                 {-0.01, 0.01},
                                 {-1e-10, 1e-10},
                                 {-1 + 1e-10, -0.99},
                                 {1.0, 100.0},
                                 {0.0035, 0.012},
                                 {1e15, 1e20},
                                 {1e300, 1e308}})
    CHECK(largest_error(hither_log1p_f64, exact, from, to) < 1.14);
  for (double x : {0.0, -0.0, 0x1p-1074, -0x1p-1074, 1e-310, -0x1p-60}) {
    CHECK(hither_log1p_f64(x) == x);
    CHECK(std::signbit(hither_log1p_f64(x)) == std::signbit(x));
  }
  CHECK(hither_log1p_f64(-1) == -kInfinity);
  CHECK(hither_log1p_f64(kInfinity) == kInfinity);
  for (double x : {-1.5, -kInfinity, kNan}) CHECK(std::isnan(hither_log1p_f64(x)));
}

namespace {

/// The largest error in ulp for bases and exponents in these ranges.
template <class T>
double largest_error_of_pow(T (*pow)(T, T), T x_from, T x_to, T y_from, T y_to) {
  constexpr int kSteps = 400'000;
  std::mt19937_64 random(2);
  std::uniform_real_distribution<T> bases(x_from, x_to), exponents(y_from, y_to);
  double largest = 0;
  for (int i = 0; i < kSteps; ++i) {
    const T x = bases(random), y = exponents(random);
    const long double right = std::pow(static_cast<long double>(x), static_cast<long double>(y));
    const auto nearest = static_cast<T>(right);
    if (!std::isfinite(nearest) || std::fabs(nearest) < std::numeric_limits<T>::min()) {
      if (std::fabs(pow(x, y) - nearest) > std::numeric_limits<T>::denorm_min()) return 1e300;
      continue;
    }
    const long double unit =
        std::ldexp(1.0L, std::ilogb(nearest) + 1 - std::numeric_limits<T>::digits);
    largest = std::max(largest, static_cast<double>(std::fabs(pow(x, y) - right) / unit));
  }
  return largest;
}

template <class T>
void check_special_powers(T (*pow)(T, T)) {
  const T inf = std::numeric_limits<T>::infinity(), least = std::numeric_limits<T>::denorm_min();
  const T all[] = {T(0),       least,          std::numeric_limits<T>::min(),
                   T(0.5),     T(1),           T(1.5),
                   T(2),       T(3),           T(4),
                   T(1e7) + 1, T(1e30),        std::numeric_limits<T>::max(),
                   inf,        T(std::nan(""))};
  for (T a : all)
    for (T c : all)
      for (const auto& [x, y] : {std::pair{a, c}, {-a, c}, {a, -c}, {-a, -c}}) {
        CAPTURE(x);
        CAPTURE(y);
        const T found = pow(x, y), right = std::pow(x, y);
        CHECK(std::isnan(found) == std::isnan(right));
        if (std::isnan(right)) continue;
        CHECK(std::signbit(found) == std::signbit(right));
        if (right == 0 || std::isinf(right))
          CHECK(found == right);
        else
          CHECK(std::fabs(found - right) <=
                std::max(least, std::fabs(right) * std::numeric_limits<T>::epsilon()));
      }
}

}  // namespace

TEST_CASE("pow by tables has at most its documented error, small and large results included") {
  const auto pow = hither_pow_f64;
  for (const auto& [x_from, x_to, y_from, y_to] : {std::tuple{0.01, 100.0, -100.0, 100.0},
                                                   {0.99, 1.01, -7e4, 7e4},
                                                   {0.5, 2.0, -1000.0, 1000.0},
                                                   {0.999999, 1.000001, -7e8, 7e8},
                                                   {1e-300, 1e300, -1.0, 1.0},
                                                   {0x1p-1074, 0x1p-1023, -0.9, 0.9},
                                                   {0.68, 0.72, -1800.0, 1800.0},
                                                   {1.38, 1.43, 1900.0, 2000.0}})
    CHECK(largest_error_of_pow(pow, x_from, x_to, y_from, y_to) < 0.55);
  check_special_powers(pow);
}

TEST_CASE("pow of floats by tables is almost correctly rounded") {
  const auto pow = hither_pow_f32;
  for (const auto& [x_from, x_to, y_from, y_to] : {std::tuple{0.01f, 100.0f, -20.0f, 20.0f},
                                                   {0.99f, 1.01f, -8000.0f, 8000.0f},
                                                   {1e-38f, 1e38f, -1.0f, 1.0f},
                                                   {1e-45f, 1e-39f, -0.9f, 0.9f},
                                                   {0.5f, 2.0f, -150.0f, 150.0f}})
    CHECK(largest_error_of_pow(pow, x_from, x_to, y_from, y_to) < 0.501);
  check_special_powers(pow);
}
