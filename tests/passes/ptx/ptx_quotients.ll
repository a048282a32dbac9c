; Quotients and square roots of float32 that a store does not separate have one test and one branch.
; Where it fails, the assembler's own instructions compute all of them. A quotient alone keeps its
; own instruction.
; SIGNATURE: ptr f32
; RUN: assembly sm_90 PTX
;
; PTX: ld.global
; PTX-NOT: {{bra|div.rn|sqrt.rn}}
; PTX: rsqrt.approx.ftz.f32
; PTX-NOT: {{bra|div.rn|sqrt.rn}}
; PTX: rcp.approx.ftz.f32
; PTX-NOT: {{bra|div.rn|sqrt.rn}}
; PTX: rcp.approx.ftz.f32
; PTX: @%p{{[0-9]+}} bra
; PTX: sqrt.rn.f32
; PTX: div.rn.f32
; PTX: div.rn.f32
; PTX-NOT: rcp.approx
; PTX: st.global
; PTX: st.global
; PTX-NOT: {{approx|sqrt.rn}}
; PTX: div.rn.f32
; PTX-NOT: {{approx|div.rn|sqrt.rn}}
; PTX: ret;

declare i64 @hither.global_id(i32)
declare float @llvm.sqrt.f32(float)

define void @k(ptr addrspace(1) %a, float %d) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %q = getelementptr float, ptr addrspace(1) %p, i64 1000
  %x = load float, ptr addrspace(1) %p
  %y = load float, ptr addrspace(1) %q
  %root = call float @llvm.sqrt.f32(float %x)
  %shifted = fadd float %root, %y
  %u = fdiv float %d, %shifted
  %v = fdiv float %y, %x
  %w = fmul float %v, %u
  store float %w, ptr addrspace(1) %p
  store float %u, ptr addrspace(1) %q
  %r = getelementptr float, ptr addrspace(1) %q, i64 1000
  %z = load volatile float, ptr addrspace(1) %r
  %last = fdiv float %z, %d
  store float %last, ptr addrspace(1) %r
  ret void
}
