; Powers with the exponents 2, 1, 0.5, 0 and -1 are exact operations, also if the exponent is a
; variable or converted.
; INDEPENDENT
; SIGNATURE: ptr ptr
; RUN: optimised skylake-avx512 CHECK
;
; CHECK-LABEL: hither_cpu_entry
; CHECK-NOT: pow
; CHECK: fmul <8 x double> [[X:%[^,]+]], [[X]]
; CHECK-NOT: pow
; CHECK: llvm.sqrt.v8f64
; CHECK-NOT: pow

declare i64 @hither.global_id(i32)
declare double @llvm.pow.f64(double, double)
declare double @llvm.powi.f64.i32(double, i32)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %variable = alloca double
  store double 0.5, ptr %variable
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr double, ptr addrspace(1) %a, i64 %i
  %x = load double, ptr addrspace(1) %p
  %half = load double, ptr %variable
  %two = call double @llvm.powi.f64.i32(double %x, i32 2)
  %root = call double @llvm.pow.f64(double %x, double %half)
  %one = call double @llvm.pow.f64(double %x, double 1.0)
  %none = call double @llvm.pow.f64(double %x, double 0.0)
  %less = call double @llvm.pow.f64(double %x, double -1.0)
  %s1 = fadd double %two, %root
  %s2 = fadd double %s1, %one
  %s3 = fadd double %s2, %none
  %s4 = fadd double %s3, %less
  %q = getelementptr double, ptr addrspace(1) %b, i64 %i
  store double %s4, ptr addrspace(1) %q
  ret void
}
