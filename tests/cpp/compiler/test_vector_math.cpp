#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "compiler/compiler.h"
#include "compiler/cpu/machine.h"
#include "compiler/cpu/vector_math.h"
#include "compiler/module/math_functions.h"
#include "kernel_texts.h"

using namespace hither;
using namespace hither::compiler;
using namespace hither::compiler::tests;

namespace {

#ifdef __aarch64__
using Half = __fp16;  // GCC 12 has no _Float16 there
#else
using Half = _Float16;
#endif

/// b[i] = f(a[i]), or f(a[i], a[i]) for two arguments, with `lanes` elements for each work-item; 0:
/// scalar code.
target::KernelModule map_of(const MathFunction& f, const std::string& type, int lanes) {
  std::string element = type == "f32" ? "float" : "double";
  std::string value = lanes == 0 ? element : fmt::format("<{} x {}>", lanes, element);
  std::string suffix = lanes == 0 ? type : fmt::format("v{}{}", lanes, type);
  return module_of(fmt::format(R"(
    declare i64 @hither.global_id(i32)
    declare {0} @hither.math.{1}.{2}({3})
    define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {{
      %i = call i64 @hither.global_id(i32 0)
      %pa = getelementptr [{5} x {6}], ptr addrspace(1) %a, i64 %i
      %pb = getelementptr [{5} x {6}], ptr addrspace(1) %b, i64 %i
      %x = load {0}, ptr addrspace(1) %pa, align 4
      %y = call {0} @hither.math.{1}.{2}({4})
      store {0} %y, ptr addrspace(1) %pb, align 4
      ret void
    }})",
                               value, f.name, suffix, f.arity == 1 ? value : value + ", " + value,
                               f.arity == 1 ? value + " %x" : value + " %x, " + value + " %x",
                               std::max(lanes, 1), element),
                   {Parameter::kPointer, Parameter::kPointer});
}

template <class T>
void run_map(const target::CodeImage& image, const T* from, T* to, int64_t items) {
  const void* arguments[] = {from, to};
  run(image, arguments, {items});
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

const MathFunction& named(std::string_view name) {
  return *std::ranges::find_if(math_functions(),
                               [&](const MathFunction& f) { return name == f.name; });
}

template <class T>
std::vector<T> results(const char* function, const std::vector<T>& from, const std::string& arch) {
  std::vector<T> to(from.size());
  const std::string type = sizeof(T) == 4 ? "f32" : "f64";
  auto image = compile(map_of(named(function), type, 0), {target::TargetKind::kCpu, arch});
  run_map(image, from.data(), to.data(), static_cast<int64_t>(from.size()));
  return to;
}

/// Many of the numbers from 2**-10 to 7 with both signs, and those near the borders of formulas.
template <class T>
std::vector<T> arguments() {
  std::vector<T> found;
  for (T x = T(1) / 1024; x < 7; x += x / 256) found.insert(found.end(), {x, -x});
  for (const T border : {T(0.6), T(0.815)})
    for (int i = -5000; i < 5000; ++i) {
      const T x = border + T(i) / 1000000;
      found.insert(found.end(), {x, -x});
    }
  return found;
}

template <class T>
long double largest_error(const char* function, long double (*exact)(long double),
                          const std::string& arch) {
  const std::vector<T> from = arguments<T>(), to = results(function, from, arch);
  long double worst = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    const long double expected = exact(from[i]);
    const T size = static_cast<T>(std::fabs(expected));
    const long double ulp = size - std::nextafter(size, T(0));
    worst = std::max(worst, std::fabs(static_cast<long double>(to[i]) - expected) / ulp);
  }
  return worst;
}

/// For functions that round to 1 from `end` on; `ratio` is that of f(x) and x near 0.
template <class T>
void check_special_values(const char* function, double ratio, T end, const std::string& arch) {
  using Limits = std::numeric_limits<T>;
  const T infinity = Limits::infinity(), tiny = Limits::denorm_min();
  const T rounded = tiny * static_cast<T>(std::round(9 * ratio));
  const std::vector<T> from = {0,    -T(0), infinity, -infinity, Limits::max(),      end,
                               -end, tiny,  -tiny,    tiny * 9,  Limits::quiet_NaN()};
  const std::vector<T> expected = {0, -T(0), 1, -1, 1, 1, -1, tiny, -tiny, rounded};
  const std::vector<T> to = results(function, from, arch);
  CHECK(same_bits(std::vector<T>(to.begin(), to.end() - 1), expected));
  CHECK(std::isnan(to.back()));
}

template <class T>
void check_one_variant(const MathFunction& f, const std::string& type, const std::string& arch) {
  // 96 is a whole number of vectors, 95 leaves a remainder of each kind, and 1 is only a remainder.
  std::vector<T> from(96), whole(96), most(96), one_by_one(96), triples(96);
  for (int i = 0; i < 96; ++i) from[i] = static_cast<T>(0.0117 * i + 0.003);
  target::Target target{target::TargetKind::kCpu, arch};
  auto scalar = compile(map_of(f, type, 0), target);
  run_map(scalar, from.data(), whole.data(), 96);
  run_map(scalar, from.data() + 1, most.data() + 1, 95);
  run_map(scalar, from.data(), most.data(), 1);
  for (int i = 0; i < 96; ++i) run_map(scalar, &from[i], &one_by_one[i], 1);
  run_map(compile(map_of(f, type, 3), target), from.data(), triples.data(), 32);
  CHECK(same_bits(whole, most));
  CHECK(same_bits(whole, one_by_one));
  CHECK(same_bits(whole, triples));
}

template <class T>
void check_limited(const char* function, long double (*exact)(long double), double ratio, T end,
                   const std::string& arch) {
  CHECK(largest_error<T>(function, exact, arch) < 1);
  check_special_values<T>(function, ratio, end, arch);
  check_one_variant<T>(named(function), sizeof(T) == 4 ? "f32" : "f64", arch);
}

}  // namespace

TEST_CASE("a math function has one variant, whatever loop an element falls into") {
  for (const MathFunction& f : math_functions()) {
    CAPTURE(std::string(f.name));
    check_one_variant<double>(f, "f64", "");
    check_one_variant<float>(f, "f32", "");
  }
}

TEST_CASE("narrower machines have their own variant") {
  const MathFunction& sin = math_functions()[0];
  CHECK(native_variant(sin, 'd', 128).name == "Sleef_cinz_sind2_u10sse2");
  CHECK(native_variant(sin, 's', 256).name == "Sleef_finz_sinf8_u10avx2");
  CHECK(native_variant(sin, 's', 512).lanes == 16);
  check_one_variant<double>(sin, "f64", "x86-64");
  if (CpuMachine("").vector_bits() >= 256) check_one_variant<float>(sin, "f32", "haswell");
}

TEST_CASE("erf and tanh are exact to 1 ulp, with and without fused multiply-add") {
  for (const char* arch : {"", "x86-64", "haswell"}) {
    CAPTURE(arch);
    if (std::string_view(arch) == "haswell" && CpuMachine("").vector_bits() < 256) continue;
    check_limited<double>("erf", std::erf, std::numbers::inv_sqrtpi * 2, 7, arch);
    check_limited<float>("erf", std::erf, std::numbers::inv_sqrtpi * 2, 7, arch);
    check_limited<double>("tanh", std::tanh, 1, 20, arch);
    check_limited<float>("tanh", std::tanh, 1, 20, arch);
  }
}

TEST_CASE("erfc of floats is exact to 1 ulp, with and without fused multiply-add") {
  for (const char* arch : {"", "x86-64"}) {
    CAPTURE(arch);
    CHECK(largest_error<float>("erfc", std::erfc, arch) < 0.6);
    const float infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> from = {0, -0.0F, infinity, -infinity, 1e38F, -1e38F, 1e-45F, 10};
    const std::vector<float> expected = {1, 1, 0, 2, 0, 2, 1, 0x1p-149F};
    CHECK(same_bits(results("erfc", from, arch), expected));
    CHECK(std::isnan(results<float>("erfc", {std::nanf("")}, arch)[0]));
    check_one_variant<float>(named("erfc"), "f32", arch);
  }
}

TEST_CASE("machines with fused multiply-add compute the same bits of erf, erfc and tanh") {
  if (CpuMachine("").vector_bits() < 256) return;
  const auto doubles = arguments<double>();
  const auto floats = arguments<float>();
  for (const char* name : {"erf", "tanh"}) {
    CHECK(same_bits(results(name, doubles, ""), results(name, doubles, "haswell")));
    CHECK(same_bits(results(name, floats, ""), results(name, floats, "haswell")));
  }
  CHECK(same_bits(results("erfc", floats, ""), results("erfc", floats, "haswell")));
}

TEST_CASE("functions without a vector variant are libm's") {
  NativeVariant native = native_variant(named("fmod"), 's', 512);
  CHECK(native.name == "fmodf");
  CHECK(native.lanes == 0);
}

TEST_CASE("float16 math is float32 math, rounded once; arithmetic rounds after each operation") {
  auto module = module_of(R"(
    declare i64 @hither.global_id(i32)
    declare half @llvm.exp.f16(half)
    define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
      %i = call i64 @hither.global_id(i32 0)
      %pa = getelementptr half, ptr addrspace(1) %a, i64 %i
      %pb = getelementptr half, ptr addrspace(1) %b, i64 %i
      %x = load half, ptr addrspace(1) %pa
      %square = fmul half %x, %x
      %sum = fadd half %square, %x
      %third = fdiv half %sum, 0xH4200
      %e = call half @llvm.exp.f16(half %third)
      store half %e, ptr addrspace(1) %pb
      ret void
    })",
                          {Parameter::kPointer, Parameter::kPointer});
  auto image = compile(module, {});
  std::vector<Half> a(1001), b(1001);
  for (int i = 0; i < 1001; ++i) a[i] = static_cast<Half>(0.0031f * static_cast<float>(i));
  const void* arguments[] = {a.data(), b.data()};
  run(image, arguments, {1001});
  std::vector<float> exponents(1001), powers(1001);
  for (int i = 0; i < 1001; ++i) {
    auto x = static_cast<float>(a[i]);
    auto square = static_cast<Half>(x * x);
    auto sum = static_cast<Half>(static_cast<float>(square) + x);
    exponents[i] = static_cast<float>(static_cast<Half>(static_cast<float>(sum) / 3.0f));
  }
  run_map(compile(map_of(named("exp"), "f32", 0), {}), exponents.data(), powers.data(), 1001);
  for (int i = 0; i < 1001; ++i) CHECK(b[i] == static_cast<Half>(powers[i]));
}

TEST_CASE("float64 becomes float16 in one rounding, with and without hardware for it") {
  auto module = module_of(R"(
    declare i64 @hither.global_id(i32)
    define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
      %i = call i64 @hither.global_id(i32 0)
      %pa = getelementptr double, ptr addrspace(1) %a, i64 %i
      %pb = getelementptr half, ptr addrspace(1) %b, i64 %i
      %x = load double, ptr addrspace(1) %pa
      %h = fptrunc double %x to half
      %twice = fadd half %h, %h
      store half %twice, ptr addrspace(1) %pb
      ret void
    })",
                          {Parameter::kPointer, Parameter::kPointer});
  for (const char* arch : {"", "x86-64"}) {
    auto image = compile(module, {target::TargetKind::kCpu, arch});
    // Slightly above the midpoint of two float16 numbers: rounding through float32 would round
    // down.
    std::vector<double> a(37, 1.0 + 0x1p-11 + 0x1p-40);
    std::vector<Half> b(37);
    const void* arguments[] = {a.data(), b.data()};
    run(image, arguments, {37});
    for (Half v : b) CHECK(static_cast<double>(v) == 2 * (1.0 + 0x1p-10));
  }
}

TEST_CASE("math on strided bytes is vectorised: a single element costs as much as a vector") {
  auto module = module_of(R"(
    declare i64 @hither.global_id(i32)
    declare float @powf(float, float)
    define void @k(ptr addrspace(1) %a, i64 %stride, ptr addrspace(1) %b) {
      %i = call i64 @hither.global_id(i32 0)
      %at = mul i64 %i, %stride
      %pa = getelementptr i8, ptr addrspace(1) %a, i64 %at
      %pb = getelementptr float, ptr addrspace(1) %b, i64 %i
      %x = load i8, ptr addrspace(1) %pa
      %y = uitofp i8 %x to float
      %p = call float @powf(float %y, float 0x3FF8000000000000)
      store float %p, ptr addrspace(1) %pb
      ret void
    })",
                          {Parameter::kPointer, Parameter::kInt64, Parameter::kPointer});
  const int bits = CpuMachine("").vector_bits();
  const NativeVariant native = native_variant(named("pow"), 's', bits);
  if (native.lanes == 0) return;
  const std::string code = inspect(module, {}, Stage::kOptimised);
  CHECK(code.find("uitofp <" + std::to_string(native.lanes) + " x i8>") != std::string::npos);
}
