; A loop whose integer depends on the previous iteration runs for a strip of items at a time.
; SIGNATURE: ptr ptr i64
; INDEPENDENT
; RUN: optimised skylake-avx512 CHECK
;
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK: xor <{{[0-9]+}} x i64>
; CHECK: mul <{{[0-9]+}} x i64>
; CHECK: ret void

declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i64 %n) {
entry:
  %i = call i64 @hither.global_id(i32 0)
  %pa = getelementptr i64, ptr addrspace(1) %a, i64 %i
  %pb = getelementptr i64, ptr addrspace(1) %b, i64 %i
  %seed = load i64, ptr addrspace(1) %pa
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %state = phi i64 [ %seed, %entry ], [ %new, %loop ]
  %high = lshr i64 %state, 29
  %mixed = xor i64 %state, %high
  %new = mul i64 %mixed, 2862933555777941757
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  store i64 %new, ptr addrspace(1) %pb
  ret void
}
