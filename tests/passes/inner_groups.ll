; Only groups at the edges need clamped indices. Other groups run code without clamps, whose
; accesses are contiguous. The same holds for an index that may be negative and then counts from the
; end.
; SIGNATURE: ptr ptr i64
; LOCAL: 48 1 1
; RUN: looped skylake-avx512 LOOPED
; RUN: optimised skylake-avx512 CHECK
;
; LOOPED: [[SAME:%[0-9]+]] = freeze i1
; LOOPED: br i1 [[SAME]], label %inner.i, label %edge.i
; LOOPED: call i64 @llvm.smin
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK: call <16 x float> @llvm.masked.gather
; CHECK: load <16 x float>, ptr addrspace(1)
; CHECK: load <16 x float>, ptr addrspace(1)
; CHECK: fadd <16 x float>

declare i64 @hither.global_id(i32)
declare void @hither.barrier(i32)
declare i64 @llvm.smin.i64(i64, i64)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
  %i = call i64 @hither.global_id(i32 0)
  call void @hither.barrier(i32 1)
  %before = add nsw i64 %i, -1
  %negative = icmp slt i64 %before, 0
  %from_end = add i64 %before, %n
  %at = select i1 %negative, i64 %from_end, i64 %before
  %p = getelementptr float, ptr addrspace(1) %a, i64 %at
  %x = load float, ptr addrspace(1) %p
  %after = add nsw i64 %i, 1
  %last = add nsw i64 %n, -1
  %clamped = call i64 @llvm.smin.i64(i64 %after, i64 %last)
  %q = getelementptr float, ptr addrspace(1) %a, i64 %clamped
  %y = load float, ptr addrspace(1) %q
  %s = fadd float %x, %y
  %o = getelementptr float, ptr addrspace(1) %b, i64 %i
  store float %s, ptr addrspace(1) %o
  ret void
}
