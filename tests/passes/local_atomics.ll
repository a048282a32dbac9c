; One thread runs a group, so its counters in local memory need no atomic instructions.
; SIGNATURE: ptr
; LOCAL: 64 1 1
; RUN: optimised skylake-avx512 CHECK
;
; CHECK: define {{.*}}@hither_cpu_entry
; CHECK-NOT: atomicrmw {{.*}}addrspace(3)
; CHECK-NOT: fence
; CHECK: atomicrmw add {{.*}}addrspace(1)
; CHECK: ret void

declare i64 @hither.local_id(i32)
declare void @hither.barrier(i32)
@count = internal addrspace(3) global i32 undef

define void @k(ptr addrspace(1) %total) {
  %l = call i64 @hither.local_id(i32 0)
  %first = icmp eq i64 %l, 0
  br i1 %first, label %clear, label %counting
clear:
  store i32 0, ptr addrspace(3) @count
  br label %counting
counting:
  call void @hither.barrier(i32 1)
  %old = atomicrmw add ptr addrspace(3) @count, i32 1 syncscope("workgroup") monotonic
  fence syncscope("workgroup") seq_cst
  call void @hither.barrier(i32 1)
  br i1 %first, label %write, label %done
write:
  %n = load i32, ptr addrspace(3) @count
  %sum = atomicrmw add ptr addrspace(1) %total, i32 %n syncscope("device") monotonic
  br label %done
done:
  ret void
}
