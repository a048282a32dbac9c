"""The code listings of the documents that hither comes from, as printed.

Lost indentation is restored. CORRECTIONS lists every change that running one needs: the listings
leave names such as ``"gpu_queue"`` open, which the tests bind to queues.
"""

from __future__ import annotations

CORRECTIONS = {
    '"gpu_queue"': "gpu_queue",
    '"gpu_queue_1"': "gpu_queue_1",
    '"gpu_queue_2"': "gpu_queue_2",
    "**args)": "**kwargs)",  # of Listing 2.2, which also forgets to return
    "        jitted(*args": "        return jitted(*args",
}

KERNEL = """
@numba_dppy.kernel
def f(a, b, c):
    i = numba_dppy.get_global_id(0)
    c[i] = a[i] * b[i]
"""

ONE_QUEUE = """
a = dpctl.tensor.usm_ndarray([1, 2, 3, 4], type="shared", queue="gpu_queue")
b = dpctl.tensor.usm_ndarray([1, 2, 3, 4], type="shared", queue="gpu_queue")
c = dpctl.tensor.usm_ndarray([1, 2, 3, 4], type="shared", queue="gpu_queue")
f(a, b, c) # offloading to gpu_queue
"""

NON_EQUIVALENT_QUEUES = """
a = dpctl.tensor.usm_ndarray([1, 2, 3, 4], type="shared", queue="gpu_queue")
b = dpctl.tensor.usm_ndarray([1, 2, 3, 4], type="shared", queue="gpu_queue_1")
c = dpctl.tensor.usm_ndarray([1, 2, 3, 4], type="shared", queue="gpu_queue_1")
f(a, b, c) # raising error as queues are not equivalent
"""

EQUIVALENT_QUEUES = """
a = dpctl.tensor.usm_ndarray([1, 2, 3, 4], type="shared", queue="gpu_queue_1")
b = dpctl.tensor.usm_ndarray([1, 2, 3, 4], type="shared", queue="gpu_queue_2")
c = dpctl.tensor.usm_ndarray([1, 2, 3, 4], type="shared", queue="gpu_queue_2")
f(a, b, c) # offloading to gpu_queue_1 or gpu_queue_2 depending on implementation
"""

MIXED_USM_TYPES = """
a = dpctl.tensor.usm_ndarray([1, 2, 3, 4], type="shared", queue="gpu_queue")
b = dpctl.tensor.usm_ndarray([1, 2, 3, 4], type="device", queue="gpu_queue")
c = dpctl.tensor.usm_ndarray([1, 2, 3, 4], type="host", queue="gpu_queue")
f(a, b, c) # offloading to gpu_queue even if USM-types are different
"""

NOT_YET_COMPATIBLE = """
a = dpctl.tensor.usm_ndarray([1, 2, 3, 4], type="device", queue="gpu_queue_1")
b = dpctl.tensor.usm_ndarray([1, 2, 3, 4], type="device", queue="gpu_queue_2")
c = dpctl.tensor.usm_ndarray([1, 2, 3, 4], type="device", queue="gpu_queue_2")
f(a, b, c) # raising error as queues are not equivalent
"""

MADE_COMPATIBLE = """
a_queue_2 = dpctl.tensor.asarray(a, queue="gpu_queue_2") # potentially zero-copy
f(a_queue_2, b, c) # offloading to gpu_queue_2
"""

NUMPY_ARRAYS = """
a = numpy.asarray([1, 2, 3, 4])
b = numpy.asarray([1, 2, 3, 4])
c = numpy.asarray([1, 2, 3, 4])
f(a, b, c) # raising error as the queue to submit the kernel can not be determined
"""

NUMPY_ARRAYS_IN_A_CONTEXT = """
with numba_dppy.offload_to_sycl_device("gpu_queue"):
    f(a, b, c) # offloading to gpu_queue
"""

MIXED_ARRAYS = """
a = numpy.asarray([1, 2, 3, 4])
b = numpy.asarray([1, 2, 3, 4])
c = dpctl.tensor.usm_ndarray([1, 2, 3, 4], type="device", queue="gpu_queue_2")
f(a, b, c) # raising error as the queue to submit the kernel can not be determined
"""

MIXED_ARRAYS_IN_A_CONTEXT = """
with numba_dppy.offload_to_sycl_device("gpu_queue"):
    f(a, b, c) # raising error as the queue to submit the kernel can not be determined
"""

MIXED_ARRAYS_IN_THEIR_CONTEXT = """
with numba_dppy.offload_to_sycl_device("gpu_queue_2"):
    f(a, b, c) # raising error as inferring the SYCL queue can not be accomplished for data a and b
"""


def corrected(listing: str) -> str:
    """The listing with every correction applied."""
    for printed, meant in CORRECTIONS.items():
        listing = listing.replace(printed, meant)
    return listing


# Automatic offload, Listings 2.1 to 3.6. `gpu` and `cpu` are open in the document, and what stands
# for some code: the body `...`, and the serial functions, which cannot be offloaded.
VERSIONS = """
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
"""

DECORATOR_OF_ONES_OWN = """
import numba as nb

def gpujit(func):
  def wrp_gpujit(*args, **kwargs):
    jitted = nb.jit()(func)
    if dppl.get_context():
      return jitted(*args, **args)
    else:
      with dppl.device_context(gpu):
        jitted(*args, **kwargs)
  return wrp_gpujit

@gpujit
def foo(a):
   ...
"""

SAYS_SERIAL = """
import dppl
from numba import jit

@jit(parallel = False)
def foo():
    pass

foo()

with dppl.device_context(gpu):
    # triggers GPU code generation
    foo()
"""

HOST_BETWEEN_REGIONS = """
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
    another_serial_processing(y)
    # Data parallel region 2
    r = np.sum(y)
    # End of data parallel region 2
    return r
"""

NO_HOST_BETWEEN_REGIONS = """
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
"""

DPARRAY_WRITTEN = """
import dparray as np
import dppl
from numba import jit

@jit
def foo(a):
    a[:] = np.sin(a)

a = np.ones(100)
# on CPU
foo(a)

with dppl.device_context(gpu):
   # on GPU
   foo(a)
"""

DPARRAY_RETURNED = """
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
"""

DPARRAY_ARGUMENTS = """
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
"""

DPARRAY_SERIAL_OPERATION = """
import dparray
import numpy as np
import dppl
from numba import jit

@jit
def foo(a, b):
    a[:] = np.sin(a)
    b[:] = a + 2
    some_serial_operation(b)

a = dparray.ones(100)
b = dparray.ones(100)

# on CPU
foo(a,b)

with dppl.device_context(gpu):
    # on GPU
    foo(a, b)
"""
