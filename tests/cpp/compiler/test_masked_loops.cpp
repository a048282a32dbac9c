#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "compiler/compiler.h"
#include "kernel_texts.h"

using namespace hither;
using namespace hither::compiler;
using namespace hither::compiler::tests;

namespace {

constexpr char kDeclarations[] = R"(
  declare i64 @hither.global_id(i32)
)";

/// out[i] counts the steps of x -> x * x + 0.25 * in[i] until it exceeds 4, at most `limit`.
std::string counting_text(const std::string& between) {
  return std::string(kDeclarations) + R"(
    define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %limit) {
    entry:
      %i = call i64 @hither.global_id(i32 0)
      %from = getelementptr double, ptr addrspace(1) %in, i64 %i
      %to = getelementptr i64, ptr addrspace(1) %out, i64 %i
      %a = load double, ptr addrspace(1) %from
      %c = fmul double %a, 0.25
      br label %head
    head:
      %n = phi i64 [ 0, %entry ], [ %m, %body ]
      %x = phi double [ 0.0, %entry ], [ %y, %body ]
      %more = icmp slt i64 %n, %limit
      %small = fcmp ole double %x, 4.0
      %both = and i1 %more, %small
      br i1 %both, label %body, label %end
    body:
      )" +
         between +
         R"(
      %square = fmul double %x, %x
      %y = fadd double %square, %c
      %m = add i64 %n, 1
      br label %head
    end:
      store i64 %n, ptr addrspace(1) %to
      ret void
    })";
}

target::KernelModule counting(const std::string& between = "") {
  return module_of(counting_text(between),
                   {Parameter::kPointer, Parameter::kPointer, Parameter::kInt64});
}

std::vector<int64_t> counted(const target::CodeImage& image, size_t n) {
  std::vector<double> in(n);
  for (size_t i = 0; i < n; ++i) in[i] = static_cast<double>(i % 37);
  std::vector<int64_t> out(n, -1);
  struct {
    const double* in;
    int64_t* out;
    int64_t limit;
  } arguments{in.data(), out.data(), 100};
  run(image, &arguments, {static_cast<int64_t>(n)});
  return out;
}

std::vector<int64_t> expected(size_t n) {
  std::vector<int64_t> out(n);
  for (size_t i = 0; i < n; ++i) {
    const double c = static_cast<double>(i % 37) * 0.25;
    double x = 0;
    while (out[i] < 100 && x <= 4.0) x = x * x + c, ++out[i];
  }
  return out;
}

}  // namespace

TEST_CASE("a loop that items leave in different iterations runs in vectors") {
  const auto image = compile(counting(), {});
  CHECK(image.strip_items > 1);
  for (const size_t n : {1, 7, 31, 32, 33, 200}) CHECK(counted(image, n) == expected(n));
  const std::string code = inspect(counting(), {}, Stage::kOptimised);
  CHECK(code.find("x double>") != std::string::npos);
}

TEST_CASE("items that a guard stops leave the others in vectors") {
  std::string text = counting_text("");
  const std::string start = "%from = getelementptr";
  text.replace(text.find(start), start.size(), R"(
      %less = sub i64 %limit, 60
      %below = icmp slt i64 %i, %less
      %two = icmp sgt i64 %i, 1
      %both_in = and i1 %below, %two
      br i1 %both_in, label %inside, label %outside
    outside:
      ret void
    inside:
      %from = getelementptr)");
  text.replace(text.find("%entry ]"), 6, "%inside");
  text.replace(text.find("%entry ]"), 6, "%inside");
  const auto image =
      compile(module_of(text, {Parameter::kPointer, Parameter::kPointer, Parameter::kInt64}), {});
  CHECK(image.strip_items > 1);
  for (const size_t n : {1, 2, 3, 40, 41, 100}) {
    std::vector<int64_t> counts = expected(n);
    for (size_t i = 0; i < n; ++i)
      if (i < 2 || i >= 40) counts[i] = -1;
    CHECK(counted(image, n) == counts);
  }
}

TEST_CASE("a loop with an atomic operation runs one item at a time") {
  const auto image =
      compile(counting("%old = atomicrmw add ptr addrspace(1) %to, i64 0 monotonic"), {});
  CHECK(image.strip_items == 1);
  CHECK(counted(image, 50) == expected(50));
}

TEST_CASE("a loop that mostly gathers runs one item at a time") {
  const auto rows = module_of(std::string(kDeclarations) + R"(
    define void @k(ptr addrspace(1) %starts, ptr addrspace(1) %values, ptr addrspace(1) %sums) {
    entry:
      %i = call i64 @hither.global_id(i32 0)
      %j = add i64 %i, 1
      %first = getelementptr i64, ptr addrspace(1) %starts, i64 %i
      %last = getelementptr i64, ptr addrspace(1) %starts, i64 %j
      %to = getelementptr double, ptr addrspace(1) %sums, i64 %i
      %begin = load i64, ptr addrspace(1) %first
      %end = load i64, ptr addrspace(1) %last
      br label %head
    head:
      %k = phi i64 [ %begin, %entry ], [ %next, %body ]
      %sum = phi double [ 0.0, %entry ], [ %more, %body ]
      %go = icmp slt i64 %k, %end
      br i1 %go, label %body, label %done
    body:
      %at = getelementptr double, ptr addrspace(1) %values, i64 %k
      %value = load double, ptr addrspace(1) %at
      %more = fadd double %sum, %value
      %next = add i64 %k, 1
      br label %head
    done:
      store double %sum, ptr addrspace(1) %to
      ret void
    })",
                              {Parameter::kPointer, Parameter::kPointer, Parameter::kPointer});
  const auto image = compile(rows, {});
  CHECK(image.strip_items == 1);
  const std::vector<int64_t> starts{0, 2, 2, 5};
  const std::vector<double> values{1, 2, 4, 8, 16};
  std::vector<double> sums(3, -1);
  struct {
    const int64_t* starts;
    const double* values;
    double* sums;
  } arguments{starts.data(), values.data(), sums.data()};
  run(image, &arguments, {3});
  CHECK(sums == std::vector<double>{3, 0, 28});
}
