; Items that synchronise through memory are not independent, so no access is marked.
; SIGNATURE: ptr
; RUN: optimised skylake-avx512 CHECK
;
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK: atomicrmw add
; CHECK-NOT: parallel_accesses

declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) %counts) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %counts, i64 %i
  %v = load i32, ptr addrspace(1) %p
  %slot = zext i32 %v to i64
  %q = getelementptr i32, ptr addrspace(1) %counts, i64 %slot
  %old = atomicrmw add ptr addrspace(1) %q, i32 1 monotonic
  ret void
}
