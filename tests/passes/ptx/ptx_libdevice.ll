; Math calls libdevice, which is inlined, without its code for old devices.
; SIGNATURE: ptr
; RUN: assembly sm_90 LIBDEVICE
;
; LIBDEVICE: .visible .entry k(
; LIBDEVICE-NOT: .func
; LIBDEVICE: fma.rn.f64
; LIBDEVICE: st.global.f64

declare i64 @hither.global_id(i32)
declare double @llvm.sin.f64(double)

define void @k(ptr addrspace(1) %a) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr double, ptr addrspace(1) %a, i64 %i
  %x = load double, ptr addrspace(1) %p
  %y = call double @llvm.sin.f64(double %x)
  store double %y, ptr addrspace(1) %p
  ret void
}
