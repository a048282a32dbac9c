; Items that return before a barrier still execute it, but skip the stores of the others.
; SIGNATURE: ptr i64
; LOCAL: 16 1 1
; RUN: looped x86-64 CHECK
; RUN: assembly sm_90 PTX
;
; CHECK-NOT: error
; CHECK: define
; PTX: bar.sync 0;
; PTX-NOT: bar.sync
; PTX: ret;

declare i64 @hither.global_id(i32)
declare void @hither.barrier(i32)

define void @k(ptr addrspace(1) %a, i64 %n) {
  %i = call i64 @hither.global_id(i32 0)
  %inside = icmp slt i64 %i, %n
  br i1 %inside, label %work, label %out
work:
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  store i32 1, ptr addrspace(1) %p
  call void @hither.barrier(i32 1), !hither.line !0
  %q = getelementptr i32, ptr addrspace(1) %p, i64 1
  store i32 2, ptr addrspace(1) %q
  br label %out
out:
  ret void
}
!0 = !{i32 12, !"work.py"}
