; Loops use the machine's full vector width. A math call is one call of the variant of that width.
; SIGNATURE: ptr ptr ptr
; RUN: assembly skylake-avx512 AVX512
; RUN: assembly haswell AVX2
; RUN: assembly x86-64 SSE
;
; AVX512: hither_cpu_entry:
; AVX512: vmovup{{[sd]}} {{.*}}%zmm
; AVX512: callq Sleef_finz_sind8_u10avx512f@PLT
; AVX512: vaddpd {{.*}}%zmm
; AVX512-NOT: callq sin@PLT
;
; AVX2: hither_cpu_entry:
; AVX2: callq Sleef_finz_sind4_u10avx2@PLT
; AVX2: vaddpd {{.*}}%ymm
; AVX2-NOT: callq sin@PLT
;
; SSE: hither_cpu_entry:
; SSE: callq Sleef_cinz_sind2_u10sse2@PLT
; SSE: addpd {{.*}}%xmm
; SSE-NOT: callq sin@PLT

declare i64 @hither.global_id(i32)
declare double @llvm.sin.f64(double)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c) {
  %i = call i64 @hither.global_id(i32 0)
  %pa = getelementptr double, ptr addrspace(1) %a, i64 %i
  %pb = getelementptr double, ptr addrspace(1) %b, i64 %i
  %pc = getelementptr double, ptr addrspace(1) %c, i64 %i
  %x = load double, ptr addrspace(1) %pa
  %y = load double, ptr addrspace(1) %pb
  %s = call double @llvm.sin.f64(double %y)
  %z = fadd double %x, %s
  store double %z, ptr addrspace(1) %pc
  ret void
}
