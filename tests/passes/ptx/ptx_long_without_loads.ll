; A long kernel without loads runs the items of a thread in a loop, which ends with them.
; INDEPENDENT
; SIGNATURE: ptr f64
; RUN: optimised sm_90 CHECK
;
; CHECK: call i64 @llvm.umin.i64
; CHECK-COUNT-1: store double
; CHECK-NOT: store double

declare i64 @hither.global_id(i32)
declare double @hither_random_normal_f64(i64, double, double, double, double)

define void @k(ptr addrspace(1) %b, double %key) {
  %i = call i64 @hither.global_id(i32 0)
  %y = call double @hither_random_normal_f64(i64 %i, double %key, double %key, double 0.0, double 1.0)
  %q = getelementptr double, ptr addrspace(1) %b, i64 %i
  store double %y, ptr addrspace(1) %q
  ret void
}
