; A thread runs one item if the kernel queries its group, because the items of a thread would be in
; several groups.
; INDEPENDENT
; SIGNATURE: ptr ptr
; RUN: optimised sm_90 CHECK
;
; CHECK: @llvm.nvvm.read.ptx.sreg.ctaid.x()
; CHECK: load float
; CHECK-NOT: load float
; CHECK: store float
; CHECK-NOT: store float
; CHECK: br label

declare i64 @hither.global_id(i32)
declare i64 @hither.group_id(i32)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @hither.global_id(i32 0)
  %g = call i64 @hither.group_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %q = getelementptr float, ptr addrspace(1) %b, i64 %i
  %x = load float, ptr addrspace(1) %p
  %f = uitofp i64 %g to float
  %y = fadd float %x, %f
  store float %y, ptr addrspace(1) %q
  ret void
}
