; Undefined behaviour becomes `unreachable` without a report before it, in a block that all items of
; a group run.
; SIGNATURE: ptr
; LOCAL: 16 1 1
; RUN: looped x86-64 CHECK
;
; CHECK: define {{.*}}void @

declare void @hither.barrier(i32)
declare void @llvm.assume(i1)

define void @k(ptr addrspace(1) %x) {
  store double 1.0, ptr addrspace(1) %x
  call void @hither.barrier(i32 1)
  call void @llvm.assume(i1 false)
  ret void
}
