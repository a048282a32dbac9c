import dparray
import numpy as np
import dppl
from numba import jit

@jit
def foo(a, b):
    a[:] = np.sin(a)
    b[:] = a + 2

a = dparray.ones(100)
b = dparray.ones(100)

# on CPU
foo(a,b)

with dppl.device_context(gpu):
    # on GPU
    foo(a, b)
