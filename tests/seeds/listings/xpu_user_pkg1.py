import pkg1

alloc_q = ...
compute_q = ...

A1 = pkg1.allocate(alloc_q, shape1)
A2 = pkg1.allocate(alloc_q, shape2)

A3 = pkg1.compute(compute_q, A1, A2)
