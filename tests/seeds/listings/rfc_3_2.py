import numpy as np
from numba import jit

# x,y are ndarrays representing 1D vectors
@jit
def foo(x, y):
   a = 0.5
   some_serial_preprocessing(x)
   # Data parallel region 1
   y = a*x + y
   # End of data parallel region 1
   print("I do not need anything from the device")
   # Data parallel region 2
   r = np.sum(y)
   # End of data parallel region 2
   return r
