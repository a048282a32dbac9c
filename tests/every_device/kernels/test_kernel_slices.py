"""Assignments to slices inside kernels have NumPy's results for one work-item."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht


def zero_a_part(x, y):
    x[1:3] = 0


def copy_all(x, y):
    x[:] = y


def copy_backwards(x, y):
    x[::-2] = y[: x.shape[0] // 2]


def ellipsis(x, y):
    x[...] = 3


def rows_and_columns(x, y):
    x[2] = y
    x[:, 1] = 7
    x[1:3, ::2] = y[:3]
    x[3:] = 5.5


VECTOR, MATRIX = np.arange(8.0), np.arange(30.0).reshape(6, 5)
CASES = [
    (zero_a_part, VECTOR, 0),
    (copy_all, VECTOR, VECTOR[::-1]),
    (copy_all, VECTOR, np.arange(8, dtype=np.int32)),
    (copy_all, VECTOR, np.array([5.0])),
    (copy_all, VECTOR.astype(np.complex64), 2),
    (copy_all, np.zeros(0), 2),
    (copy_backwards, VECTOR, VECTOR + 10),
    (ellipsis, MATRIX, 0),
    (rows_and_columns, MATRIX, np.arange(5.0)),
    (copy_all, MATRIX, np.arange(6.0).reshape(6, 1)),
    (copy_all, MATRIX, np.arange(5)),
    (copy_all, MATRIX.T, MATRIX.T + 1),
]


@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.parametrize(("function", "target", "source"), CASES)
def test_slices_are_assigned_as_numpy_does(queue, function, target, source, debug):
    def on_device(a):
        return ht.asarray(a, queue=queue) if isinstance(a, np.ndarray) else a

    x = on_device(target)
    ht.kernel(function, debug=debug)[1](x, on_device(source))
    expected = target.copy()
    function(expected, source)
    assert np.array_equal(ht.asnumpy(x), expected)


def test_rows_by_items_and_private_arrays(queue):
    @ht.kernel
    def scaled(m, result):
        i = ht.get_global_id(0)
        own = ht.private.array(4, m.dtype)
        own[:] = m[i]
        for k in range(4):
            own[k] *= i
        result[i] = own

    m = np.arange(40, dtype=np.float32).reshape(10, 4)
    result = ht.zeros(m.shape, dtype=np.float32, queue=queue)
    scaled[10](ht.asarray(m, queue=queue), result)
    assert np.array_equal(ht.asnumpy(result), m * np.arange(10, dtype=np.float32)[:, None])


def test_a_source_of_another_shape_is_an_error(device):
    x = ht.ones(8, queue=ht.Queue(device))
    with pytest.raises(ht.KernelError, match=f"another shape .*test_kernel_slices.py:{_line()}"):
        ht.kernel(copy_all)[1](x, ht.ones(3, queue=x.queue))
        x.queue.wait()


def _line():
    return copy_all.__code__.co_firstlineno + 1
