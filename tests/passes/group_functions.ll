; A group function becomes a few vector operations on the array of its arguments.
; SIGNATURE: ptr
; LOCAL: 256 1 1
; RUN: optimised skylake-avx512 CHECK
;
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK-DAG: fadd <16 x float>
; CHECK-DAG: fadd <8 x float>
; CHECK-NOT: @hither.group_reduce
; CHECK: ret void

declare i64 @hither.global_id(i32)
declare float @hither.group_reduce.add.f32(float)

define void @k(ptr addrspace(1) %a) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %sum = call float @hither.group_reduce.add.f32(float %x)
  %share = fdiv float %x, %sum
  store float %share, ptr addrspace(1) %p
  ret void
}
