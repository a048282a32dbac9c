; Items that leave a strided loop in different iterations count in local memory. Their addresses are
; computed in vectors, and the additions follow item by item.
; SIGNATURE: ptr ptr i64
; LOCAL: 256 1 1
; RUN: optimised skylake-avx512 CHECK
;
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK: masked.load.v[[N:[0-9]+]]f32
; CHECK: fptosi <[[N]] x float>
; CHECK: add i32 {{.*}}, 1
; CHECK: ret void

declare i64 @hither.global_id(i32)
declare i64 @hither.local_id(i32)
declare i64 @hither.global_size(i32)
declare i64 @hither.group_id(i32)
declare void @hither.barrier(i32)
@own = internal addrspace(3) global [64 x i32] undef
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %sums, i64 %n) {
entry:
  %g = call i64 @hither.global_id(i32 0)
  %s = call i64 @hither.global_size(i32 0)
  %l = call i64 @hither.local_id(i32 0)
  %few = icmp slt i64 %l, 64
  br i1 %few, label %clear, label %counting
clear:
  %c = getelementptr i32, ptr addrspace(3) @own, i64 %l
  store i32 0, ptr addrspace(3) %c
  br label %counting
counting:
  call void @hither.barrier(i32 1)
  %any = icmp slt i64 %g, %n
  br i1 %any, label %loop, label %after
loop:
  %i = phi i64 [%g, %counting], [%i2, %loop]
  %p = getelementptr float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %p
  %w = fmul float %v, 6.3e1
  %q = fsub float %v, 0.5
  %r = fmul float %q, %w
  %k = fptosi float %r to i64
  %o = getelementptr i32, ptr addrspace(3) @own, i64 %k
  %old = atomicrmw add ptr addrspace(3) %o, i32 1 syncscope("workgroup") monotonic
  %i2 = add i64 %i, %s
  %more = icmp slt i64 %i2, %n
  br i1 %more, label %loop, label %after
after:
  call void @hither.barrier(i32 1)
  br i1 %few, label %write, label %done
write:
  %b = getelementptr i32, ptr addrspace(3) @own, i64 %l
  %t = load i32, ptr addrspace(3) %b
  %gr = call i64 @hither.group_id(i32 0)
  %at0 = mul i64 %gr, 64
  %at = add i64 %at0, %l
  %to = getelementptr i32, ptr addrspace(1) %sums, i64 %at
  store i32 %t, ptr addrspace(1) %to
  br label %done
done:
  ret void
}
