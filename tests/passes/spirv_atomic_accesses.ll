; Atomic loads and stores become updates, which the SPIR-V emitter keeps atomic. Else a compiler may
; move the load out of a loop that waits.
; SIGNATURE: ptr ptr
; RUN: optimised spirv1.4 CHECK
;
; CHECK: atomicrmw or ptr addrspace(1) %{{.*}}, i32 0 syncscope("device") monotonic
; CHECK: br i1
; CHECK: atomicrmw xchg ptr addrspace(1) %{{.*}}, i32 1065353216 release
; CHECK-NOT: load atomic
; CHECK-NOT: store atomic

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %wait
wait:
  %seen = load atomic i32, ptr addrspace(1) %a syncscope("device") monotonic, align 4
  %done = icmp ne i32 %seen, 0
  br i1 %done, label %there, label %wait
there:
  store atomic float 1.0, ptr addrspace(1) %b release, align 4
  ret void
}
