; Accesses to global memory are marked as independent between items, so that possible overlaps do
; not prevent vectorisation. Accesses to private arrays are not marked.
; SIGNATURE: ptr ptr i64
; RUN: optimised skylake-avx512 CHECK
;
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK-NOT: memcheck
; CHECK: load <8 x i64>, ptr addrspace(1)
; CHECK-NOT: alloca{{.*}}access.group
; CHECK-NOT: store {{.*}}, ptr %{{.*}}!llvm.access.group
; CHECK: ret void

declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) %from, ptr addrspace(1) %to, i64 %shift) {
  %i = call i64 @hither.global_id(i32 0)
  %at = add i64 %i, %shift
  %p = getelementptr i64, ptr addrspace(1) %from, i64 %i
  %q = getelementptr i64, ptr addrspace(1) %to, i64 %at
  %v = load i64, ptr addrspace(1) %p
  %w = add i64 %v, 1
  store i64 %w, ptr addrspace(1) %q
  ret void
}
