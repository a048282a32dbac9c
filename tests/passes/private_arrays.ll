; Each item counts into its own private array, in a loop that items leave in different iterations.
; The same element of all items lies side by side, so that vectors load and store it. Without
; masks: items that have left the loop store the old element. An index beyond the array's end, in
; iterations that no item runs, is clamped. The load that an iteration shares runs once, and reads
; zeros if no item would read.
; SIGNATURE: ptr ptr ptr
; RUN: optimised haswell CHECK
; RUN: optimised skylake-avx512 WIDE
;
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK-NOT: call {{.*}}@llvm.masked
; CHECK: [[PLACE:%.*]] = select i1 {{.*}}@hither.zeros
; CHECK: load float, ptr addrspace(1) [[PLACE]]
; CHECK-NOT: load float
; CHECK: [[OLD:%.*]] = load <8 x float>, ptr
; CHECK: [[NEW:%.*]] = fadd <8 x float> {{.*}}[[OLD]]
; CHECK: [[KEPT:%.*]] = select <8 x i1> {{.*}}, <8 x float> [[NEW]], <8 x float> [[OLD]]
; CHECK: store <8 x float> [[KEPT]]
; CHECK-NOT: call {{.*}}@llvm.masked
; CHECK: ret void
;
; WIDE: define {{.*}}@hither_cpu_entry
; WIDE-NOT: call {{.*}}@llvm.masked.store
; WIDE: select <16 x i1> {{.*}}, <16 x float> {{.*}}, <16 x float>
; WIDE: store <16 x float>
; WIDE-NOT: call {{.*}}@llvm.masked.store
; WIDE: ret void

declare i64 @hither.global_id(i32)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %edges, ptr addrspace(1) %out) {
entry:
  %own = alloca [100 x float]
  call void @llvm.memset.p0.i64(ptr %own, i8 0, i64 400, i1 false)
  %i = call i64 @hither.global_id(i32 0)
  %px = getelementptr float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %px
  %last = getelementptr float, ptr addrspace(1) %edges, i64 99
  %el = load float, ptr addrspace(1) %last
  %counts = fcmp ole float %v, %el
  br i1 %counts, label %count, label %write
count:
  %b = phi i64 [99, %entry], [%b2, %compare]
  %po = getelementptr float, ptr %own, i64 %b
  %o = load float, ptr %po
  %o2 = fadd float %o, %v
  store float %o2, ptr %po
  %more = icmp sgt i64 %b, 0
  br i1 %more, label %compare, label %write
compare:
  %b2 = sub nsw i64 %b, 1
  %pe = getelementptr float, ptr addrspace(1) %edges, i64 %b2
  %e = load float, ptr addrspace(1) %pe
  %below = fcmp ole float %v, %e
  br i1 %below, label %count, label %write
write:
  %row = mul i64 %i, 100
  %pout = getelementptr float, ptr addrspace(1) %out, i64 %row
  br label %copy
copy:
  %k = phi i64 [0, %write], [%k2, %copy]
  %from = getelementptr float, ptr %own, i64 %k
  %w = load float, ptr %from
  %to = getelementptr float, ptr addrspace(1) %pout, i64 %k
  store float %w, ptr addrspace(1) %to
  %k2 = add nsw i64 %k, 1
  %again = icmp slt i64 %k2, 100
  br i1 %again, label %copy, label %done
done:
  ret void
}
