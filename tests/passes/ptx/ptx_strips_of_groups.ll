; An id that is made of the group's id, the local size and the local id is the global id, whatever
; the order of the operands. So four items share a thread.
; INDEPENDENT
; SIGNATURE: ptr ptr i64
; RUN: optimised sm_90 CHECK
;
; CHECK-LABEL: {{^}}rest.together:
; CHECK-COUNT-4: icmp slt i64 %{{.*}}, %n
; CHECK-LABEL: {{^}}work.together:
; CHECK-COUNT-4: load float

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
  %y = fadd float %x, 3.0
  %q = getelementptr float, ptr addrspace(1) %b, i64 %i
  store float %y, ptr addrspace(1) %q
  br label %end
end:
  ret void
}
