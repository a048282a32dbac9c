; No compiler knows the ones of a complement of 32 or 64 bits.
; SIGNATURE: ptr ptr
; RUN: optimised spirv1.4 CHECK
;
; CHECK: %[[SIZE:.*]] = call {{.*}} @_Z15get_global_sizej(i32 0)
; CHECK: %[[EMPTY:.*]] = icmp eq i64 %[[SIZE]], 0
; CHECK: %[[ZERO:.*]] = zext i1 %[[EMPTY]] to i32
; CHECK: %[[ONES:.*]] = {{add|sub}} {{.*}}i32 %[[ZERO]], {{-?}}1
; CHECK: %[[X:.*]] = load i32, ptr addrspace(1) %from
; CHECK: xor i32 %[[X]], %[[ONES]]
; CHECK-NOT: , -1
declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %i = call i64 @hither.global_id(i32 0)
  %from = getelementptr i32, ptr addrspace(1) %x, i64 %i
  %value = load i32, ptr addrspace(1) %from
  %not = xor i32 %value, -1
  %to = getelementptr i32, ptr addrspace(1) %y, i64 %i
  store i32 %not, ptr addrspace(1) %to
  ret void
}
