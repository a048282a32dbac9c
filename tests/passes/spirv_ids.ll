; A device's dimension 0 is the fastest, hither's the slowest: with two dimensions, 0 is the
; device's 1. Pointers are global, wraparound folds, and the function is a SPIR-V kernel.
; SIGNATURE: ptr c64
; RUN: optimised spirv1.4 CHECK
;
; CHECK: target triple = "spirv64v1.4-unknown-unknown"
; CHECK: define spir_kernel void @k(ptr addrspace(1) %{{.*}}, <2 x float> %
; CHECK-DAG: call spir_func i64 @_Z13get_global_idj(i32 1)
; CHECK-DAG: call spir_func i64 @_Z13get_global_idj(i32 0)
; CHECK-NOT: icmp slt
; CHECK-NOT: addrspacecast
; CHECK: store float %{{.*}}, ptr addrspace(1)
; CHECK-NOT: hither.

declare i64 @hither.global_id(i32)
declare i64 @hither.global_size(i32)

define void @k(ptr addrspace(1) %a, { float, float } %z) {
  %i = call i64 @hither.global_id(i32 0)
  %j = call i64 @hither.global_id(i32 1)
  %n = call i64 @hither.global_size(i32 1)
  %row = mul i64 %i, %n
  %at = add i64 %row, %j
  %negative = icmp slt i64 %j, 0
  %wrapped = add i64 %at, %n
  %index = select i1 %negative, i64 %wrapped, i64 %at
  %base = addrspacecast ptr addrspace(1) %a to ptr
  %p = getelementptr float, ptr %base, i64 %index
  %re = extractvalue { float, float } %z, 0
  store float %re, ptr %p
  ret void
}
