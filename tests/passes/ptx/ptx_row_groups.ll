; Groups of 40 items in one dimension: the launch must have this size, warps are consecutive items,
; and the last warp has 8 lanes, which alone can match.
; SIGNATURE: ptr
; LOCAL: 40 1 1
; RUN: assembly sm_90 CHECK
;
; CHECK: .reqntid 40
; CHECK-NOT: %ntid
; CHECK: mov.u32 %[[ITEM:r[0-9]+]], %tid.x;
; CHECK: vote.sync.ballot.b32
; CHECK-NOT: %ntid

declare i64 @hither.local_id(i32)
declare i32 @hither.sub_group_size()
declare i32 @hither.sub_group_match.u32(i32, i32)

define void @k(ptr addrspace(1) %a) {
  %l = call i64 @hither.local_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %l
  %x = load i32, ptr addrspace(1) %p
  %bit = and i32 %x, 1
  %same = call i32 @hither.sub_group_match.u32(i32 %bit, i32 1)
  %size = call i32 @hither.sub_group_size()
  %sum = add i32 %same, %size
  store i32 %sum, ptr addrspace(1) %p
  ret void
}
