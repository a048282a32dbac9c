; A refusal names the kernel, the rule and the instruction.
; SIGNATURE: i32
; RUN: linked x86-64 CHECK
;
; CHECK: error: k: kernels report errors with hither.raise and return
; CHECK-SAME: `unreachable`

define void @k(i32 %n) {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %bad, label %good
bad:
  unreachable
good:
  ret void
}
