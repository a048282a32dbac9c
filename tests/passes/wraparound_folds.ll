; Ids are not negative, so Python's index wraparound folds away.
; SIGNATURE: ptr i64
; RUN: optimised skylake-avx512 CHECK
;
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK-NOT: select
; CHECK-NOT: gather
; CHECK: store <8 x double>
; CHECK: ret void

declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) %a, i64 %n) {
  %i = call i64 @hither.global_id(i32 0)
  %negative = icmp slt i64 %i, 0
  %wrapped = add i64 %i, %n
  %at = select i1 %negative, i64 %wrapped, i64 %i
  %p = getelementptr double, ptr addrspace(1) %a, i64 %at
  %x = load double, ptr addrspace(1) %p
  %y = fmul double %x, %x
  store double %y, ptr addrspace(1) %p
  ret void
}
