import dppl
from numba import jit

@jit
def foo():
    ...

# Invoking foo outside a PyDPPL context results in the default Numba behavior
foo()

with dppl.device_context(gpu):
   # Triggers GPU code generation
   foo()

with dppl.device_context(cpu):
   # Triggers code generation for a SYCL CPU device
   foo()
