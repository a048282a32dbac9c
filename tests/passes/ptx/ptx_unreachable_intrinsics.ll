; Intrinsics that follow a raise in its block are never executed. They are removed with the block's
; rest.
; SIGNATURE: ptr
; RUN: assembly sm_90 CHECK
;
; CHECK: .visible .entry k(
; CHECK: atom.global.cas.b32
; CHECK-NOT: st.global.f64
; CHECK: ret;
declare i64 @hither.global_id(i32)
declare i64 @hither.local_id(i32)
declare void @hither.barrier(i32)
declare void @hither.raise(i32, i32)

define void @k(ptr addrspace(1) %a) {
  call void @hither.raise(i32 1, i32 0)
  %i = call i64 @hither.global_id(i32 0)
  %l = call i64 @hither.local_id(i32 0)
  call void @hither.barrier(i32 1)
  call void @hither.raise(i32 2, i32 0)
  %sum = add i64 %i, %l
  %to = getelementptr double, ptr addrspace(1) %a, i64 %sum
  store double 1.0, ptr addrspace(1) %to
  ret void
}
