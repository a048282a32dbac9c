; The four items of a thread run together if all of them are in the range that the kernel asks for.
; Otherwise they run one by one.
; INDEPENDENT
; SIGNATURE: ptr ptr i64
; RUN: optimised sm_90 CHECK
; RUN: assembly sm_90 TEXT
;
; CHECK-LABEL: {{^}}rest.together:
; CHECK-COUNT-4: icmp slt i64 %{{.*}}, %n
; CHECK-COUNT-3: and i1
; CHECK: br i1 %{{.*}}, label %work.together, label %next
; CHECK-LABEL: {{^}}work.together:
; CHECK-COUNT-4: load float
; CHECK: store float
; CHECK-NEXT: store float
; CHECK-NEXT: store float
; CHECK-NEXT: store float
;
; TEXT: .visible .entry k(
; TEXT-COUNT-5: ld.global.f32

declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
  %i = call i64 @hither.global_id(i32 0)
  %inside = icmp slt i64 %i, %n
  br i1 %inside, label %work, label %end
work:
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %p
  %y = fadd float %x, 3.0
  %q = getelementptr float, ptr addrspace(1) %b, i64 %i
  store float %y, ptr addrspace(1) %q
  br label %end
end:
  ret void
}
