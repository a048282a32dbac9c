// The device library's tables, as this machine computes with them: a CUDA device's arithmetic is
// the same. long double has eleven bits more than double.
#include <algorithm>
#include <cmath>
#include <random>

#include <doctest/doctest.h>

#include "device_library/table_math.cpp"

namespace {

using Function = double (*)(double);
using Exact = long double (*)(long double);

/// In units of the last place of a double near `right`.
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

TEST_CASE("exp by tables is right to its documented error, small results included") {
  const Exact exact = [](long double x) { return std::exp(x); };
  CHECK(largest_error(hither_exp_f64, exact, -1, 1) < 0.54);
  CHECK(largest_error(hither_exp_f64, exact, -708, 709.7) < 0.54);
  CHECK(largest_error(hither_exp_f64, exact, -745.1, -708) < 0.77);
  CHECK(hither_exp_f64(0) == 1);
  CHECK(hither_exp_f64(-0.0) == 1);
  CHECK(hither_exp_f64(0x1p-1074) == 1);
  CHECK(hither_exp_f64(0x1.62e42fefa39efp9) == std::exp(0x1.62e42fefa39efp9));  // the last one
  CHECK(hither_exp_f64(0x1.62e42fefa39f0p9) == kInfinity);
  CHECK(hither_exp_f64(-745.13) == 0x1p-1074);
  CHECK(hither_exp_f64(-745.14) == 0);
  CHECK(hither_exp_f64(-1e308) == 0);
  CHECK(hither_exp_f64(-kInfinity) == 0);
  CHECK(hither_exp_f64(kInfinity) == kInfinity);
  CHECK(std::isnan(hither_exp_f64(kNan)));
  CHECK(std::isnan(hither_exp_f64(-kNan)));
}

TEST_CASE("log by tables is right to its documented error, near 1 too") {
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

TEST_CASE("erf by tables is right to its documented error, and odd") {
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
