# dpctl.sycl: SYCL's own classes, for C++ that is compiled with the headers of DPC++.
from dpctl cimport DPCTLSyclContextRef, DPCTLSyclQueueRef

cdef extern from "sycl/sycl.hpp" namespace "sycl" nogil:
    cppclass queue:
        void wait() except +
    cppclass context:
        pass

cdef inline queue* unwrap_queue(DPCTLSyclQueueRef address) noexcept nogil:
    return <queue*> address

cdef inline context* unwrap_context(DPCTLSyclContextRef address) noexcept nogil:
    return <context*> address
