; An item that raises after a barrier must not write the flag that other items are still reading
; there. Therefore two flags alternate.
; SIGNATURE: ptr
; RUN: assembly sm_90 CHECK
;
; CHECK: .shared .align 4 .b8 failed{{.*}}[8];
; CHECK: bar.sync 0;
; CHECK: [[LOOP:\$L.*]]:
; CHECK: bar.sync 0;
; CHECK: ld{{.*}}.shared{{.*}}
; CHECK: xor.b32
; CHECK: ret;

declare i64 @hither.global_id(i32)
declare void @hither.barrier(i32)
declare void @hither.raise(i32, i32)

define void @k(ptr addrspace(1) %a) {
entry:
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  br label %iteration
iteration:
  %n = phi i32 [ 0, %entry ], [ %next, %good ]
  call void @hither.barrier(i32 1)
  %x = load volatile i32, ptr addrspace(1) %p
  %bad = icmp slt i32 %x, 0
  br i1 %bad, label %fail, label %good
fail:
  call void @hither.raise(i32 16, i32 7)
  ret void
good:
  %next = add i32 %n, 1
  %more = icmp ult i32 %next, %x
  br i1 %more, label %iteration, label %end
end:
  call void @hither.barrier(i32 1)
  store i32 1, ptr addrspace(1) %p
  ret void
}
