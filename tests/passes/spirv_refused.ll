; An address of which nobody knows what memory it is in would be a silent wrong answer.
; SIGNATURE: ptr ptr local
; RUN: optimised spirv1.4 CHECK
; CHECK: error: k: an address in this kernel is chosen between kinds of memory

declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(3) %c) {
  %i = call i64 @hither.global_id(i32 0)
  %first = icmp eq i64 %i, 0
  %x = addrspacecast ptr addrspace(1) %a to ptr
  %y = addrspacecast ptr addrspace(3) %c to ptr
  %p = select i1 %first, ptr %x, ptr %y
  store i32 1, ptr %p
  ret void
}
