; A filter reads neighbours of its items' elements: four neighbouring items share a thread, which
; loads each element once, in vectors where the array begins at one.
; INDEPENDENT
; SIGNATURE: ptr ptr
; RUN: optimised sm_90 CHECK
; RUN: assembly sm_90 TEXT
;
; CHECK: and i64 %{{.*}}, 15
; CHECK: neighbours:
; CHECK-COUNT-7: load float
; CHECK-NOT: load float
; CHECK: spaced:
;
; TEXT: .visible .entry k(
; TEXT: ld.global.v4.f32
; TEXT: ld.global.v2.f32
; TEXT: ld.global.f32
; TEXT: st.global.v4.f32
; TEXT: ret

declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) %y, ptr addrspace(1) %x) {
  %i = call i64 @hither.global_id(i32 0)
  %i1 = add nsw i64 %i, 1
  %i2 = add nsw i64 %i, 2
  %i3 = add nsw i64 %i, 3
  %p0 = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %p1 = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i1
  %p2 = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i2
  %p3 = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i3
  %x0 = load float, ptr addrspace(1) %p0
  %x1 = load float, ptr addrspace(1) %p1
  %x2 = load float, ptr addrspace(1) %p2
  %x3 = load float, ptr addrspace(1) %p3
  %a = fadd float %x0, %x1
  %b = fadd float %a, %x2
  %c = fadd float %b, %x3
  %q = getelementptr inbounds float, ptr addrspace(1) %y, i64 %i
  store float %c, ptr addrspace(1) %q
  ret void
}
