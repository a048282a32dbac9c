#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <hither/error.h>

#include "compiler/compiler.h"
#include "kernel_texts.h"

using namespace hither;
using namespace hither::compiler;
using namespace hither::compiler::tests;

namespace {

/// Each group sums two values of each item in a tree.
const char* kTree = R"(
  declare i64 @hither.global_id(i32)
  declare i64 @hither.local_id(i32)
  declare i64 @hither.local_size(i32)
  declare i64 @hither.group_id(i32)
  declare void @hither.barrier(i32)
  @tile = internal addrspace(3) global [256 x float] undef
  define void @k(ptr addrspace(1) %x, ptr addrspace(1) %sums) {
  entry:
    %i = call i64 @hither.global_id(i32 0)
    %l = call i64 @hither.local_id(i32 0)
    %n = call i64 @hither.local_size(i32 0)
    %p = getelementptr float, ptr addrspace(1) %x, i64 %i
    %v = load float, ptr addrspace(1) %p
    %t = getelementptr [256 x float], ptr addrspace(3) @tile, i64 0, i64 %l
    store float %v, ptr addrspace(3) %t
    call void @hither.barrier(i32 1)
    %half = lshr i64 %n, 1
    br label %loop
  loop:
    %s = phi i64 [ %half, %entry ], [ %next, %met ]
    %more = icmp ugt i64 %s, 0
    br i1 %more, label %body, label %end
  body:
    %active = icmp ult i64 %l, %s
    br i1 %active, label %add, label %met
  add:
    %o = add i64 %l, %s
    %q = getelementptr [256 x float], ptr addrspace(3) @tile, i64 0, i64 %o
    %a = load float, ptr addrspace(3) %t
    %b = load float, ptr addrspace(3) %q
    %c = fadd float %a, %b
    store float %c, ptr addrspace(3) %t
    br label %met
  met:
    call void @hither.barrier(i32 1)
    %next = lshr i64 %s, 1
    br label %loop
  end:
    %first = icmp eq i64 %l, 0
    br i1 %first, label %write, label %done
  write:
    %g = call i64 @hither.group_id(i32 0)
    %r = load float, ptr addrspace(3) %t
    %w = getelementptr float, ptr addrspace(1) %sums, i64 %g
    store float %r, ptr addrspace(1) %w
    br label %done
  done:
    ret void
  })";

target::KernelModule in_groups(target::KernelModule module, std::initializer_list<int64_t> local) {
  int d = 0;
  for (int64_t& size : module.local_size) size = 1;
  for (int64_t size : local) module.local_size[d++] = size;
  return module;
}

}  // namespace

TEST_CASE("a tree reduction sums each group, at several local sizes") {
  for (int64_t local : {1, 2, 16, 64, 256}) {
    auto image = compile(
        in_groups(module_of(kTree, {Parameter::kPointer, Parameter::kPointer}), {local}), {});
    CHECK(image.uses_groups);
    CHECK(image.local_size[0] == local);
    CHECK(image.local_bytes == 1024);
    constexpr int64_t kGroups = 5;
    std::vector<float> x(static_cast<size_t>(kGroups * local)), sums(kGroups);
    std::iota(x.begin(), x.end(), 1.0F);
    const void* arguments[] = {x.data(), sums.data()};
    target::WorkRange range{{0, 0, 0}, {kGroups, 1, 1}, {kGroups * local, 1, 1}, {local, 1, 1}};
    target::ErrorRecord error;
    image.entry(arguments, &range, &error);
    for (int64_t g = 0; g < kGroups; ++g)
      CHECK(sums[g] == std::accumulate(x.begin() + g * local, x.begin() + (g + 1) * local, 0.0F));
  }
}

namespace {

target::ErrorRecord run_groups(const target::CodeImage& image, const void* arguments,
                               int64_t groups) {
  const int64_t local = image.local_size[0];
  target::WorkRange range{{0, 0, 0}, {groups, 1, 1}, {groups * local, 1, 1}, {local, 1, 1}};
  target::ErrorRecord error;
  image.entry(arguments, &range, &error);
  return error;
}

/// x[i] becomes the sum of its group, but an item with a negative x raises first.
target::KernelModule checked_sum() {
  return in_groups(module_of(R"(
    declare i64 @hither.global_id(i32)
    declare i32 @hither.group_reduce.add.i32(i32)
    declare void @hither.raise(i32, i32)
    declare void @hither.barrier(i32)
    define i32 @check(i32 %v) {
      %bad = icmp slt i32 %v, 0
      br i1 %bad, label %report, label %fine
    report:
      call void @hither.raise(i32 3, i32 44)
      ret i32 1
    fine:
      ret i32 0
    }
    define void @k(ptr addrspace(1) %x) {
      %i = call i64 @hither.global_id(i32 0)
      %p = getelementptr i32, ptr addrspace(1) %x, i64 %i
      %v = load i32, ptr addrspace(1) %p
      %status = call i32 @check(i32 %v)
      %failed = icmp ne i32 %status, 0
      br i1 %failed, label %out, label %go
    go:
      call void @hither.barrier(i32 3)
      %sum = call i32 @hither.group_reduce.add.i32(i32 %v)
      store i32 %sum, ptr addrspace(1) %p
      br label %out
    out:
      ret void
    })",
                             {Parameter::kPointer}),
                   {16});
}

}  // namespace

TEST_CASE("an item that raises before a barrier stops its group, and no other") {
  const auto image = compile(checked_sum(), {});
  CHECK(image.reports_errors);
  std::vector<int32_t> x(48, 2);
  const void* arguments[] = {x.data()};
  CHECK(run_groups(image, arguments, 3).code == 0);
  CHECK(x == std::vector<int32_t>(48, 32));
  x[21] = x[30] = -5;
  const target::ErrorRecord error = run_groups(image, arguments, 3);
  CHECK(error.code == target::kAssertion);
  CHECK(error.line == 44);
  CHECK(error.global_id[0] == 21);
  CHECK(x[0] == 512);
  CHECK(x[16] == 32);
  CHECK(x[47] == 512);
}

TEST_CASE("groups that always fail end at once") {
  auto module = in_groups(module_of(R"(
    declare void @hither.raise(i32, i32)
    declare void @hither.barrier(i32)
    define void @k(ptr addrspace(1) %x) {
      store i32 7, ptr addrspace(1) %x
      call void @hither.barrier(i32 3)
      call void @hither.raise(i32 17, i32 3)
      call void @hither.raise(i32 18, i32 4)
      store i32 8, ptr addrspace(1) %x
      ret void
    })",
                                    {Parameter::kPointer}),
                          {4});
  int32_t x = 0;
  const void* arguments[] = {&x};
  const target::ErrorRecord error = run_groups(compile(module, {}), arguments, 2);
  CHECK(error.code == 17);
  CHECK(error.line == 3);
  CHECK(x == 7);
}

TEST_CASE("groups of 4096 items keep many values across barriers") {
  std::string text = R"(
    declare i64 @hither.global_id(i32)
    declare void @hither.barrier(i32)
    define void @k(ptr addrspace(1) %x) {
      %i = call i64 @hither.global_id(i32 0)
)";
  std::string later;
  for (int n = 0; n < 20; ++n) {
    const std::string k = std::to_string(n);
    text += "%p" + k + " = getelementptr i64, ptr addrspace(1) %x, i64 " + k + "\n%q" + k +
            " = getelementptr i64, ptr addrspace(1) %p" + k + ", i64 %i\n%v" + k +
            " = load i64, ptr addrspace(1) %q" + k + "\n";
    later += "%s" + std::to_string(n + 1) + " = add i64 %s" + k + ", %v" + k + "\n";
  }
  text += "%s0 = add i64 0, 0\ncall void @hither.barrier(i32 2)\n" + later +
          "store i64 %s20, ptr addrspace(1) %q0\nret void\n}";
  const auto image = compile(in_groups(module_of(text, {Parameter::kPointer}), {4096}), {});
  std::vector<int64_t> x(4096 + 20);
  std::iota(x.begin(), x.end(), 0);
  const void* arguments[] = {x.data()};
  run_groups(image, arguments, 1);
  for (int64_t i = 0; i < 4096; ++i) CHECK(x[i] == 20 * i + 190);
}

TEST_CASE("atomics on local memory count for the group, on global memory for all") {
  auto module = in_groups(module_of(R"(
    declare i64 @hither.local_id(i32)
    declare i64 @hither.group_id(i32)
    declare void @hither.barrier(i32)
    @bins = internal addrspace(3) global [4 x i32] undef
    define void @k(ptr addrspace(1) %counts, ptr addrspace(1) %total) {
      %l = call i64 @hither.local_id(i32 0)
      %g = call i64 @hither.group_id(i32 0)
      %clears = icmp ult i64 %l, 4
      br i1 %clears, label %clear, label %cleared
    clear:
      %c = getelementptr [4 x i32], ptr addrspace(3) @bins, i64 0, i64 %l
      store i32 0, ptr addrspace(3) %c
      br label %cleared
    cleared:
      call void @hither.barrier(i32 1)
      %bin = and i64 %l, 3
      %b = getelementptr [4 x i32], ptr addrspace(3) @bins, i64 0, i64 %bin
      %old = atomicrmw add ptr addrspace(3) %b, i32 1 syncscope("workgroup") monotonic
      fence syncscope("workgroup") seq_cst
      %sum = atomicrmw fadd ptr addrspace(1) %total, double 0.5 syncscope("device") monotonic
      call void @hither.barrier(i32 1)
      br i1 %clears, label %write, label %done
    write:
      %d = getelementptr [4 x i32], ptr addrspace(3) @bins, i64 0, i64 %l
      %n = load i32, ptr addrspace(3) %d
      %base = mul i64 %g, 4
      %at = add i64 %base, %l
      %p = getelementptr i32, ptr addrspace(1) %counts, i64 %at
      store i32 %n, ptr addrspace(1) %p
      br label %done
    done:
      ret void
    })",
                                    {Parameter::kPointer, Parameter::kPointer}),
                          {64});
  const std::string text = inspect(module, {}, Stage::kOptimised);
  CHECK(text.find("atomicrmw add") == std::string::npos);
  CHECK(text.find("atomicrmw fadd") != std::string::npos);
  CHECK(text.find("fence") == std::string::npos);
  std::vector<int32_t> counts(12);
  double total = 0;
  void* arguments[] = {counts.data(), &total};
  run_groups(compile(module, {}), arguments, 3);
  CHECK(counts == std::vector<int32_t>(12, 16));
  CHECK(total == 96);
}

TEST_CASE("dynamic local memory has the size of the launch") {
  auto module = in_groups(module_of(R"(
    declare i64 @hither.local_id(i32)
    declare i64 @hither.global_id(i32)
    declare void @hither.barrier(i32)
    define void @k(ptr addrspace(3) %tile, ptr addrspace(1) %x) {
      %l = call i64 @hither.local_id(i32 0)
      %i = call i64 @hither.global_id(i32 0)
      %p = getelementptr i64, ptr addrspace(1) %x, i64 %i
      %t = getelementptr i64, ptr addrspace(3) %tile, i64 %l
      %v = load i64, ptr addrspace(1) %p
      store i64 %v, ptr addrspace(3) %t
      call void @hither.barrier(i32 1)
      %back = sub i64 31, %l
      %u = getelementptr i64, ptr addrspace(3) %tile, i64 %back
      %w = load i64, ptr addrspace(3) %u
      store i64 %w, ptr addrspace(1) %p
      ret void
    })",
                                    {Parameter::kLocalBytes, Parameter::kPointer}),
                          {32});
  std::vector<int64_t> x(64), wanted(64);
  for (int64_t i = 0; i < 64; ++i) x[i] = i, wanted[i] = i / 32 * 32 + 31 - i % 32;
  struct {
    int64_t bytes;
    int64_t* x;
  } arguments{256, x.data()};
  run_groups(compile(module, {}), &arguments, 2);
  CHECK(x == wanted);
}

TEST_CASE("a barrier that some items may miss is refused, with the user's line") {
  auto message = [](const std::string& body) {
    auto module = in_groups(module_of("declare i64 @hither.local_id(i32)\n"
                                      "declare i32 @hither.group_reduce.add.i32(i32)\n"
                                      "declare void @hither.barrier(i32)\n"
                                      "define void @k(i32 %n) {\n"
                                      "  %l = call i64 @hither.local_id(i32 0)\n" +
                                          body + "\n}\n!0 = !{i32 7}\n",
                                      {Parameter::kInt32}),
                            {8});
    module.source_file = "work.py";
    try {
      compile(module, {});
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kCompile);
      return error.message().substr(0, error.message().find(" of a group"));
    }
    return std::string("compiled");
  };
  CHECK(message(R"(
      %some = icmp ult i64 %l, 4
      br i1 %some, label %a, label %b
    a:
      call void @hither.barrier(i32 1), !hither.line !0
      br label %b
    b:
      call void @hither.barrier(i32 1)
      ret void)") == "at work.py:7, the barrier is not reached by all work-items");
  CHECK(message(R"(
      br label %loop
    loop:
      %k = phi i64 [ %l, %0 ], [ %next, %loop ]
      %v = trunc i64 %k to i32
      %s = call i32 @hither.group_reduce.add.i32(i32 %v)
      %next = add i64 %k, 8
      %more = icmp ult i64 %next, 100
      br i1 %more, label %loop, label %end
    end:
      ret void)") == "at work.py, group_reduce is not reached by all work-items");
  // An item that has nothing left to do counts as one that has returned.
  CHECK(message(R"(
      %some = icmp ult i64 %l, 4
      br i1 %some, label %a, label %b
    a:
      call void @hither.barrier(i32 1)
      br label %b
    b:
      ret void)") == "compiled");
  CHECK(message(R"(
      %some = icmp ult i32 %n, 4
      br i1 %some, label %a, label %b
    a:
      call void @hither.barrier(i32 1)
      br label %b
    b:
      ret void)") == "compiled");
}
