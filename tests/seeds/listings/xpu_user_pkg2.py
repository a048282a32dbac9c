import pkg2

# context manager is a syntactic sugar to set/restore
with pkg2.current("gpu:1"): # alloc device/queue
   A1 = pkg2.allocate(shape1)
   A2 = pkg2.allocate(shape2)

with pkg2.current("gpu:2"):
    A1c = A1.copy_to()
    A2c = A2.copy_to()
    A3 = pkg2.compute(A1c, A2c) # 
