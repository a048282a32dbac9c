; Sub-groups are warps: shuffles inside of them, local memory between them, votes by the hardware.
; Dynamic local memory is one array, and the argument is an offset into it.
; SIGNATURE: ptr local
; RUN: assembly sm_90 CHECK
;
; CHECK: .extern .shared .align 16 .b8 hither_local_memory[];
; CHECK: .visible .entry k(
; CHECK: .param .u32 k_param_1
; CHECK: .shared .align 16 .b8 sub_groups[128];
; CHECK: shfl.sync.idx.b32
; CHECK: bar.sync 0;
; CHECK: add.rn.f32
; CHECK: bar.red.or.pred
; CHECK: vote.sync.all.pred
; CHECK: bar.warp.sync
; CHECK-COUNT-3: vote.sync.ballot.b32

declare i64 @hither.global_id(i32)
declare i64 @hither.local_id(i32)
declare float @hither.group_reduce.add.f32(float)
declare i8 @hither.group_any_of(i8)
declare i8 @hither.sub_group_all_of(i8)
declare float @hither.group_broadcast.f32(float, i32)
declare double @hither.sub_group_shuffle_xor.f64(double, i32)
declare i32 @hither.sub_group_match.u32(i32, i32)
declare void @hither.sub_group_barrier(i32)

define void @k(ptr addrspace(1) %a, ptr addrspace(3) %c) {
  %i = call i64 @hither.global_id(i32 0)
  %l = call i64 @hither.local_id(i32 0)
  %narrow = trunc i64 %l to i32
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %t = getelementptr float, ptr addrspace(3) %c, i64 %l
  %x = load float, ptr addrspace(1) %p
  %sum = call float @hither.group_reduce.add.f32(float %x)
  %positive = fcmp ogt float %sum, 1.0
  %truth = zext i1 %positive to i8
  %any = call i8 @hither.group_any_of(i8 %truth)
  %all = call i8 @hither.sub_group_all_of(i8 %any)
  %number = uitofp i8 %all to float
  store float %number, ptr addrspace(3) %t
  call void @hither.sub_group_barrier(i32 1)
  %y = load float, ptr addrspace(3) %t
  %first = call float @hither.group_broadcast.f32(float %y, i32 0)
  %wide = fpext float %first to double
  %other = call double @hither.sub_group_shuffle_xor.f64(double %wide, i32 1)
  %share = fptrunc double %other to float
  %digit = and i32 %narrow, 7
  %same = call i32 @hither.sub_group_match.u32(i32 %digit, i32 3)
  %equals = uitofp i32 %same to float
  %result = fadd float %share, %equals
  store float %result, ptr addrspace(1) %p
  ret void
}
