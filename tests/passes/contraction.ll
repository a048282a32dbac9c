; A product and a sum with the contract flag become a fused multiply-add in PTX. CPUs and SPIR-V
; round each operation, unless all fast-math flags are set.
; SIGNATURE: ptr
; RUN: assembly sm_90 PTX
; RUN: assembly skylake-avx512 CPU
; RUN: optimised spirv1.4 SPIRV
;
; PTX: .visible .entry k(
; PTX: fma.rn.f64
; PTX: mul.rn.f64
; PTX: add.rn.f64
;
; CPU-NOT: vfmadd
; CPU: vmulpd
; CPU: vaddpd
; CPU-NOT: vfmadd
;
; SPIRV: fmul double
; SPIRV: fadd double

declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) %a) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr double, ptr addrspace(1) %a, i64 %i
  %x = load double, ptr addrspace(1) %p
  %y = fmul contract double %x, 3.0
  %z = fadd contract double %y, 5.0
  %u = fmul double %z, %x
  %v = fadd double %u, 7.0
  store double %v, ptr addrspace(1) %p
  ret void
}
