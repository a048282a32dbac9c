; The first item that raises writes the record, which is the last argument of a kernel with groups.
; Its group stops at the next barrier.
; SIGNATURE: ptr
; RUN: assembly sm_90 CHECK
;
; CHECK: .visible .entry k(
; CHECK: .param .u64 {{.*}}k_param_0,
; CHECK-NEXT: .param .u64 {{.*}}k_param_1
; CHECK-NEXT: )
; CHECK: .shared .align 4 .u32 failed{{.*}};
; CHECK: bar.sync 0;
; CHECK-DAG: atom.global.cas.b32
; CHECK-DAG: st{{.*}}.shared{{.*}} [failed{{.*}}]
; CHECK-DAG: bar.sync 0;
; CHECK-DAG: ld{{.*}}.shared{{.*}} [failed{{.*}}]
; CHECK: ret;

declare i64 @hither.global_id(i32)
declare void @hither.barrier(i32)
declare void @hither.raise(i32, i32)

define void @k(ptr addrspace(1) %a) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %bad = icmp slt i32 %x, 0
  br i1 %bad, label %fail, label %good
fail:
  call void @hither.raise(i32 16, i32 7)
  ret void
good:
  call void @hither.barrier(i32 1)
  store i32 1, ptr addrspace(1) %p
  ret void
}
