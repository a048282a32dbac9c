# dpctl.memory's extension types on hither. Attributes and methods are Python's.
cdef extern from *:
    ctypedef class hither.compat.dpctl.extension_types._Memory [object PyObject, check_size ignore]:
        pass
    ctypedef class hither.compat.dpctl.extension_types.MemoryUSMShared(_Memory) [object PyObject, check_size ignore]:
        pass
    ctypedef class hither.compat.dpctl.extension_types.MemoryUSMHost(_Memory) [object PyObject, check_size ignore]:
        pass
    ctypedef class hither.compat.dpctl.extension_types.MemoryUSMDevice(_Memory) [object PyObject, check_size ignore]:
        pass
