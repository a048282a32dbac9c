# The Cython of the documents with complete names, and programs that use dpctl's types.
cimport scipy.linalg.lapack_cython as lapack
cimport scipy.linalg.oneAPIlapack_cython as lapack_oneAPI
cimport dpctl as c_dpctl
from dpctl.memory cimport MemoryUSMDevice, MemoryUSMShared, _Memory
from dpctl.program cimport SyclKernel, SyclProgram
from dpctl.tensor cimport usm_ndarray
from scipy.linalg.cython_lapack cimport dlamch

import scipy.linalg.lapack_cython as lapack
import scipy.linalg.oneAPIlapack_cython as lapack_oneAPI


def listing(selector, a):
    lapack = lapack_oneAPI(queue = c_dpctl.SyclQueue(selector))
    return lapack, lapack.svd(a)


def listing_of_the_host_library(a):
    return lapack.svd(a)


def scipys_own():
    return dlamch("e")


cdef c_dpctl.SyclQueue queue_of(c_dpctl.SyclContext context, c_dpctl.SyclDevice device):
    return c_dpctl.SyclQueue(context, device)


cpdef c_dpctl.SyclQueue another(c_dpctl.SyclQueue queue):
    cdef c_dpctl.SyclDevice device = queue.get_sycl_device()
    cdef c_dpctl.SyclContext context = c_dpctl.SyclContext(device)
    return queue_of(context, device)


def made(c_dpctl.SyclPlatform platform):
    cdef c_dpctl.SyclDevice device = platform.get_devices()[0]
    cdef c_dpctl.SyclEvent event = c_dpctl.SyclEvent()
    return device, event


def waited(c_dpctl.SyclEvent event not None):
    event.wait()
    return event.execution_status


cdef class Owner:
    cdef public c_dpctl.SyclQueue queue

    def __init__(self, queue):
        self.queue = queue if isinstance(queue, c_dpctl.SyclQueue) else c_dpctl.SyclQueue(queue)


def reference(c_dpctl.SyclQueue queue):
    cdef c_dpctl.DPCTLSyclQueueRef there = queue.get_queue_ref()
    return there


def counted(c_dpctl.SyclQueue queue, Py_ssize_t n):
    cdef MemoryUSMShared memory = MemoryUSMShared(n, queue=queue)
    cdef unsigned char[::1] numbers = memory
    for i in range(n):
        numbers[i] = <unsigned char> i
    return memory


def on_device(_Memory memory):
    cdef MemoryUSMDevice copied = MemoryUSMDevice(memory.nbytes, queue=memory.queue)
    copied.copy_from_device(memory)
    return copied


def only_on_device(MemoryUSMDevice memory):
    return memory.nbytes


cpdef usm_ndarray doubled(usm_ndarray x):
    return 2 * x


def kernel_of(SyclProgram program, name):
    cdef SyclKernel kernel = program.get_sycl_kernel(name)
    return kernel.num_args
