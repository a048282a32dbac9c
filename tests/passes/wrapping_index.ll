; (3 * i) & 15 is not vectorised as an interleaved access.
; SIGNATURE: ptr ptr
; LOCAL: 16 1 1
; RUN: optimised haswell CHECK
;
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK-NOT: load <24 x i32>
; CHECK: ret void

declare i64 @hither.local_id(i32)
declare void @hither.barrier(i32)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @hither.local_id(i32 0)
  call void @hither.barrier(i32 2)
  %m = mul nuw nsw i64 %i, 3
  %x = and i64 %m, 15
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr i32, ptr addrspace(1) %b, i64 %i
  store i32 %v, ptr addrspace(1) %q
  ret void
}
