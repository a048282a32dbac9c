; The first item that raises writes the record, which is one more argument. Its group stops at the
; next barrier.
; SIGNATURE: ptr
; RUN: optimised spirv1.4 CHECK
;
; CHECK: @failed = internal addrspace(3) global [2 x i32]
; CHECK: define spir_kernel void @k(ptr addrspace(1) %{{.*}}, ptr addrspace(1) %[[RECORD:.*]])
; CHECK-DAG: store i32 0, ptr addrspace(3) @failed
; CHECK-DAG: call spir_func void @_Z7barrierj(i32 1)
; CHECK-DAG: atomicrmw xchg ptr addrspace(3) @failed, i32 1 syncscope("workgroup")
; CHECK-DAG: cmpxchg ptr addrspace(1) %[[RECORD]], i32 0, i32 16 syncscope("device")
; CHECK-DAG: call spir_func void @_Z7barrierj(i32 1)
; CHECK-DAG: atomicrmw or ptr addrspace(3) @failed, i32 0 syncscope("workgroup")

declare i64 @hither.global_id(i32)
declare void @hither.barrier(i32)
declare void @hither.raise(i32, i32)

define void @k(ptr addrspace(1) %a) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %p
  %bad = icmp slt i32 %x, 0
  br i1 %bad, label %fail, label %good
fail:
  call void @hither.raise(i32 16, i32 7)
  ret void
good:
  call void @hither.barrier(i32 1)
  store i32 1, ptr addrspace(1) %p
  ret void
}
