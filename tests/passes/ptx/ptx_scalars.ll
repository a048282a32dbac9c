; Vectors become scalars, nan takes precedence, and constants are in global memory. (No libdevice
; function is called, because not every machine that runs this test has libdevice.)
; SIGNATURE: ptr
; RUN: optimised sm_90 CHECK
; RUN: assembly sm_90 PTX
;
; CHECK: addrspace(1) constant [4 x double]
; CHECK: define {{.*}}@k
; CHECK-COUNT-4: call double @llvm.sqrt.f64(double
; CHECK: fcmp uno double
; CHECK: store double
; PTX: .global .align {{[0-9]+}} .b8 {{.*}}[32]
; PTX-COUNT-4: sqrt.rn.f64

@table = internal constant [4 x double] [double 1.0, double 2.0, double 4.0, double 8.0]

declare i64 @hither.global_id(i32)
declare <4 x double> @llvm.sqrt.v4f64(<4 x double>)
declare double @llvm.vector.reduce.fmaximum.v4f64(<4 x double>)

define void @k(ptr addrspace(1) %a) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr <4 x double>, ptr addrspace(1) %a, i64 %i
  %v = load <4 x double>, ptr addrspace(1) %p, align 8
  %s = call <4 x double> @llvm.sqrt.v4f64(<4 x double> %v)
  %m = call double @llvm.vector.reduce.fmaximum.v4f64(<4 x double> %s)
  %k = and i64 %i, 3
  %c = getelementptr [4 x double], ptr @table, i64 0, i64 %k
  %x = load double, ptr %c
  %y = fmul double %m, %x
  store double %y, ptr addrspace(1) %p
  ret void
}
