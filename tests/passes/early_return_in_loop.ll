; Items that return inside of a loop with barriers continue its iterations. The loop condition stays
; uniform, and needs no vote if it is arithmetic on arguments.
; SIGNATURE: ptr i64
; LOCAL: 16 1 1
; RUN: looped sm_90 CHECK
;
; CHECK-LABEL: define void @k
; CHECK-NOT: hither.group_any_of
; CHECK: convergent{{.*}}:
; CHECK: %returned{{.*}} = phi i1
; CHECK: call void @hither.barrier
; CHECK: %[[NEXT:.*]] = add i64 %t, 1
; CHECK: icmp slt i64 %[[NEXT]], %n
; CHECK: ret void

declare i64 @hither.global_id(i32)
declare void @hither.barrier(i32)

define void @k(ptr addrspace(1) %a, i64 %n) {
entry:
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %i
  br label %iteration
iteration:
  %t = phi i64 [ 0, %entry ], [ %u, %stays ]
  %x = load i64, ptr addrspace(1) %p
  %done = icmp slt i64 %x, %t
  br i1 %done, label %out, label %stays
stays:
  store i64 %t, ptr addrspace(1) %p
  call void @hither.barrier(i32 1), !hither.line !0
  %u = add i64 %t, 1
  %c = icmp slt i64 %u, %n
  br i1 %c, label %iteration, label %out
out:
  ret void
}
!0 = !{i32 12, !"work.py"}
