; A barrier that some remaining items do not reach is refused, with the front end's line.
; SIGNATURE: ptr i64
; LOCAL: 16 1 1
; RUN: optimised x86-64 CHECK
;
; CHECK: error: k: at work.py:12, the barrier is not reached by all work-items of a group

declare i64 @hither.global_id(i32)
declare void @hither.barrier(i32)

define void @k(ptr addrspace(1) %a, i64 %n) {
  %i = call i64 @hither.global_id(i32 0)
  %inside = icmp slt i64 %i, %n
  br i1 %inside, label %work, label %out
work:
  call void @hither.barrier(i32 1), !hither.line !0
  br label %out
out:
  store i32 1, ptr addrspace(1) %a
  ret void
}
!0 = !{i32 12, !"work.py"}
