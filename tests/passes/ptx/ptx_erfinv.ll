; erfinv of float32 is libdevice's, and four items run in a thread.
; INDEPENDENT
; SIGNATURE: ptr ptr
; RUN: assembly sm_90 LIBDEVICE
;
; LIBDEVICE: .visible .entry k(
; LIBDEVICE-COUNT-4: lg2.approx
; LIBDEVICE-COUNT-4: st.global.f32

declare i64 @hither.global_id(i32)
declare float @hither_erfinv_f32(float)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %y = call float @hither_erfinv_f32(float %x)
  %q = getelementptr float, ptr addrspace(1) %b, i64 %i
  store float %y, ptr addrspace(1) %q
  ret void
}
