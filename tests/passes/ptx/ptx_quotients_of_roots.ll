; The test of a divisor that is a square root times its operand also tests the operand of the root.
; SIGNATURE: ptr
; RUN: assembly sm_90 PTX
;
; PTX: ld.global
; PTX-COUNT-2: setp.{{ge|le}}.f32
; PTX: @%p{{[0-9]+}} bra
; PTX: sqrt.rn.f32
; PTX: {{div|rcp}}.rn.f32
; PTX-NOT: setp
; PTX: ret;

declare i64 @hither.global_id(i32)
declare float @llvm.sqrt.f32(float)

define void @k(ptr addrspace(1) %a) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %root = call float @llvm.sqrt.f32(float %x)
  %cube = fmul float %root, %x
  %u = fdiv float 1.0, %cube
  store float %u, ptr addrspace(1) %p
  ret void
}
