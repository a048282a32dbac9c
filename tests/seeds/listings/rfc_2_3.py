import dppl
from numba import jit

@jit(parallel = False)
def foo():
    pass

foo()

with dppl.device_context(gpu):
    # triggers GPU code generation
    foo()
