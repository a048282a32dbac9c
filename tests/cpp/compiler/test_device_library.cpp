#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>
#include <hither/error.h>

#include "compiler/compiler.h"
#include "kernel_texts.h"

using namespace hither;
using namespace hither::compiler;
using namespace hither::compiler::tests;

namespace {

/// c[i] = hither_<name>(a[i], b[i]) for one type of IR.
target::KernelModule binary(const std::string& name, const std::string& type) {
  std::string text = R"(
    declare i64 @hither.global_id(i32)
    declare T @hither_NAME(T, T)
    define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c) {
      %i = call i64 @hither.global_id(i32 0)
      %pa = getelementptr T, ptr addrspace(1) %a, i64 %i
      %pb = getelementptr T, ptr addrspace(1) %b, i64 %i
      %pc = getelementptr T, ptr addrspace(1) %c, i64 %i
      %x = load T, ptr addrspace(1) %pa
      %y = load T, ptr addrspace(1) %pb
      %z = call T @hither_NAME(T %x, T %y)
      store T %z, ptr addrspace(1) %pc
      ret void
    })";
  auto replace_all = [&](const std::string& what, const std::string& with) {
    for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
      text.replace(at, what.size(), with);
  };
  replace_all("T @", type + " @");
  replace_all("(T, T)", "(" + type + ", " + type + ")");
  replace_all("T %", type + " %");
  replace_all("T, ptr", type + ", ptr");
  replace_all("NAME", name);
  return module_of(text, {Parameter::kPointer, Parameter::kPointer, Parameter::kPointer});
}

template <class T>
std::vector<T> apply(const std::string& name, const std::string& type, std::vector<T> a,
                     std::vector<T> b) {
  auto image = compile(binary(name, type), {});
  std::vector<T> c(a.size());
  const void* arguments[] = {a.data(), b.data(), c.data()};
  run(image, arguments, {static_cast<int64_t>(a.size())});
  return c;
}

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("integers divide as Python does, and as NumPy where Python raises") {
  constexpr int8_t kMin = -128;
  std::vector<int8_t> a{7, -7, 7, -7, 5, kMin, 0, 6, 3, kMin};
  std::vector<int8_t> b{2, 2, -2, -2, 0, -1, 3, -3, -1, 0};
  CHECK(apply<int8_t>("floor_divide_i8", "i8", a, b) ==
        std::vector<int8_t>{3, -4, -4, 3, 0, kMin, 0, -2, -3, 0});
  CHECK(apply<int8_t>("remainder_i8", "i8", a, b) ==
        std::vector<int8_t>{1, 1, -1, -1, 0, 0, 0, 0, 0, 0});
  constexpr int64_t kMin64 = std::numeric_limits<int64_t>::min();
  CHECK(apply<int64_t>("floor_divide_i64", "i64", {kMin64, -9, 9}, {-1, 4, 0}) ==
        std::vector<int64_t>{kMin64, -3, 0});
  CHECK(apply<uint32_t>("remainder_u32", "i32", {7, 7, 4000000000u}, {0, 4, 7}) ==
        std::vector<uint32_t>{0, 3, 4000000000u % 7});
}

TEST_CASE("integer powers wrap around") {
  CHECK(apply<int32_t>("pow_i32", "i32", {3, 2, -1, -1, 1, 2, 0}, {4, 31, -3, -4, -7, -1, 0}) ==
        std::vector<int32_t>{81, std::numeric_limits<int32_t>::min(), -1, 1, 1, 0, 1});
  CHECK(apply<uint8_t>("pow_u8", "i8", {3, 2, 255}, {7, 8, 255}) ==
        std::vector<uint8_t>{2187 % 256, 0, 255});
}

TEST_CASE("real division keeps Python's signs and NumPy's special values") {
  auto q = apply<double>("floor_divide_f64", "double", {7, -7, 1, -0.0, 1, kInf, 5},
                         {2, 2, 0, 3, kInf, 2, kNan});
  CHECK(q[0] == 3);
  CHECK(q[1] == -4);
  CHECK(q[2] == kInf);
  CHECK((q[3] == 0 && std::signbit(q[3])));
  CHECK(q[4] == 0);
  CHECK(q[5] == kInf);
  CHECK(std::isnan(q[6]));
  auto r = apply<double>("remainder_f64", "double", {7, -7, 7, -4, 1, 1}, {3, 3, -3, -2, 0, kInf});
  CHECK(r[0] == 1);
  CHECK(r[1] == 2);
  CHECK(r[2] == -2);
  CHECK((r[3] == 0 && std::signbit(r[3])));
  CHECK(std::isnan(r[4]));
  CHECK(r[5] == 1);
}

TEST_CASE("nextafter agrees with libm") {
  std::vector<double> from{0, 0, -0.0, 1, 1, -1, -1, 5e-324, -5e-324, kInf, 1.7976931348623157e308};
  std::vector<double> to{1, -1, 1, 2, 0, 0, -2, 0, 0, 0, kInf};
  auto next = apply<double>("nextafter_f64", "double", from, to);
  for (size_t i = 0; i < from.size(); ++i) {
    double expected = std::nextafter(from[i], to[i]);
    CHECK(next[i] == expected);
    CHECK(std::signbit(next[i]) == std::signbit(expected));
  }
}

TEST_CASE("complex functions are libm's") {
  auto module = module_of(R"(
    declare i64 @hither.global_id(i32)
    declare void @hither_exp_c128(double, double, ptr)
    define void @k(ptr addrspace(1) %a, ptr addrspace(1) %c) {
      %out = alloca { double, double }
      %i = call i64 @hither.global_id(i32 0)
      %pa = getelementptr { double, double }, ptr addrspace(1) %a, i64 %i
      %pc = getelementptr { double, double }, ptr addrspace(1) %c, i64 %i
      %z = load { double, double }, ptr addrspace(1) %pa
      %re = extractvalue { double, double } %z, 0
      %im = extractvalue { double, double } %z, 1
      call void @hither_exp_c128(double %re, double %im, ptr %out)
      %w = load { double, double }, ptr %out
      store { double, double } %w, ptr addrspace(1) %pc
      ret void
    })",
                          {Parameter::kPointer, Parameter::kPointer});
  auto image = compile(module, {});
  std::vector<std::complex<double>> a{{1, 2}, {0, 0}, {-3, 0.5}, {kInf, 1}}, c(4);
  const void* arguments[] = {a.data(), c.data()};
  run(image, arguments, {4});
  for (int i = 0; i < 4; ++i) CHECK(c[i] == std::exp(a[i]));
}

TEST_CASE("a function that the device library lacks is refused by name") {
  try {
    compile(binary("frobnicate_f64", "double"), {});
    FAIL("compiled");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kCompile);
    CHECK(error.message().find("hither_frobnicate_f64") != std::string::npos);
  }
}
