import pkg3

# context manager is a syntactic sugar to set/restore
with pkg3.current("gpu:1"): # alloc device/queue
   A1 = pkg3.allocate(shape1)
   A2 = pkg3.allocate(shape2)

A1c = A1.copy_to("gpu:2")
A2c = A2.copy_to("gpu:2")
A3 = pkg3.compute(A1c, A2c)
