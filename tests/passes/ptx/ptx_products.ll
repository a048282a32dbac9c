; Products of numbers below 2^32 are one instruction, others are not changed.
; SIGNATURE: ptr ptr
; RUN: assembly sm_90 CHECK
;
; CHECK: .visible .entry k(
; CHECK: mul.wide.u32 %rd{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}};
; CHECK: mul.lo.s64

declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %a, i64 %i
  %x = load i64, ptr addrspace(1) %p
  %low = and i64 %x, 4294967295
  %y = mul i64 %low, 3528531795
  %high = lshr i64 %y, 32
  %z = add i64 %high, %y
  %w = mul i64 %z, 3528531795
  %q = getelementptr i64, ptr addrspace(1) %b, i64 %i
  store i64 %w, ptr addrspace(1) %q
  ret void
}
