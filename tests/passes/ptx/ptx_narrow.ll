; Bytes of neighbouring items are loaded and stored as 32-bit words, four for each thread. If a row
; begins inside of a word, they are accessed one by one.
; INDEPENDENT
; SIGNATURE: ptr ptr ptr
; RUN: optimised sm_90 CHECK
; RUN: assembly sm_90 TEXT
;
; CHECK: and i64 %{{.*}}, 3
; CHECK: neighbours:
; CHECK: load i8, ptr addrspace(1) %{{.*}}, align 4
; CHECK: spaced:
;
; TEXT: .visible .entry k(
; TEXT-COUNT-8: ld.global.u32
; TEXT-COUNT-4: st.global.u32
; TEXT-COUNT-16: st.global.u8
; TEXT: ret

declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c) {
  %i = call i64 @hither.global_id(i32 0)
  %p = getelementptr i8, ptr addrspace(1) %a, i64 %i
  %q = getelementptr i8, ptr addrspace(1) %b, i64 %i
  %r = getelementptr i8, ptr addrspace(1) %c, i64 %i
  %x = load i8, ptr addrspace(1) %p
  %y = load i8, ptr addrspace(1) %q
  %z = add i8 %x, %y
  store i8 %z, ptr addrspace(1) %r
  ret void
}
