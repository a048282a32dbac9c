; Vectors become scalars, math functions are OpenCL's, nan takes precedence, and constants have an
; address space of their own.
; SIGNATURE: ptr
; RUN: optimised spirv1.4 CHECK
;
; CHECK: addrspace(2) constant [4 x double]
; CHECK: define spir_kernel void @k
; CHECK-NOT: <{{[0-9]+}} x
; CHECK-COUNT-4: call spir_func double @_Z3sind(double
; CHECK-NOT: llvm.
; CHECK: fcmp uno double
; CHECK: ret void

@table = internal constant [4 x double] [double 1.0, double 2.0, double 4.0, double 8.0]

declare i64 @hither.global_id(i32)
declare <4 x double> @llvm.sin.v4f64(<4 x double>)
declare double @llvm.vector.reduce.fmaximum.v4f64(<4 x double>)

define void @k(ptr addrspace(1) %a) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr <4 x double>, ptr addrspace(1) %a, i64 %i
  %v = load <4 x double>, ptr addrspace(1) %p, align 8
  %s = call <4 x double> @llvm.sin.v4f64(<4 x double> %v)
  %m = call double @llvm.vector.reduce.fmaximum.v4f64(<4 x double> %s)
  %k = and i64 %i, 3
  %c = getelementptr [4 x double], ptr @table, i64 0, i64 %k
  %x = load double, ptr %c
  %y = fmul double %m, %x
  store double %y, ptr addrspace(1) %p
  ret void
}
