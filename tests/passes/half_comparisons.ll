; LLVM's comparison of halves is wrong if it is masked and reads the stack. None is left.
; INDEPENDENT
; SIGNATURE: ptr ptr
; RUN: assembly sapphirerapids CHECK
;
; CHECK-LABEL: hither_cpu_entry
; CHECK-NOT: {{v(cmp[a-z]*ph|ucomish|comish)}}
; CHECK: vcmp{{[a-z]*}}ps
; CHECK-NOT: {{v(cmp[a-z]*ph|ucomish|comish)}}

declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr half, ptr addrspace(1) %a, i64 %i
  %x = load half, ptr addrspace(1) %p
  %wide = fpext half %x to double
  %below = fcmp ole double %wide, 0.0
  %y = select i1 %below, half 1.0, half %x
  %q = getelementptr half, ptr addrspace(1) %b, i64 %i
  store half %y, ptr addrspace(1) %q
  ret void
}
