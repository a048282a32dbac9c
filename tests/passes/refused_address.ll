; The address of a function is refused as an operand, because the replacement of an intrinsic has no
; address.
; SIGNATURE: i32
; RUN: linked x86-64 CHECK
;
; CHECK: error: k: the address of @hither.global_id is taken

declare i64 @hither.global_id(i32)

define void @k(i32 %n) {
  %value = load double, ptr @hither.global_id, align 8
  ret void
}
