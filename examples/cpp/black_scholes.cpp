// Prices a million European options with arrays, in one fused kernel on the default device, and
// compares the prices with the same formula in plain C++.
#include <hither/array.h>
#include <hither/error.h>
#include <hither/ops.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace {

constexpr double kRate = 0.02;       // per year
constexpr double kVolatility = 0.3;  // per square root of a year
const double kRootHalf = std::sqrt(0.5);

struct Prices {
  hither::Array call, put;
};

// Black and Scholes 1973; puts by put-call parity.
Prices price(const hither::Array& spot, const hither::Array& strike, const hither::Array& years) {
  using hither::Array;
  const auto normal = [](const Array& d) { return 0.5 + 0.5 * hither::erf(d * kRootHalf); };
  const Array deviation = kVolatility * hither::sqrt(years);
  const Array drift = (kRate + 0.5 * kVolatility * kVolatility) * years;
  const Array d1 = (hither::log(spot / strike) + drift) / deviation;
  const Array discounted = strike * hither::exp(-kRate * years);
  const Array call = spot * normal(d1) - discounted * normal(d1 - deviation);
  return {call, call - spot + discounted};
}

double call_price(double spot, double strike, double years) {
  const double deviation = kVolatility * std::sqrt(years);
  const double drift = (kRate + 0.5 * kVolatility * kVolatility) * years;
  const double d1 = (std::log(spot / strike) + drift) / deviation;
  const auto normal = [](double d) { return 0.5 + 0.5 * std::erf(d * kRootHalf); };
  return spot * normal(d1) - strike * std::exp(-kRate * years) * normal(d1 - deviation);
}

std::vector<double> uniform(std::mt19937_64& engine, size_t count, double low, double high) {
  std::uniform_real_distribution<double> distribution(low, high);
  std::vector<double> values(count);
  for (double& value : values) value = distribution(engine);
  return values;
}

int run() {
  constexpr size_t kCount = 1'000'000;
  std::mt19937_64 engine(1973);
  const auto spot = uniform(engine, kCount, 50, 150);
  const auto strike = uniform(engine, kCount, 50, 150);
  const auto years = uniform(engine, kCount, 0.1, 2);

  const hither::Allocate where{hither::Queue::default_queue()};
  const auto on_device = [&](const std::vector<double>& x) {
    return hither::from_host(x.data(), {static_cast<int64_t>(kCount)}, {sizeof(double)},
                             hither::DType::kFloat64, where);
  };
  const hither::Array s = on_device(spot), k = on_device(strike), t = on_device(years);

  double best = 1e9;
  Prices prices;
  for (int i = 0; i < 5; ++i) {  // the first iteration compiles
    const auto before = std::chrono::steady_clock::now();
    prices = price(s, k, t);
    prices.put.synchronize();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count());
  }

  std::vector<double> call(kCount), put(kCount);
  hither::to_host(prices.call, call.data());
  hither::to_host(prices.put, put.data());
  double worst = 0;
  for (size_t i = 0; i < kCount; ++i) {
    const double expected = call_price(spot[i], strike[i], years[i]);
    const double parity = expected - spot[i] + strike[i] * std::exp(-kRate * years[i]);
    worst = std::max({worst, std::abs(call[i] - expected), std::abs(put[i] - parity)});
  }
  std::printf("%zu calls and puts on %s in %.2f ms, off by %.1e at most\n", kCount,
              prices.put.device().filter_string().c_str(), best * 1e3, worst);
  return worst <= 1e-11 ? 0 : 1;
}

}  // namespace

int main() try { return run(); } catch (const hither::Error& error) {
  return std::fprintf(stderr, "%s\n", error.what()), 1;
}
