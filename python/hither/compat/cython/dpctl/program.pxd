# dpctl.program's extension types on hither. Attributes and methods are Python's.
cdef extern from *:
    ctypedef class hither.compat.dpctl.extension_types.SyclKernel [object PyObject, check_size ignore]:
        pass
    ctypedef class hither.compat.dpctl.extension_types.SyclProgram [object PyObject, check_size ignore]:
        pass
