; Uniform code stays outside of the loops over items, which use the machine's full vector width. A
; barrier leaves no code.
; SIGNATURE: ptr ptr
; LOCAL: 256 1 1
; RUN: optimised skylake-avx512 CHECK
;
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK: alloca [256 x float], align 64
; CHECK: fadd <16 x float>
; CHECK-NOT: call void @hither
; CHECK-NOT: alloca
; CHECK: ret void

declare i64 @hither.global_id(i32)
declare i64 @hither.local_id(i32)
declare i64 @hither.local_size(i32)
declare i64 @hither.group_id(i32)
declare void @hither.barrier(i32)
@tile = internal addrspace(3) global [256 x float] undef
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %sums) {
entry:
  %i = call i64 @hither.global_id(i32 0)
  %l = call i64 @hither.local_id(i32 0)
  %n = call i64 @hither.local_size(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %p
  %t = getelementptr [256 x float], ptr addrspace(3) @tile, i64 0, i64 %l
  store float %v, ptr addrspace(3) %t
  call void @hither.barrier(i32 1)
  %half = lshr i64 %n, 1
  br label %loop
loop:
  %s = phi i64 [ %half, %entry ], [ %next, %met ]
  %more = icmp ugt i64 %s, 0
  br i1 %more, label %body, label %end
body:
  %active = icmp ult i64 %l, %s
  br i1 %active, label %add, label %met
add:
  %o = add i64 %l, %s
  %q = getelementptr [256 x float], ptr addrspace(3) @tile, i64 0, i64 %o
  %a = load float, ptr addrspace(3) %t
  %b = load float, ptr addrspace(3) %q
  %c = fadd float %a, %b
  store float %c, ptr addrspace(3) %t
  br label %met
met:
  call void @hither.barrier(i32 1)
  %next = lshr i64 %s, 1
  br label %loop
end:
  %first = icmp eq i64 %l, 0
  br i1 %first, label %write, label %done
write:
  %g = call i64 @hither.group_id(i32 0)
  %r = load float, ptr addrspace(3) %t
  %w = getelementptr float, ptr addrspace(1) %sums, i64 %g
  store float %r, ptr addrspace(1) %w
  br label %done
done:
  ret void
}