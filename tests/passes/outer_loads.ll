; A stencil that loads an element only if others have certain values. It is not between two that
; every iteration loads, and could be outside the array: no iteration loads it without need.
; SIGNATURE: ptr ptr i64
; RUN: optimised haswell CHECK
;
; CHECK-LABEL: define {{.*}}@hither_cpu_entry
; CHECK-NOT: <32 x i8>
; CHECK: declare

declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y, i64 %columns) {
  %i = call i64 @hither.global_id(i32 0)
  %row = mul nsw i64 %i, %columns
  %a = getelementptr i8, ptr addrspace(1) %x, i64 %row
  %b = getelementptr i8, ptr addrspace(1) %y, i64 %row
  br label %loop

loop:
  %j = phi i64 [ 1, %0 ], [ %next, %done ]
  %before = add i64 %j, -1
  %next = add i64 %j, 1
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %before
  %q = getelementptr i8, ptr addrspace(1) %a, i64 %next
  %left = load i8, ptr addrspace(1) %p
  %right = load i8, ptr addrspace(1) %q
  %l = sext i8 %left to i64
  %r = sext i8 %right to i64
  %sum = add nsw i64 %l, %r
  switch i64 %sum, label %done [
    i64 3, label %three
    i64 2, label %two
  ]

two:
  %after = add i64 %j, 2
  %own = getelementptr i8, ptr addrspace(1) %a, i64 %after
  %element = load i8, ptr addrspace(1) %own
  %one = icmp eq i8 %element, 1
  %same = zext i1 %one to i8
  br label %done

three:
  br label %done

done:
  %value = phi i8 [ 0, %loop ], [ %same, %two ], [ 1, %three ]
  %to = getelementptr i8, ptr addrspace(1) %b, i64 %j
  store i8 %value, ptr addrspace(1) %to
  %more = icmp slt i64 %next, %columns
  br i1 %more, label %loop, label %end

end:
  ret void
}
