; Sums of bytes, which have 64 bits in Python, are computed in 16 bits if they are only compared.
; SIGNATURE: ptr ptr i64
; RUN: optimised skylake-avx512 CHECK
;
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK: add {{.*}}<32 x i16>
; CHECK: icmp eq <32 x i16>
; CHECK-NOT: <8 x i64>
; CHECK: ret void

declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
  %i = call i64 @hither.global_id(i32 0)
  %a = getelementptr i8, ptr addrspace(1) %in, i64 %i
  %b = getelementptr i8, ptr addrspace(1) %a, i64 %n
  %c = getelementptr i8, ptr addrspace(1) %b, i64 %n
  %x = load i8, ptr addrspace(1) %a
  %y = load i8, ptr addrspace(1) %b
  %z = load i8, ptr addrspace(1) %c
  %xw = sext i8 %x to i64
  %yw = sext i8 %y to i64
  %zw = sext i8 %z to i64
  %xy = add nsw i64 %xw, %yw
  %all = add nsw i64 %xy, %zw
  %is3 = icmp eq i64 %all, 3
  %is2 = icmp eq i64 %all, 2
  %one = icmp eq i64 %xw, 1
  %kept = and i1 %is2, %one
  %alive = or i1 %is3, %kept
  %out1 = zext i1 %alive to i8
  %p = getelementptr i8, ptr addrspace(1) %out, i64 %i
  store i8 %out1, ptr addrspace(1) %p
  ret void
}
