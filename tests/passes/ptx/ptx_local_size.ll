; A known local size is a constant: a loop over a group has a known trip count.
; SIGNATURE: ptr
; LOCAL: 64 1 1
; RUN: assembly sm_90 CHECK
;
; CHECK: .reqntid 64, 1, 1
; CHECK-NOT: %ntid
; CHECK: bar.sync
; CHECK: bar.sync
; CHECK-NOT: bra
; CHECK: ret;

declare i64 @hither.local_size(i32)
declare void @hither.barrier(i32)

define void @k(ptr addrspace(1) %a) {
entry:
  %items = call i64 @hither.local_size(i32 0)
  br label %loop
loop:
  %n = phi i64 [ %items, %entry ], [ %half, %loop ]
  %half = lshr i64 %n, 4
  call void @hither.barrier(i32 1)
  %more = icmp ugt i64 %half, 0
  br i1 %more, label %loop, label %done
done:
  store i64 %half, ptr addrspace(1) %a
  ret void
}
