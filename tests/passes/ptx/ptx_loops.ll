; A loop of medium size with a known trip count is unrolled by four, although LLVM overestimates the
; cost of its square roots and divisions.
; SIGNATURE: ptr
; RUN: assembly sm_90 CHECK
;
; CHECK: .visible .entry k(
; CHECK-COUNT-8: sqrt.rn.f64
; CHECK-NOT: sqrt.rn.f64
; CHECK: ret;

declare i64 @hither.global_id(i32)
declare double @llvm.sqrt.f64(double)

define void @k(ptr addrspace(1) %a) {
entry:
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr double, ptr addrspace(1) %a, i64 %i
  br label %iteration
iteration:
  %n = phi i64 [ 0, %entry ], [ %next, %iteration ]
  %total = phi double [ 0.0, %entry ], [ %sum, %iteration ]
  %q = getelementptr double, ptr addrspace(1) %p, i64 %n
  %x = load double, ptr addrspace(1) %q
  %r = call double @llvm.sqrt.f64(double %x)
  %s = fdiv double %x, %r
  %t = call double @llvm.sqrt.f64(double %s)
  %u = fdiv double %t, %x
  %v = fmul double %u, %u
  %w = fadd double %v, %t
  %y = fmul double %w, %s
  %z = fsub double %y, %x
  %o = fmul double %z, %w
  %sum = fadd double %total, %o
  %next = add i64 %n, 1
  %again = icmp ult i64 %next, 1024
  br i1 %again, label %iteration, label %done
done:
  store double %sum, ptr addrspace(1) %p
  ret void
}
