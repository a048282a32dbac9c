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

/// Each group sums 2 values an item in a tree.
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
