; Two numbers that are next to each other in local memory are loaded at once: the variable has the
; alignment that this needs.
; SIGNATURE: ptr
; LOCAL: 64 1 1
; RUN: assembly sm_90 CHECK
;
; CHECK: .shared .align 16 .b8 pairs
; CHECK: ld.shared.v2.f64

@pairs = internal addrspace(3) global [4 x double] poison

declare i64 @hither.local_id(i32)
declare void @hither.barrier(i32)

define void @k(ptr addrspace(1) %a) {
  %item = call i64 @hither.local_id(i32 0)
  %place = getelementptr double, ptr addrspace(3) @pairs, i64 %item
  %own = load double, ptr addrspace(1) %a
  store double %own, ptr addrspace(3) %place
  call void @hither.barrier(i32 1)
  %second = getelementptr double, ptr addrspace(3) @pairs, i64 1
  %x = load double, ptr addrspace(3) @pairs
  %y = load double, ptr addrspace(3) %second
  %sum = fadd double %x, %y
  store double %sum, ptr addrspace(1) %a
  ret void
}
