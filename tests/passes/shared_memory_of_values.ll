; Each item carries a sum through two loops, between barriers. Two phis and a value of the sum cross
; regions, but share one array with an element for each item: nothing copies it. The loaded element
; has another array.
; SIGNATURE: ptr ptr i64
; LOCAL: 64
; RUN: looped haswell LOOPED
; RUN: optimised haswell CHECK
;
; LOOPED: alloca [127 x float]
; LOOPED: alloca [127 x float]
; LOOPED-NOT: alloca [127 x float]
; LOOPED: ret void
;
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK-NOT: call {{.*}}@llvm.memcpy.p0
; CHECK: ret void

@tile = internal addrspace(3) global [64 x float] undef
declare i64 @hither.global_id(i32)
declare i64 @hither.local_id(i32)
declare void @hither.barrier(i32)
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %out, i64 %n) {
entry:
  %i = call i64 @hither.global_id(i32 0)
  %l = call i64 @hither.local_id(i32 0)
  %own = getelementptr [64 x float], ptr addrspace(3) @tile, i64 0, i64 %l
  br label %tiles
tiles:
  %t = phi i64 [0, %entry], [%t2, %end]
  %outer = phi float [0.0, %entry], [%sum, %end]
  %at = add i64 %t, %i
  %px = getelementptr float, ptr addrspace(1) %x, i64 %at
  %v = load float, ptr addrspace(1) %px
  store float %v, ptr addrspace(3) %own
  call void @hither.barrier(i32 1)
  br label %add
add:
  %j = phi i64 [0, %tiles], [%j2, %add]
  %inner = phi float [%outer, %tiles], [%sum, %add]
  %pj = getelementptr [64 x float], ptr addrspace(3) @tile, i64 0, i64 %j
  %w = load float, ptr addrspace(3) %pj
  %part = fmul float %w, %v
  %sum = fadd float %inner, %part
  %j2 = add nsw i64 %j, 1
  %more = icmp slt i64 %j2, 64
  br i1 %more, label %add, label %end
end:
  call void @hither.barrier(i32 1)
  %t2 = add nsw i64 %t, 64
  %again = icmp slt i64 %t2, %n
  br i1 %again, label %tiles, label %done
done:
  %po = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %sum, ptr addrspace(1) %po
  ret void
}
