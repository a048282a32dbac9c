; Vectors of a front end: wide ones are split, narrow ones padded. libm's names and LLVM's
; intrinsics become the same variant.
; SIGNATURE: ptr
; RUN: optimised skylake-avx512 CHECK
;
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK-COUNT-4: call <8 x double> @Sleef_finz_sind8_u10avx512f(
; CHECK: call <16 x float> @Sleef_finz_powf16_u10avx512f(
; CHECK-NOT: @sin(
; CHECK-NOT: @llvm.sin
; CHECK: declare

declare i64 @hither.global_id(i32)
declare <32 x double> @llvm.sin.v32f64(<32 x double>)
declare <4 x float> @hither.math.pow.v4f32(<4 x float>, <4 x float>)

define void @k(ptr addrspace(1) %a) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr [512 x i8], ptr addrspace(1) %a, i64 %i
  %x = load <32 x double>, ptr addrspace(1) %p
  %s = call <32 x double> @llvm.sin.v32f64(<32 x double> %x)
  store <32 x double> %s, ptr addrspace(1) %p
  %q = getelementptr [256 x i8], ptr addrspace(1) %p, i64 1
  %y = load <4 x float>, ptr addrspace(1) %q
  %w = call <4 x float> @hither.math.pow.v4f32(<4 x float> %y, <4 x float> %y)
  store <4 x float> %w, ptr addrspace(1) %q
  ret void
}
