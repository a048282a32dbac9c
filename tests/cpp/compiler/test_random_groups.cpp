#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <hither/error.h>

#include "compiler/compiler.h"
#include "compiler/cpu/machine.h"
#include "item_interpreter.h"
#include "kernel_texts.h"
#include "random_kernel.h"

using namespace hither;
using namespace hither::compiler;
using namespace hither::compiler::tests;

namespace {

struct Shape {
  int64_t groups[3];
  int64_t local[3];
  int64_t items() const { return local[0] * local[1] * local[2]; }
};
constexpr Shape kShapes[] = {
    {{3, 1, 1}, {1, 1, 1}},  {{2, 1, 1}, {2, 1, 1}},  {{2, 1, 1}, {7, 1, 1}},
    {{3, 1, 1}, {16, 1, 1}}, {{2, 1, 1}, {24, 1, 1}}, {{1, 1, 1}, {64, 1, 1}},
    {{2, 2, 1}, {4, 8, 1}},  {{1, 3, 1}, {5, 3, 1}},  {{2, 1, 2}, {2, 3, 4}},
    {{1, 2, 1}, {1, 16, 1}},
};

/// Shapes of kernels without groups; the last extents are below, at and above those of strips.
constexpr Shape kPlainShapes[] = {
    {{1, 1, 1}, {1, 1, 1}},  {{1, 1, 16}, {1, 1, 1}}, {{1, 1, 32}, {1, 1, 1}},
    {{1, 1, 33}, {1, 1, 1}}, {{1, 2, 67}, {1, 1, 1}}, {{2, 1, 129}, {1, 1, 1}},
    {{3, 2, 40}, {1, 1, 1}},
};

enum class Kind : uint8_t { kWithGroups, kPlain };

/// Compares kernel `seed` with the interpreter; empty if the results are equal. Counts kernels
/// whose items run in strips.
std::string difference(uint64_t seed, Kind kind, int& strips) {
  const bool plain = kind == Kind::kPlain;
  const Shape& shape =
      plain ? kPlainShapes[seed % std::size(kPlainShapes)] : kShapes[seed % std::size(kShapes)];
  RandomKernel kernel(seed, shape.items());
  const std::string text = plain ? kernel.text_without_groups() : kernel.text();
  auto module = module_of(text, {Parameter::kPointer, Parameter::kPointer, Parameter::kInt32});
  std::ranges::copy(shape.local, module.local_size);
  target::WorkRange range{};
  int64_t count = 1;
  for (int d = 0; d < 3; ++d) {
    range.end[d] = shape.groups[d];
    range.local_size[d] = shape.local[d];
    range.global_size[d] = shape.groups[d] * shape.local[d];
    count *= range.global_size[d];
  }
  std::vector<int32_t> in(static_cast<size_t>(count));
  std::mt19937 random(static_cast<uint32_t>(seed));
  for (int32_t& x : in) x = static_cast<int32_t>(random() % 1000);
  std::vector<int32_t> wanted(in.size(), -1), got(in.size(), -2);
  const auto u = static_cast<uint64_t>(seed % 11);

  ItemInterpreter interpreter(text, CpuMachine("").vector_bits() / 32, seed);
  std::string missed = interpreter.run(
      {reinterpret_cast<uint64_t>(in.data()), reinterpret_cast<uint64_t>(wanted.data()), u},
      shape.groups, shape.local);
  if (!missed.empty()) return "the random kernel is invalid: " + missed + "\n" + text;
  struct {
    const int32_t* in;
    int32_t* out;
    uint64_t u;
  } arguments{in.data(), got.data(), u};
  target::ErrorRecord error;
  try {
    const auto image = compile(module, {});
    if (!image.uses_groups) std::ranges::copy(range.global_size, range.end);
    if (image.strip_items > 1) ++strips;
    image.entry(&arguments, &range, &error);
  } catch (const Error& refused) {
    return refused.message() + "\n" + text;
  }
  for (size_t i = 0; i < got.size(); ++i)
    if (got[i] != wanted[i])
      return "item " + std::to_string(i) + " is " + std::to_string(got[i]) + ", not " +
             std::to_string(wanted[i]) + "\n" + text;
  return {};
}

/// HITHER_RANDOM_KERNELS is the number of kernels from seed HITHER_RANDOM_FIRST on, for longer
/// searches. Returns how many of them ran in strips, in percent.
int check_random_kernels(Kind kind) {
  const char* wish = std::getenv("HITHER_RANDOM_KERNELS");
  const uint64_t count = wish ? std::strtoull(wish, nullptr, 10) : 40;
  const char* first = std::getenv("HITHER_RANDOM_FIRST");
  const uint64_t start = first ? std::strtoull(first, nullptr, 10) : 0;
  int strips = 0;
  for (uint64_t seed = start; seed < start + count; ++seed) {
    INFO("seed " << seed);
    const std::string wrong = difference(seed, kind, strips);
    CHECK_MESSAGE(wrong.empty(), wrong);
    if (!wrong.empty()) break;
  }
  return strips * 100 / static_cast<int>(count);
}

/// Sets an environment variable for a test.
class Setting {
 public:
  Setting(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Setting() { ::unsetenv(name_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
};

}  // namespace

TEST_CASE("random kernels with barriers give the results of the interpreter") {
  SUBCASE("as estimated") { check_random_kernels(Kind::kWithGroups); }
  SUBCASE("with masked loops") {
    const Setting setting("HITHER_MASKED_LOOPS", "always");
    check_random_kernels(Kind::kWithGroups);
  }
}

TEST_CASE("random kernels without groups give the results of the interpreter") {
  SUBCASE("with masked loops") {
    const Setting setting("HITHER_MASKED_LOOPS", "always");
    CHECK(check_random_kernels(Kind::kPlain) > 30);
  }
  SUBCASE("item by item") {
    const Setting setting("HITHER_MASKED_LOOPS", "never");
    check_random_kernels(Kind::kPlain);
  }
}
