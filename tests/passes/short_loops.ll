; A loop that items leave in different iterations, but all of them after few, becomes branches, and
; these become masks.
; SIGNATURE: ptr ptr
; LOCAL: 16 1 1
; RUN: looped skylake-avx512 LOOPED
; RUN: optimised skylake-avx512 CHECK
;
; LOOPED: load float, ptr addrspace(1)
; LOOPED: icmp ult i64 %local_id{{.*}}, 4
; LOOPED: load float, ptr addrspace(1)
; LOOPED-NOT: load float, ptr addrspace(1)
; LOOPED: ret void
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK: load <16 x float>
; CHECK: call <16 x float> @llvm.masked.load
; CHECK: fadd <16 x float>

declare i64 @hither.local_id(i32)
declare void @hither.barrier(i32)
@tile = internal addrspace(3) global [20 x float] undef

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %l = call i64 @hither.local_id(i32 0), !range !0
  br label %loop
loop:
  %i = phi i64 [ %l, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, 20
  br i1 %more, label %body, label %end
body:
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %v = load float, ptr addrspace(1) %p
  %t = getelementptr [20 x float], ptr addrspace(3) @tile, i64 0, i64 %i
  store float %v, ptr addrspace(3) %t
  %next = add nsw i64 %i, 16
  br label %loop
end:
  call void @hither.barrier(i32 1)
  %j = add nsw i64 %l, 4
  %q = getelementptr [20 x float], ptr addrspace(3) @tile, i64 0, i64 %l
  %r = getelementptr [20 x float], ptr addrspace(3) @tile, i64 0, i64 %j
  %x = load float, ptr addrspace(3) %q
  %y = load float, ptr addrspace(3) %r
  %s = fadd float %x, %y
  %o = getelementptr float, ptr addrspace(1) %b, i64 %l
  store float %s, ptr addrspace(1) %o
  ret void
}
!0 = !{i64 0, i64 9223372036854775807}
