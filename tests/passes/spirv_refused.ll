; An address of unknown address space is refused, because it would silently give wrong results.
; SIGNATURE: ptr ptr local
; RUN: optimised spirv1.4 CHECK
; CHECK: error: k: this kernel selects an address from several address spaces

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
