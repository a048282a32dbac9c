; A thread runs four items of a kernel that calls one or two short functions. Their loads come
; first.
; INDEPENDENT
; SIGNATURE: ptr ptr
; RUN: optimised sm_90 CHECK
; RUN: assembly sm_90 TEXT
;
; CHECK: icmp ult i64
; CHECK: load double, ptr addrspace(1) %
; CHECK-NEXT: load double, ptr addrspace(1) %
; CHECK-NEXT: load double, ptr addrspace(1) %
; CHECK-NEXT: load double, ptr addrspace(1) %
; CHECK-NOT: __nv_
;
; The table is read as pairs.
; TEXT: .visible .entry k(
; TEXT-COUNT-4: ld.global.f64
; TEXT: ld.global.nc.v2.
; TEXT-NOT: call

declare i64 @hither.global_id(i32)
declare double @llvm.exp.f64(double)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr double, ptr addrspace(1) %a, i64 %i
  %q = getelementptr double, ptr addrspace(1) %b, i64 %i
  %x = load double, ptr addrspace(1) %p
  %y = call double @llvm.exp.f64(double %x)
  store double %y, ptr addrspace(1) %q
  ret void
}
