; In two dimensions a thread runs four items of one column, a group apart, so that a warp accesses
; neighbours. Its loads come first.
; INDEPENDENT
; SIGNATURE: ptr ptr
; RUN: assembly sm_90 CHECK
;
; The threads beyond the range in x return; the items in y are counted.
; CHECK: .visible .entry k(
; CHECK: %tid.x
; CHECK: %ctaid.y
; CHECK-COUNT-4: ld.global.f32
; CHECK-NOT: ld.global
; CHECK-COUNT-4: st.global.f32
; CHECK-NOT: st.global
; The loop of the last groups
; CHECK: ld.global.f32
; CHECK: st.global.f32
; CHECK: bra

declare i64 @hither.global_id(i32)
declare i64 @hither.global_size(i32)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
  %i = call i64 @hither.global_id(i32 0)
  %j = call i64 @hither.global_id(i32 1)
  %n = call i64 @hither.global_size(i32 1)
  %row = mul i64 %i, %n
  %at = add i64 %row, %j
  %p = getelementptr float, ptr addrspace(1) %a, i64 %i
  %q = getelementptr float, ptr addrspace(1) %b, i64 %at
  %x = load float, ptr addrspace(1) %p
  store float %x, ptr addrspace(1) %q
  ret void
}
