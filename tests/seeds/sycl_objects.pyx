# Submits C++ work to the sycl::queue of a dpctl queue.
cimport dpctl as c_dpctl
from dpctl.sycl cimport context as sycl_context
from dpctl.sycl cimport queue as sycl_queue
from dpctl.sycl cimport unwrap_context, unwrap_queue

cdef extern from *:
    """
    #include <sycl/sycl.hpp>
    static void fill(sycl::queue queue, const sycl::context& context, void* to, int byte, size_t n) {
      if (queue.get_context() != context) throw sycl::exception(make_error_code(sycl::errc::invalid));
      queue.memset(to, byte, n);
    }
    """
    void fill(sycl_queue, const sycl_context&, void*, int, size_t) except + nogil


def filled(memory, int byte):
    cdef c_dpctl.SyclQueue queue = memory.sycl_queue
    cdef c_dpctl.SyclContext context = queue.get_sycl_context()
    cdef sycl_queue* its_queue = unwrap_queue(queue.get_queue_ref())
    cdef sycl_context* its_context = unwrap_context(context.get_context_ref())
    cdef size_t address = memory._pointer
    cdef size_t n = memory.nbytes
    with nogil:
        fill(its_queue[0], its_context[0], <void*> address, byte, n)
        its_queue.wait()
    return memory
