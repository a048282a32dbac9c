; Integer atomics and float sums are native. Atomics narrower than 32 bits use a compare-exchange
; loop. A memory order becomes a fence.
; SIGNATURE: ptr ptr ptr ptr
; RUN: assembly sm_90 CHECK
;
; CHECK: atom.global.add.u64
; CHECK: atom.global.add.f32
; CHECK: membar.gl;
; CHECK-NEXT: {{.*}}atom.global.add.f64
; CHECK-NEXT: membar.gl;
; CHECK: atom.global.cas.b32

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, ptr addrspace(1) %d) {
  %old = atomicrmw add ptr addrspace(1) %a, i64 1 syncscope("device") monotonic
  %was = atomicrmw fadd ptr addrspace(1) %b, float 1.0 syncscope("device") monotonic
  %had = atomicrmw fadd ptr addrspace(1) %d, double 1.0 syncscope("device") acq_rel
  %bits = atomicrmw or ptr addrspace(1) %c, i8 4 monotonic
  ret void
}
