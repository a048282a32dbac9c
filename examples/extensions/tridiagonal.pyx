"""An extension in Cython: LAPACK's solver for tridiagonal systems, in the order of a queue.

solve(lower, diagonal, upper, right) takes arrays in USM, and returns immediately with the array
that will contain the solution.
"""
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc

from scipy.linalg.cython_lapack cimport dgtsv

from hither cimport *

hither_import()

cdef int call_lapack(void* state, void* const* data, const char** message) noexcept nogil:
    """data: the three diagonals, which LAPACK overwrites, and the right-hand side."""
    cdef int n = (<int*> state)[0]
    cdef int columns = 1
    cdef int info = 0
    if n > 0:
        dgtsv(&n, &columns, <double*> data[0], <double*> data[1], <double*> data[2],
              <double*> data[3], &n, &info)
    if info > 0:
        message[0] = "the matrix is singular"
    return info


cdef hither_array* copy_of(x, const hither_queue* queue, int64_t length) except NULL:
    """Returns a copy of x as float64, in memory that the host can access."""
    cdef hither_array* given = NULL
    cdef hither_array* made = NULL
    cdef hither_view view
    cdef hither_status status
    hither_check(hither_api.array_from_object(x, &given))
    try:
        hither_check(hither_api.array_describe(given, &view))
        if view.ndim != 1 or view.shape[0] != length:
            raise ValueError(f"expected {length} numbers, not an array of shape "
                             f"{tuple([view.shape[d] for d in range(view.ndim)])}")
        with nogil:
            status = hither_api.array_empty(queue, HITHER_FLOAT64, 1, &length, HITHER_USM_SHARED,
                                            &made)
            if status == HITHER_OK:
                status = hither_api.array_assign(made, given)
        if status != HITHER_OK:
            hither_api.array_release(made)
        hither_check(status)
    finally:
        hither_api.array_release(given)
    return made


cdef submit(hither_array** arrays, int n, const hither_queue* queue):
    cdef hither_argument arguments[4]
    cdef hither_launch where
    cdef hither_status status
    cdef int* state = <int*> malloc(sizeof(int))
    if state == NULL:
        raise MemoryError
    state[0] = n
    for i in range(4):
        arguments[i] = hither_array_argument(arrays[i])
    where.queue = queue
    where.depends_on = NULL
    where.depends_on_count = 0
    with nogil:
        status = hither_api.host_task(arguments, 4, call_lapack, state, free, &where, NULL)
    hither_check(status)


def solve(lower, diagonal, upper, right, queue=None):
    """The x with lower[i-1] x[i-1] + diagonal[i] x[i] + upper[i] x[i+1] = right[i].

    Runs on `queue`, or on the queue of `diagonal`. Reading the result raises KernelError if the
    matrix is singular.
    """
    cdef hither_queue* on = NULL
    cdef hither_array* arrays[4]
    cdef int n = diagonal.shape[0]
    cdef int i
    for i in range(4):
        arrays[i] = NULL
    hither_check(hither_api.queue_from_object(diagonal.queue if queue is None else queue, &on))
    try:
        for i, (x, length) in enumerate(
            [(lower, max(n - 1, 0)), (diagonal, n), (upper, max(n - 1, 0)), (right, n)]
        ):
            arrays[i] = copy_of(x, on, length)
        submit(arrays, n, on)
        return hither_api.array_to_object(arrays[3])
    finally:
        for i in range(4):
            hither_api.array_release(arrays[i])
        hither_api.queue_release(on)
