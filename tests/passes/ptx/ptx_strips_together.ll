; The four items of a thread run a loop together if all take the same branches: they share the
; factor of each step.
; INDEPENDENT
; SIGNATURE: ptr ptr ptr i64
; RUN: optimised sm_90 CHECK
;
; A thread runs one item if the grid has a thread for each.
; CHECK: select i1 %{{.*}}, i64 2, i64 0
; CHECK-LABEL: {{^}}loop.together:
; CHECK: phi float
; CHECK-NEXT: phi float
; CHECK-NEXT: phi float
; CHECK-NEXT: phi float
; CHECK: [[FACTOR:%.*]] = load float, ptr addrspace(1) %
; CHECK-COUNT-4: load float, ptr addrspace(1) %
; CHECK-COUNT-4: fmul float [[FACTOR]],
; CHECK-LABEL: {{^}}end.together:
; CHECK: store float
; CHECK-NEXT: store float
; CHECK-NEXT: store float
; CHECK-NEXT: store float

declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) %factors, ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n) {
entry:
  %i = call i64 @hither.global_id(i32 0)
  %some = icmp sgt i64 %n, 0
  call void @llvm.assume(i1 %some)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %p = getelementptr float, ptr addrspace(1) %factors, i64 %k
  %factor = load float, ptr addrspace(1) %p
  %place = add nsw i64 %i, %k
  %q = getelementptr float, ptr addrspace(1) %x, i64 %place
  %value = load float, ptr addrspace(1) %q
  %rest = call float @llvm.sqrt.f32(float %value)
  %product = fmul float %factor, %rest
  %more = fadd float %sum, %product
  %next = add nuw nsw i64 %k, 1
  %done = icmp sge i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  %r = getelementptr float, ptr addrspace(1) %y, i64 %i
  store float %more, ptr addrspace(1) %r
  ret void
}

declare float @llvm.sqrt.f32(float)
declare void @llvm.assume(i1)
