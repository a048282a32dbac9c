; A loop with a uniform trip count runs outside of the loop over items, which is vectorised although
; the loop contains no barrier.
; SIGNATURE: ptr ptr ptr i64
; LOCAL: 16 16 1
; RUN: optimised skylake-avx512 CHECK
;
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK: fmul <16 x float>
; CHECK: fadd <16 x float>
; CHECK-NOT: gather
; CHECK: ret void

declare i64 @hither.global_id(i32)
declare void @hither.barrier(i32)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n) {
entry:
  %i = call i64 @hither.global_id(i32 0)
  %j = call i64 @hither.global_id(i32 1)
  %row = mul i64 %i, %n
  call void @hither.barrier(i32 3)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %added, %loop ]
  %ia = add i64 %row, %k
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %ia
  %brow = mul i64 %k, %n
  %ib = add i64 %brow, %j
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %ib
  %x = load float, ptr addrspace(1) %pa
  %y = load float, ptr addrspace(1) %pb
  %xy = fmul float %x, %y
  %added = fadd float %sum, %xy
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %ic = add i64 %row, %j
  %pc = getelementptr float, ptr addrspace(1) %c, i64 %ic
  store float %added, ptr addrspace(1) %pc
  ret void
}
