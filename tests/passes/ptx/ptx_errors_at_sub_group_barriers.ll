; Sub-groups reach their own barriers at different times. One flag is used up to the group's next
; barrier, where all sub-groups stop.
; SIGNATURE: ptr
; RUN: assembly sm_90 CHECK
;
; CHECK: bar.sync 0;
; CHECK: bar.warp.sync
; CHECK: ld{{.*}}.shared{{.*}} {{\[}}failed[[WORD:[_$0-9]*]]{{\]}}
; CHECK: bar.sync 0;
; CHECK-NEXT: ld{{.*}}.shared{{.*}} {{\[}}failed[[WORD]]{{\]}}
; CHECK: ret;

declare i64 @hither.global_id(i32)
declare void @hither.barrier(i32)
declare void @hither.sub_group_barrier(i32)
declare void @hither.raise(i32, i32)

define void @k(ptr addrspace(1) %a) {
entry:
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %bad = icmp slt i32 %x, 0
  br i1 %bad, label %fail, label %good
fail:
  call void @hither.raise(i32 16, i32 7)
  ret void
good:
  call void @hither.sub_group_barrier(i32 1)
  store volatile i32 2, ptr addrspace(1) %p
  call void @hither.barrier(i32 1)
  store i32 1, ptr addrspace(1) %p
  ret void
}
