; Two tests that end an innermost loop become one branch.
; SIGNATURE: ptr i64 f32
; RUN: assembly sm_90 CHECK
;
; CHECK: [[LOOP:\$L__BB0_[0-9]+]]:
; CHECK-NOT: bra
; CHECK: and.pred
; CHECK-NEXT: bra [[LOOP]]
; CHECK-NOT: bra

define void @k(ptr addrspace(1) %a, i64 %most, float %c) {
entry:
  br label %head
head:
  %z = phi float [ 0.0, %entry ], [ %z2, %body ]
  %k = phi i64 [ 0, %entry ], [ %k2, %body ]
  %more = icmp slt i64 %k, %most
  br i1 %more, label %test, label %done
test:
  %square = fmul float %z, %z
  %inside = fcmp olt float %square, 4.0
  br i1 %inside, label %body, label %done
body:
  %z2 = fadd float %z, %c
  %k2 = add i64 %k, 1
  br label %head
done:
  store i64 %k, ptr addrspace(1) %a
  ret void
}
