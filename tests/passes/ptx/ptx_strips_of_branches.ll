; A kernel with branches runs four items in a thread, one after another. Their loads come first.
; INDEPENDENT
; SIGNATURE: ptr ptr
; RUN: assembly sm_90 CHECK
;
; CHECK: .visible .entry k(
; CHECK-COUNT-4: ld.global.f32
; CHECK-NOT: ld.global
; CHECK-COUNT-4: st.global.f32
; The loop of the last groups
; CHECK-NOT: st.global
; CHECK: ld.global.f32
; CHECK-NOT: ld.global
; CHECK: st.global.f32
; CHECK-NOT: st.global

declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %big = fcmp ogt float %x, 1.0
  br i1 %big, label %far, label %near
far:
  %y = fdiv float 3.0, %x
  %q = getelementptr float, ptr addrspace(1) %b, i64 %i
  store float %y, ptr addrspace(1) %q
  ret void
near:
  ret void
}
