; A kernel with many functions runs one item for each thread, and loads everything before it
; computes. Functions contain branches, and loads are not moved across branches.
; INDEPENDENT
; SIGNATURE: ptr ptr ptr
; RUN: assembly sm_90 CHECK
;
; CHECK: .visible .entry k(
; CHECK: ld.global.f64
; CHECK-NOT: rn.f64
; CHECK: ld.global.f64
; CHECK: rn.f64
; CHECK: st.global.f64

declare i64 @hither.global_id(i32)
declare double @llvm.exp.f64(double)
declare double @llvm.log.f64(double)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr double, ptr addrspace(1) %a, i64 %i
  %x = load double, ptr addrspace(1) %p
  %e = call double @llvm.exp.f64(double %x)
  %l = call double @llvm.log.f64(double %e)
  %q = getelementptr double, ptr addrspace(1) %b, i64 %i
  %y = load double, ptr addrspace(1) %q
  %f = call double @llvm.exp.f64(double %y)
  %s = fadd double %l, %f
  %r = getelementptr double, ptr addrspace(1) %c, i64 %i
  store double %s, ptr addrspace(1) %r
  ret void
}
