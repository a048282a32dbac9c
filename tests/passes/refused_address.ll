; The address of a function is no operand: what a word of the vocabulary is replaced by has none.
; SIGNATURE: i32
; RUN: linked x86-64 CHECK
;
; CHECK: error: k: the address of @hither.global_id is taken

declare i64 @hither.global_id(i32)

define void @k(i32 %n) {
  %value = load double, ptr @hither.global_id, align 8
  ret void
}
