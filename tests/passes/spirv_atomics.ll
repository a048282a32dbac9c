; Integer atomics are native. Atomics on floats, and those narrower than 32 bits, use a
; compare-exchange loop.
; SIGNATURE: ptr ptr ptr
; RUN: optimised spirv1.4 CHECK
;
; CHECK: atomicrmw add ptr addrspace(1) %{{.*}}, i64 1 syncscope("device") monotonic
; CHECK: fadd float
; CHECK: cmpxchg ptr addrspace(1) %{{.*}}, i32 %{{.*}} syncscope("device") monotonic monotonic
; CHECK: cmpxchg ptr addrspace(1) %{{.*}}, i32 %{{.*}} monotonic monotonic
; CHECK-NOT: atomicrmw

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c) {
  %old = atomicrmw add ptr addrspace(1) %a, i64 1 syncscope("device") monotonic
  %was = atomicrmw fadd ptr addrspace(1) %b, float 1.0 syncscope("device") monotonic
  %had = atomicrmw or ptr addrspace(1) %c, i8 4 monotonic
  ret void
}
