; Each item adds along a row of its own, so eight items run as interleaved scalars. Their square roots
; and quotients are packed into vectors. The loop along the rows has no second form that runs several
; iterations at a time.
; SIGNATURE: ptr ptr i64
; RUN: optimised haswell CHECK
;
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK: call float @llvm.sqrt.f32
; CHECK-COUNT-8: fadd float
; CHECK-NOT: fadd float
; CHECK: call <8 x float> @llvm.sqrt.v8f32
; CHECK-NOT: fdiv float
; CHECK: fdiv <8 x float>
; CHECK: store float
; CHECK: ret void

declare i64 @hither.global_id(i32)
declare float @llvm.sqrt.f32(float)
define void @k(ptr addrspace(1) %x, ptr addrspace(1) %out, i64 %n) {
entry:
  %i = call i64 @hither.global_id(i32 0)
  %first = mul i64 %i, %n
  %row = getelementptr float, ptr addrspace(1) %x, i64 %first
  br label %add
add:
  %j = phi i64 [0, %entry], [%j2, %add]
  %total = phi float [0.0, %entry], [%sum, %add]
  %p = getelementptr float, ptr addrspace(1) %row, i64 %j
  %v = load float, ptr addrspace(1) %p
  %square = fmul float %v, %v
  %sum = fadd float %total, %square
  %j2 = add nsw i64 %j, 1
  %more = icmp slt i64 %j2, %n
  br i1 %more, label %add, label %done
done:
  %root = call float @llvm.sqrt.f32(float %sum)
  %part = fdiv float %total, %root
  %po = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %part, ptr addrspace(1) %po
  ret void
}
