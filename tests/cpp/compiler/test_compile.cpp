#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <hither/error.h>

#include "compiler/compiler.h"
#include "compiler/cpu/machine.h"
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
  for (int i = 0; i < 1003; ++i)
    CHECK(c[i] == doctest::Approx(a[i] + std::sin(b[i])).epsilon(1e-14));
}

TEST_CASE("code and math use the full vector width of the machine") {
  std::string text = inspect(add_of("llvm.sin.f64"), {}, Stage::kAssembly);
  int bits = CpuMachine("").vector_bits();
  CHECK(text.find(bits == 512 ? "%zmm" : bits == 256 ? "%ymm" : "%xmm") != std::string::npos);
  CHECK(text.find(bits == 512   ? "Sleef_finz_sind8_u10avx512f"
                  : bits == 256 ? "Sleef_finz_sind4_u10avx2"
                                : "Sleef_cinz_sind2_u10sse2") != std::string::npos);
}

TEST_CASE("ids and sizes are those of SYCL, last dimension innermost") {
  auto module = module_of(R"(
    declare i64 @hither.global_id(i32)
    declare i64 @hither.global_size(i32)
    declare i64 @hither.local_id(i32)
    declare i64 @hither.group_id(i32)
    declare i64 @hither.num_groups(i32)
    define void @k(ptr addrspace(1) %out) {
      %i = call i64 @hither.global_id(i32 0)
      %j = call i64 @hither.global_id(i32 1)
      %m = call i64 @hither.global_size(i32 1)
      %l = call i64 @hither.local_id(i32 1)
      %g = call i64 @hither.group_id(i32 1)
      %n = call i64 @hither.num_groups(i32 1)
      %row = mul i64 %i, %m
      %at = add i64 %row, %j
      %g10 = mul i64 %g, 10
      %n100 = mul i64 %n, 100
      %s = add i64 %l, %g10
      %t = add i64 %s, %n100
      %p = getelementptr i64, ptr addrspace(1) %out, i64 %at
      store i64 %t, ptr addrspace(1) %p
      ret void
    })",
                          {Parameter::kPointer});
  auto image = compile(module, {});
  CHECK(image.dimensions == 2);
  std::vector<int64_t> out(5 * 7, -1);
  const void* arguments[] = {out.data()};
  run(image, arguments, {5, 7}, {1, 3});
  for (int64_t i = 0; i < 5; ++i)
    for (int64_t j = 0; j < 7; ++j) CHECK(out[i * 7 + j] == j % 3 + j / 3 * 10 + 300);
}

TEST_CASE("items of dimensions that a kernel does not query run too") {
  auto module = module_of(R"(
    declare i64 @hither.global_id(i32)
    define void @k(ptr addrspace(1) %counts) {
      %i = call i64 @hither.global_id(i32 0)
      %p = getelementptr i32, ptr addrspace(1) %counts, i64 %i
      %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
      ret void
    })",
                          {Parameter::kPointer});
  auto image = compile(module, {});
  std::vector<int32_t> counts(4);
  const void* arguments[] = {counts.data()};
  run(image, arguments, {4, 3, 2});
  CHECK(counts == std::vector<int32_t>{6, 6, 6, 6});
}

TEST_CASE("the first error that an item raises is kept, with its item") {
  auto module = module_of(R"(
    declare i64 @hither.global_id(i32)
    declare void @hither.raise(i32, i32)
    define void @k(ptr addrspace(1) %a) {
      %i = call i64 @hither.global_id(i32 0)
      %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
      %v = load i32, ptr addrspace(1) %p
      %bad = icmp slt i32 %v, 0
      br i1 %bad, label %report, label %fine
    report:
      call void @hither.raise(i32 2, i32 77)
      ret void
    fine:
      store i32 1, ptr addrspace(1) %p
      ret void
    })",
                          {Parameter::kPointer});
  auto image = compile(module, {});
  CHECK(image.reports_errors);
  std::vector<int32_t> a(100, 5);
  a[40] = a[60] = -1;
  const void* arguments[] = {a.data()};
  target::ErrorRecord error = run(image, arguments, {100});
  CHECK(error.code == target::kZeroDivision);
  CHECK(error.line == 77);
  CHECK(error.global_id[0] == 40);
  CHECK(a[40] == -1);
  CHECK(a[99] == 1);
}

TEST_CASE("code in several pieces links in any order, with variables in memory") {
  // Numba's form: typed pointers, variables in allocas, one function for each piece.
  std::string ids = R"(
    target triple = "unknown-unknown-unknown"
    target datalayout = ""
    declare i64 @"hither.global_id"(i32 %".1")
    @".env" = common global i8* null
    define linkonce_odr i32 @"overload"(i64* %".ret", i64 %"dim") {
    entry:
      %"narrow" = trunc i64 %"dim" to i32
      %"id" = call i64 @"hither.global_id"(i32 %"narrow")
      store i64 %"id", i64* %".ret"
      ret i32 0
    })";
  std::string entry = R"(
    declare i32 @"overload"(i64* %".ret", i64 %"dim")
    define void @"k"(double addrspace(1)* %"x", i64 %"n") {
    entry:
      %"i" = alloca i64
      %"data" = alloca double*
      %"generic" = addrspacecast double addrspace(1)* %"x" to double*
      store double* %"generic", double** %"data"
      %"status" = call i32 @"overload"(i64* %"i", i64 0)
      %"index" = load i64, i64* %"i"
      %"negative" = icmp slt i64 %"index", 0
      %"wrapped" = add i64 %"index", %"n"
      %"at" = select i1 %"negative", i64 %"wrapped", i64 %"index"
      %"base" = load double*, double** %"data"
      %"p" = getelementptr double, double* %"base", i64 %"at"
      %"v" = load double, double* %"p"
      %"twice" = fmul double %"v", 2.0
      store double %"twice", double* %"p"
      ret void
    })";
  for (bool entry_last : {false, true}) {
    auto module = module_of("", {Parameter::kPointer, Parameter::kInt64});
    module.code = entry_last ? std::vector{ids, entry} : std::vector{entry, ids};
    std::string text = inspect(module, {}, Stage::kOptimised);
    CHECK(text.find("x double>") != std::string::npos);  // vectorised, so the wraparound is gone
    CHECK(text.find("masked.gather") == std::string::npos);
    auto image = compile(module, {});
    CHECK(image.dimensions == 1);
    std::vector<double> x(37, 1.5);
    struct {
      double* x;
      int64_t n;
    } arguments{x.data(), 37};
    run(image, &arguments, {37});
    CHECK(x == std::vector<double>(37, 3.0));
  }
}

TEST_CASE("private arrays belong to one item, although the loop over items is parallel") {
  // Each item fills its array and reads it back in another order.
  auto module = module_of(R"(
    declare i64 @hither.global_id(i32)
    define void @k(ptr addrspace(1) %out, i64 %rotation) {
    entry:
      %mine = alloca [4 x i64]
      %i = call i64 @hither.global_id(i32 0)
      br label %fill
    fill:
      %n = phi i64 [ 0, %entry ], [ %next, %fill ]
      %slot = add i64 %n, %i
      %wrapped = and i64 %slot, 3
      %p = getelementptr [4 x i64], ptr %mine, i64 0, i64 %wrapped
      %v = mul i64 %i, 10
      %w = add i64 %v, %n
      store i64 %w, ptr %p
      %next = add i64 %n, 1
      %more = icmp slt i64 %next, 4
      br i1 %more, label %fill, label %done
    done:
      %pick = and i64 %rotation, 3
      %q = getelementptr [4 x i64], ptr %mine, i64 0, i64 %pick
      %r = load i64, ptr %q
      %o = getelementptr i64, ptr addrspace(1) %out, i64 %i
      store i64 %r, ptr addrspace(1) %o
      ret void
    })",
                          {Parameter::kPointer, Parameter::kInt64});
  auto image = compile(module, {});
  std::vector<int64_t> out(1000);
  struct {
    int64_t* out;
    int64_t rotation;
  } arguments{out.data(), 2};
  run(image, &arguments, {1000});
  for (int64_t i = 0; i < 1000; ++i) CHECK(out[i] == i * 10 + ((2 - i) & 3));
}

TEST_CASE("items whose checks succeed store vectors without masks") {
  const auto module =
      module_of(R"(
    declare i64 @hither.global_id(i32)
    define void @k(ptr addrspace(1) %x, i64 %low, i64 %high, i64 %also) {
      %i = call i64 @hither.global_id(i32 0)
      %from = icmp sge i64 %i, %low
      %to = icmp slt i64 %i, %high
      %in = and i1 %from, %to
      br i1 %in, label %second, label %end
    second:
      %all = icmp ne i64 %also, 0
      br i1 %all, label %body, label %end
    body:
      %p = getelementptr double, ptr addrspace(1) %x, i64 %i
      %v = load double, ptr addrspace(1) %p
      %w = fadd double %v, 1.0
      store double %w, ptr addrspace(1) %p
      br label %end
    end:
      ret void
    })",
                {Parameter::kPointer, Parameter::kInt64, Parameter::kInt64, Parameter::kInt64});
  CHECK(inspect(module, {}, Stage::kOptimised).find("  store <") != std::string::npos);
  const auto image = compile(module, {});
  constexpr int64_t kItems = 50;
  for (const int64_t low : {INT64_MIN, int64_t{-1}, int64_t{7}, INT64_MAX})
    for (const int64_t high : {INT64_MIN, int64_t{3}, int64_t{49}, INT64_MAX})
      for (const int64_t also : {0, 1}) {
        std::vector<double> x(kItems);
        struct {
          double* x;
          int64_t low, high, also;
        } arguments{x.data(), low, high, also};
        run(image, &arguments, {kItems});
        for (int64_t i = 0; i < kItems; ++i)
          CHECK(x[static_cast<size_t>(i)] == (low <= i && i < high && also ? 1 : 0));
      }
}

TEST_CASE("multiplication and addition are not contracted") {
  auto module = module_of(R"(
    declare i64 @hither.global_id(i32)
    define void @k(ptr addrspace(1) %a) {
      %i = call i64 @hither.global_id(i32 0)
      %p = getelementptr double, ptr addrspace(1) %a, i64 %i
      %x = load double, ptr addrspace(1) %p
      %m = fmul double %x, %x
      %s = fsub double %m, 1.0
      store double %s, ptr addrspace(1) %p
      ret void
    })",
                          {Parameter::kPointer});
  CHECK(inspect(module, {}, Stage::kAssembly).find("vfm") == std::string::npos);
}

TEST_CASE("recursive functions work; they cannot query ids") {
  std::string text = R"(
    declare i64 @hither.global_id(i32)
    define i64 @fibonacci(i64 %n) {
      %small = icmp slt i64 %n, 2
      br i1 %small, label %leaf, label %node
    leaf:
      ret i64 %n
    node:
      %a = sub i64 %n, 1
      %b = sub i64 %n, 2
      %x = call i64 @fibonacci(i64 %a)
      %y = call i64 @fibonacci(i64 %b)
      %z = add i64 %x, %y
      ret i64 %z
    }
    define void @k(ptr addrspace(1) %out) {
      %i = call i64 @hither.global_id(i32 0)
      %f = call i64 @fibonacci(i64 %i)
      %p = getelementptr i64, ptr addrspace(1) %out, i64 %i
      store i64 %f, ptr addrspace(1) %p
      ret void
    })";
  auto image = compile(module_of(text, {Parameter::kPointer}), {});
  std::vector<int64_t> out(20);
  const void* arguments[] = {out.data()};
  run(image, arguments, {20});
  CHECK(out[19] == 4181);
  text.replace(text.find("ret i64 %n"), 10,
               "%id = call i64 @hither.global_id(i32 0)\n ret i64 %id");
  CHECK_THROWS_AS(compile(module_of(text, {Parameter::kPointer}), {}), Error);
}

TEST_CASE("debug information of a front end is accepted") {
  auto module = module_of(R"(
    define void @k(ptr addrspace(1) %out) !dbg !4 {
      store i32 7, ptr addrspace(1) %out, !dbg !7
      ret void, !dbg !7
    }
    !llvm.dbg.cu = !{!0}
    !llvm.module.flags = !{!2, !3}
    !0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, producer: "numba",
                                 isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
    !1 = !DIFile(filename: "kernel.py", directory: "/")
    !2 = !{i32 2, !"Debug Info Version", i32 3}
    !3 = !{i32 2, !"Dwarf Version", i32 4}
    !4 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !5, unit: !0,
                                spFlags: DISPFlagDefinition)
    !5 = !DISubroutineType(types: !6)
    !6 = !{null}
    !7 = !DILocation(line: 2, column: 1, scope: !4)
    )",
                          {Parameter::kPointer});
  auto image = compile(module, {});
  int32_t out = 0;
  const void* arguments[] = {&out};
  run(image, arguments, {1});
  CHECK(out == 7);
}

TEST_CASE("threads compile concurrently") {
  const char* functions[] = {"llvm.sin.f64", "llvm.cos.f64", "llvm.exp.f64", "cbrt"};
  std::vector<double> results(8);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 3; ++round) {
        auto image = compile(add_of(functions[t % 4]), {});
        double a = 0, b = 0.5;
        const void* arguments[] = {&a, &b, &results[t]};
        run(image, arguments, {1});
      }
    });
  for (auto& t : threads) t.join();
  double expected[] = {std::sin(0.5), std::cos(0.5), std::exp(0.5), std::cbrt(0.5)};
  for (int t = 0; t < 8; ++t) CHECK(results[t] == doctest::Approx(expected[t % 4]).epsilon(1e-14));
}

TEST_CASE("code is unmapped when its image is destroyed") {
  auto mappings = [] {
    std::ifstream maps("/proc/self/maps");
    int n = 0;
    for (std::string line; std::getline(maps, line);) n += line.find(" r-xp ") != std::string::npos;
    return n;
  };
  auto module = add_of("llvm.sin.f64");
  compile(module, {});
  int before = mappings();
  for (int i = 0; i < 50; ++i) compile(module, {});
  CHECK(mappings() < before + 10);
  std::vector<target::CodeImage> held;
  for (int i = 0; i < 20; ++i) held.push_back(compile(module, {}));
  double a = 1, b = 0, c = 0;
  const void* arguments[] = {&a, &b, &c};
  for (const auto& image : held) run(image, arguments, {1});
  CHECK(c == 1);
}
