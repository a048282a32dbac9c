# dpctl's extension types on hither: `cimport dpctl`. Attributes and methods are Python's.
cdef extern from *:
    ctypedef class hither.compat.dpctl.extension_types.SyclPlatform [object PyObject, check_size ignore]:
        pass
    ctypedef class hither.compat.dpctl.extension_types.SyclDevice [object PyObject, check_size ignore]:
        pass
    ctypedef class hither.compat.dpctl.extension_types.SyclContext [object PyObject, check_size ignore]:
        pass
    ctypedef class hither.compat.dpctl.extension_types.SyclQueue [object PyObject, check_size ignore]:
        pass
    ctypedef class hither.compat.dpctl.extension_types.SyclEvent [object PyObject, check_size ignore]:
        pass

# Addresses of a sycl::queue and a sycl::context: what Python's get_queue_ref() and get_context_ref()
# give, on SYCL devices. dpctl.sycl makes pointers of them.
ctypedef size_t DPCTLSyclQueueRef
ctypedef size_t DPCTLSyclContextRef
