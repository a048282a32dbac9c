#include "python/dispatch/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "python/convert/array_argument.h"

namespace hither::python {
namespace {

/// Integers of this size are doubles without rounding.
constexpr int64_t kMostExact = int64_t{1} << 53;

bool is_known(const Scalar& number) {
  return number.kind() == Scalar::Kind::kInt || number.kind() == Scalar::Kind::kFloat;
}

bool is_exact(int64_t v) { return -kMostExact <= v && v <= kMostExact; }

}  // namespace

std::optional<Arithmetic> Arithmetic::of(nb::list steps, nb::list constants, size_t all) {
  constexpr std::string_view kOperators[] = {"+", "-", "*", "/", "**"};  // as in Operator
  Arithmetic made;
  made.all_ = all;
  for (nb::handle step : steps) {
    const auto [name, left, right] = nb::cast<std::tuple<std::string, size_t, size_t>>(step);
    const auto* const found = std::ranges::find(kOperators, name);
    if (found == std::end(kOperators)) return std::nullopt;
    made.steps_.push_back({static_cast<Operator>(found - kOperators), left, right});
  }
  for (nb::handle constant : constants) {
    int overflow = 0;
    if (PyLong_Check(constant.ptr())) PyLong_AsLongLongAndOverflow(constant.ptr(), &overflow);
    if (overflow != 0) return std::nullopt;
    const auto number = scalar_of(constant.ptr(), DType::kFloat64);
    if (!number || !is_known(*number)) return std::nullopt;
    made.constants_.push_back(*number);
  }
  return made;
}

bool Arithmetic::run(std::vector<Scalar>& numbers) const {
  const size_t first = numbers.size() + steps_.size() - all_;
  const auto operand = [&](size_t i) -> const Scalar& {
    return i < all_ ? numbers[first + i] : constants_[i - all_];
  };
  for (size_t i = first; i < numbers.size(); ++i)
    if (!is_known(numbers[i])) return false;
  for (const Step& step : steps_) {
    const auto number = computed(step.operation, operand(step.left), operand(step.right));
    if (!number) return false;
    numbers.push_back(*number);
  }
  return true;
}

std::optional<Scalar> Arithmetic::computed(Operator operation, const Scalar& a, const Scalar& b) {
  if (a.kind() == Scalar::Kind::kInt && b.kind() == Scalar::Kind::kInt) {
    const int64_t x = a.integer(), y = b.integer();
    int64_t result = 0;
    bool overflows = false;
    if (operation == Operator::kAdd)
      overflows = __builtin_add_overflow(x, y, &result);
    else if (operation == Operator::kSubtract)
      overflows = __builtin_sub_overflow(x, y, &result);
    else if (operation == Operator::kMultiply)
      overflows = __builtin_mul_overflow(x, y, &result);
    else if (operation == Operator::kDivide && y != 0 && is_exact(x) && is_exact(y))
      return Scalar(static_cast<double>(x) / static_cast<double>(y));
    else
      return std::nullopt;
    return overflows ? std::nullopt : std::optional<Scalar>(result);
  }
  const double x = a.real(), y = b.real();
  switch (operation) {
    case Operator::kAdd:
      return Scalar(x + y);
    case Operator::kSubtract:
      return Scalar(x - y);
    case Operator::kMultiply:
      return Scalar(x * y);
    case Operator::kDivide:
      return y != 0 ? std::optional<Scalar>(x / y) : std::nullopt;
    case Operator::kPower: {  // Python raises an error where the result is infinite
      const double power = std::pow(x, y);
      return x > 0 && std::isnormal(power) ? std::optional<Scalar>(power) : std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace hither::python
