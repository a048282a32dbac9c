; A sum or product that a loop carries uses fma, which device compilers do not reorder.
; SIGNATURE: ptr ptr i64
; RUN: optimised spirv1.4 CHECK
;
; CHECK: define spir_kernel void @k
; CHECK: call spir_func i64 @_Z15get_global_sizej(i32 0)
; CHECK: phi double
; CHECK: phi double
; CHECK: phi double
; CHECK: %z = fadd double %x, 1.000000e+00
; CHECK: %add = call spir_func double @_Z3fmaddd(double %z, double %[[MINUS:.*]], double %sum)
; CHECK: %any = fadd reassoc double %loose, %x
; CHECK: %mul = call spir_func double @_Z3fmaddd(double %product, double %x, double %{{.*}})
; CHECK: ret void

declare i64 @hither.global_id(i32)

define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n) {
entry:
  %i = call i64 @hither.global_id(i32 0)
  br label %iteration
iteration:
  %j = phi i64 [ 0, %entry ], [ %next, %iteration ]
  %sum = phi double [ 0.0, %entry ], [ %add, %iteration ]
  %loose = phi double [ 0.0, %entry ], [ %any, %iteration ]
  %product = phi double [ 1.0, %entry ], [ %mul, %iteration ]
  %p = getelementptr double, ptr addrspace(1) %a, i64 %j
  %x = load double, ptr addrspace(1) %p, align 8
  %z = fadd double %x, 1.0
  %add = fsub double %sum, %z
  %any = fadd reassoc double %loose, %x
  %mul = fmul double %product, %x
  %next = add i64 %j, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %iteration, label %done
done:
  %q = getelementptr double, ptr addrspace(1) %b, i64 %i
  %s = fadd double %add, %any
  %r = fadd double %s, %mul
  store double %r, ptr addrspace(1) %q, align 8
  ret void
}
