; A kernel of two dimensions runs its first one along the device's second: the items of a warp differ
; in its last dimension, and the known local size is in the device's order.
; SIGNATURE: ptr
; LOCAL: 64 1 1
; RUN: assembly sm_90 CHECK
;
; CHECK: .reqntid 1, 64, 1
; CHECK: %tid.y

declare i64 @hither.local_id(i32)
declare i32 @hither.sub_group_id()

define void @k(ptr addrspace(1) %a) {
  %l = call i64 @hither.local_id(i32 0)
  %m = call i64 @hither.local_id(i32 1)
  %n = add i64 %l, %m
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %n
  %number = call i32 @hither.sub_group_id()
  store i32 %number, ptr addrspace(1) %p
  ret void
}
