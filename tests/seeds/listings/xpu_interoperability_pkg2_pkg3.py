import pkg2
import pkg3

pkg2.set_default_queue("gpu:1")
pkg3.set_default_queue("gpu:1") # 

A4 = pkg3.allocate(....)

# context manager is a syntactic sugar to set/restore
with pkg2.current("gpu:1"):   # alloc device/queue for pkg2
   A1 = pkg2.allocate(shape1) # 
   A5 = pkg3.compute(A1)      # pkg3 works with its own default queue
   A6 = host_module.compute(A1, A5) # 
   A2 = pkg2.allocate(shape2)

with pkg2.current("gpu:2"):
    A1c = A1.copy_to()
    A2c = A2.copy_to()
    A3 = pkg2.compute(A1c, A2c) # 
