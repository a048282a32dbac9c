; Quotients of float16 use the reciprocal of the divisor, computed once for a shared divisor. exp of
; a float16 is a power of two. Math that is not rounded to float16 uses libdevice.
; SIGNATURE: ptr f16
; RUN: assembly sm_90 PTX
;
; PTX-NOT: div.rn
; PTX: rcp.approx.ftz.f32
; PTX-NOT: rcp
; PTX: ex2.approx.ftz.f32
; PTX-NOT: {{div.rn|rcp}}
; PTX: st.global

declare i64 @hither.global_id(i32)
declare float @llvm.exp.f32(float)

define void @k(ptr addrspace(1) %a, half %d) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr half, ptr addrspace(1) %a, i64 %i
  %q = getelementptr half, ptr addrspace(1) %p, i64 1000
  %x = load half, ptr addrspace(1) %p
  %y = load half, ptr addrspace(1) %q
  %u = fdiv half %x, %d
  %v = fdiv half %y, %d
  %w = fpext half %u to float
  %e = call float @llvm.exp.f32(float %w)
  %r = fptrunc float %e to half
  %s = fadd half %r, %v
  store half %s, ptr addrspace(1) %p
  ret void
}
