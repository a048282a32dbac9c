; Another use of the local id keeps the items of a thread apart, although their place is the global
; id, which is made of the group and the item.
; INDEPENDENT
; SIGNATURE: ptr ptr i64
; RUN: optimised sm_90 CHECK
;
; CHECK-LABEL: define {{.*}} @k(
; CHECK: load float
; CHECK-NOT: load float

declare i64 @hither.group_id(i32)
declare i64 @hither.local_size(i32)
declare i64 @hither.local_id(i32)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
  %group = call i64 @hither.group_id(i32 0)
  %items = call i64 @hither.local_size(i32 0)
  %item = call i64 @hither.local_id(i32 0)
  %first = mul i64 %items, %group
  %i = add nsw i64 %item, %first
  %inside = icmp slt i64 %i, %n
  br i1 %inside, label %work, label %end
work:
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %number = sitofp i64 %item to float
  %y = fadd float %x, %number
  %q = getelementptr float, ptr addrspace(1) %b, i64 %i
  store float %y, ptr addrspace(1) %q
  br label %end
end:
  ret void
}
