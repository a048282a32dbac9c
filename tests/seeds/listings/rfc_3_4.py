import dparray as np
import dppl
from numba import jit

@jit
def foo(a):
    a[:] = np.sin(a)
    b = a + 2
    return b

a = np.ones(100)

# on CPU
foo(a)

with dppl.device_context(gpu):
    # on GPU
    b = foo(a)
