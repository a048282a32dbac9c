; Math of constants is computed at run time, by the same variant as all other math. pow(x, 3)
; remains a call, whether or not the optimiser sees the 3.
; SIGNATURE: ptr
; RUN: optimised skylake-avx512 CHECK
;
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK-DAG: call <8 x double> @Sleef_finz_sind8_u10avx512f(
; CHECK-DAG: call <8 x double> @Sleef_finz_powd8_u10avx512f(

declare double @sin(double)
declare double @pow(double, double)

define void @k(ptr addrspace(1) %a) {
  %x = load double, ptr addrspace(1) %a
  %s = call double @sin(double 1.0)
  %p = call double @pow(double %x, double 3.0)
  %z = fadd double %s, %p
  store double %z, ptr addrspace(1) %a
  ret void
}
