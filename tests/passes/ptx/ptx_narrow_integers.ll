; Numba computes with numbers of 32 bits in 64: xorshift of a loop is of 32 bits again, and so is its
; conversion to floating point.
; SIGNATURE: ptr i32
; RUN: assembly sm_90 CHECK
;
; CHECK: shl.b32
; CHECK-NOT: {{[bus]64}}
; CHECK: cvt.rn.f32.u32

define void @k(ptr addrspace(1) %a, i32 %seed) {
entry:
  br label %loop
loop:
  %s = phi i32 [ %seed, %entry ], [ %s2, %loop ]
  %n = phi i32 [ 0, %entry ], [ %n2, %loop ]
  %w = zext i32 %s to i64
  %left = shl i64 %w, 13
  %x = xor i64 %left, %w
  %x32 = trunc i64 %x to i32
  %x64 = zext i32 %x32 to i64
  %right = lshr i64 %x64, 17
  %y = xor i64 %right, %x64
  %s2 = trunc i64 %y to i32
  %f = uitofp i64 %y to float
  %n2 = add i32 %n, 1
  %small = fcmp olt float %f, 1.0e9
  br i1 %small, label %done, label %loop
done:
  store i32 %n2, ptr addrspace(1) %a
  ret void
}
