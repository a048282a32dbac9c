#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "compiler/compiler.h"
#include "compiler/cpu_machine.h"
#include "kernel_texts.h"

using namespace hither;
using namespace hither::compiler;
using namespace hither::compiler::tests;

TEST_CASE("a kernel without groups runs over every item of its range") {
  auto image = compile(add_of("llvm.sin.f64"), {});
  REQUIRE((image.entry != nullptr));
  CHECK(image.dimensions == 1);
  CHECK_FALSE(image.uses_groups);
  std::vector<double> a(1003), b(1003), c(1003);
  for (int i = 0; i < 1003; ++i) a[i] = i, b[i] = 0.01 * i;
  const void* arguments[] = {a.data(), b.data(), c.data()};
  run(image, arguments, {1003});
  for (int i = 0; i < 1003; ++i) CHECK(c[i] == doctest::Approx(a[i] + std::sin(b[i])).epsilon(1e-14));
}

TEST_CASE("code is as wide as the machine, math included") {
  std::string text = inspect(add_of("llvm.sin.f64"), {}, Stage::kAssembly);
  int bits = CpuMachine("").vector_bits();
  CHECK(text.find(bits == 512 ? "%zmm" : bits == 256 ? "%ymm" : "%xmm") != std::string::npos);
  CHECK(text.find(bits == 512   ? "_ZGVeN8v_sin"
                  : bits == 256 ? "_ZGVdN4v_sin"
                                : "_ZGVbN2v_sin") != std::string::npos);
}
