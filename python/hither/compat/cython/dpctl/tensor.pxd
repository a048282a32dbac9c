# dpctl.tensor's extension type on hither. Attributes and methods are Python's.
cdef extern from *:
    ctypedef class hither.compat.dpctl.extension_types.usm_ndarray [object PyObject, check_size ignore]:
        pass
