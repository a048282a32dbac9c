; Intrinsics that the code generator does not support are refused, because they would end the
; process.
; SIGNATURE: ptr
; RUN: optimised sm_52 OLD
; RUN: optimised sm_90 CHECK
; OLD: error: PTX: 'sm_52' is not a supported architecture
; CHECK: error: k: CUDA devices support integers of 8, 16, 32 and 64 bits, but not of 128

define void @k(ptr addrspace(1) %a) {
  %x = load i128, ptr addrspace(1) %a
  %y = mul i128 %x, %x
  store i128 %y, ptr addrspace(1) %a
  ret void
}
