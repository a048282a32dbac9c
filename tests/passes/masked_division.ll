; Items that divide integers by a variable leave the loop in different iterations. Vectors have no such
; division, so the loop runs for one item at a time.
; SIGNATURE: ptr i64
; RUN: optimised skylake-avx512 CHECK
;
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK-NOT: <{{[0-9]+}} x i64>
; CHECK: {{[su]}}rem i64
; CHECK-NOT: rem <
; CHECK-NOT: extractelement
; CHECK: ret void

declare i64 @hither.global_id(i32)
define void @k(ptr addrspace(1) %found, i64 %n) {
entry:
  %g = call i64 @hither.global_id(i32 0)
  %i = add nsw i64 %g, 2
  br label %test
test:
  %j = phi i64 [2, %entry], [%j2, %next]
  %square = mul nsw i64 %j, %j
  %more = icmp sle i64 %square, %i
  br i1 %more, label %loop, label %prime
loop:
  %rest = srem i64 %i, %j
  %divides = icmp eq i64 %rest, 0
  br i1 %divides, label %done, label %next
next:
  %j2 = add nuw nsw i64 %j, 1
  br label %test
prime:
  %p = getelementptr i8, ptr addrspace(1) %found, i64 %g
  store i8 1, ptr addrspace(1) %p
  br label %done
done:
  ret void
}
