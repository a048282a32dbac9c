; A load in a branch leaves one item for each thread, because it would wait for the items before.
; INDEPENDENT
; SIGNATURE: ptr ptr
; RUN: assembly sm_90 CHECK
;
; CHECK: .visible .entry k(
; CHECK-COUNT-2: ld.global.f32
; CHECK: st.global.f32
; CHECK-NOT: .global.f32

declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %q = getelementptr float, ptr addrspace(1) %b, i64 %i
  %x = load float, ptr addrspace(1) %p
  %big = fcmp ogt float %x, 1.0
  br i1 %big, label %far, label %near
far:
  %y = load float, ptr addrspace(1) %q
  %z = fdiv float 3.0, %y
  store float %z, ptr addrspace(1) %q
  ret void
near:
  ret void
}
