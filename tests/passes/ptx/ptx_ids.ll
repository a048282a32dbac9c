; A device's x is the fastest dimension, as hither's last: with two dimensions, dimension 0 is y.
; The grid is rounded up to blocks, so items compare their ids with the sizes, which are the last
; arguments. Pointers are global, nothing is contracted, and division is correctly rounded.
; SIGNATURE: ptr c64 f32
; RUN: assembly sm_90 CHECK
;
; CHECK: .target sm_90
; CHECK: .visible .entry k(
; CHECK: .param .u64 {{.*}}k_param_0,
; CHECK: .param .align 4 .b8 k_param_1[8],
; CHECK: .param .f32 k_param_2,
; CHECK: .param .u64 k_param_3,
; CHECK: .param .u64 k_param_4
; CHECK-DAG: %ctaid.y;
; CHECK-DAG: %tid.x;
; CHECK-DAG: ld.param.u64 [[ROWS:%rd[0-9]+]], [k_param_3];
; CHECK-DAG: ld.param.u64 [[COLUMNS:%rd[0-9]+]], [k_param_4];
; CHECK: setp.{{..}}.{{.}}64
; CHECK-NOT: fma.rn.f32
; CHECK: div.rn.f32
; CHECK-NOT: fma.rn.f32
; CHECK: st.global.f32

declare i64 @hither.global_id(i32)
declare i64 @hither.global_size(i32)

define void @k(ptr addrspace(1) %a, { float, float } %z, float %y) {
  %i = call i64 @hither.global_id(i32 0)
  %j = call i64 @hither.global_id(i32 1)
  %n = call i64 @hither.global_size(i32 1)
  %row = mul i64 %i, %n
  %at = add i64 %row, %j
  %base = addrspacecast ptr addrspace(1) %a to ptr
  %p = getelementptr float, ptr %base, i64 %at
  %x = load float, ptr %p
  %re = extractvalue { float, float } %z, 0
  %product = fmul float %x, %re
  %sum = fadd float %product, %y
  %q = fdiv float %sum, %re
  store float %q, ptr %p
  ret void
}
