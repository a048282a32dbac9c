; range(item, 20, 16) has at most two iterations. LLVM sees this if the loop ends at a count of 0,
; and does not unroll it further. The select is for iterators that are used after their end.
; SIGNATURE: ptr
; LOCAL: 64 1 1
; RUN: assembly sm_90 CHECK
;
; CHECK: .visible .entry k(
; CHECK: ld.global.f64
; CHECK-NOT: ld.global.f64
; CHECK: ret;

declare i64 @hither.local_id(i32)
declare void @hither.barrier(i32)

define void @k(ptr addrspace(1) %a) {
entry:
  %item = call i64 @hither.local_id(i32 0), !range !1
  %span = sub i64 20, %item
  %before = sub i64 %span, 1
  %last = udiv i64 %before, 16
  %trip_count = add i64 %last, 1
  %any = icmp slt i64 %item, 20
  %first = select i1 %any, i64 %trip_count, i64 0
  br label %head
head:
  %count = phi i64 [ %first, %entry ], [ %left, %iteration ]
  %i = phi i64 [ %item, %entry ], [ %next, %iteration ]
  %left = sub i64 %count, 1, !hither.trip_count !0
  %next = add nsw i64 %i, 16
  %more = icmp sgt i64 %count, 0, !hither.trip_count !0
  br i1 %more, label %iteration, label %done
iteration:
  %p = getelementptr double, ptr addrspace(1) %a, i64 %i
  %x = load double, ptr addrspace(1) %p
  %y = fmul double %x, %x
  store double %y, ptr addrspace(1) %p
  br label %head
done:
  call void @hither.barrier(i32 1)
  ret void
}

!0 = !{}
!1 = !{i64 0, i64 9223372036854775807}
