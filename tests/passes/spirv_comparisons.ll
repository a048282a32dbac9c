; A kernel with groups compares with zero minus a value, and not with a negated value.
; SIGNATURE: ptr ptr
; RUN: optimised spirv1.4 CHECK
;
; CHECK: %[[X:.*]] = load double, ptr addrspace(1) %at
; CHECK: %[[MINUS:.*]] = fsub double 0.000000e+00, %[[X]]
; CHECK: fcmp ogt double %{{.*}}, %[[MINUS]]
declare i64 @hither.global_id(i32)
declare void @hither.barrier(i32)

define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %i = call i64 @hither.global_id(i32 0)
  %first = load double, ptr addrspace(1) %x
  %at = getelementptr double, ptr addrspace(1) %x, i64 %i
  %value = load double, ptr addrspace(1) %at
  %minus = fneg double %value
  %more = fcmp ogt double %first, %minus
  call void @hither.barrier(i32 1)
  %to = getelementptr i8, ptr addrspace(1) %y, i64 %i
  %byte = zext i1 %more to i8
  store i8 %byte, ptr addrspace(1) %to
  ret void
}
