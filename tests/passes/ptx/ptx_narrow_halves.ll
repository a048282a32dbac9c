; Rows of several widths: eight float16 values fit into a vector, but with doubles it is four.
; INDEPENDENT
; SIGNATURE: ptr ptr
; RUN: optimised sm_90 CHECK
; RUN: assembly sm_90 TEXT
;
; CHECK: neighbours:
; CHECK: load half, ptr addrspace(1) %{{.*}}, align 8
; CHECK: store double %{{.*}}, ptr addrspace(1) %{{.*}}, align 16
; CHECK: spaced:
;
; TEXT: .visible .entry k(
; TEXT: ld.global.v4.b16
; TEXT-COUNT-2: st.global.v2.f64
; TEXT-NOT: .v4.
; TEXT: ret

declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr half, ptr addrspace(1) %a, i64 %i
  %q = getelementptr double, ptr addrspace(1) %b, i64 %i
  %x = load half, ptr addrspace(1) %p
  %y = fpext half %x to double
  store double %y, ptr addrspace(1) %q
  ret void
}
