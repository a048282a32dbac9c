"""hither.numpy.nditer, compared with NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp

ARRAYS = {
    "rows": lambda xp: xp.reshape(xp.arange(6.0), (2, 3)),
    "transposed": lambda xp: xp.reshape(xp.arange(6, dtype="i2"), (2, 3)).T,
    "steps": lambda xp: xp.reshape(xp.arange(24), (2, 3, 4))[::-1, :, ::2],
    "one": lambda xp: xp.ones((1, 1), dtype="c8"),
    "no dimension": lambda xp: xp.asarray(3.0),
    "empty": lambda xp: xp.zeros((0, 3)),
    "odd": lambda xp: xp.arange(7, dtype="u1") % 3 == 1,
}


@pytest.mark.parametrize("index", ["c_index", "f_index"])
@pytest.mark.parametrize("order", ["K", "C", "F"])
@pytest.mark.parametrize("name", ARRAYS)
def test_elements_and_indices(name, order, index, queue):
    seen = {}
    with ht.device_context(queue):
        for xp in (np, hnp):
            x = ARRAYS[name](xp)
            it = xp.nditer(x, ["multi_index", index, "zerosize_ok"], ["readwrite"], order=order)
            seen[xp] = [(it.multi_index, it.index, v.tolist(), v.dtype) for v in it]
            it.reset()
            for v in it:
                v[...] = 2 * v == 4
            seen[xp].append(x.tolist())
    assert seen[np] == seen[hnp]


@pytest.mark.parametrize("usm_type", ["device", "shared"])
@pytest.mark.parametrize("name", ARRAYS)
def test_pairs_of_index_and_element(name, usm_type, queue):
    x = ARRAYS[name](np)
    own = ht.asarray(x, queue=queue, usm_type=usm_type)
    seen = {}
    for xp, array in ((np, x.copy()), (hnp, own)):
        pairs = seen[xp] = []
        for index, value in xp.ndenumerate(array):
            pairs.append((index, value, value.dtype))
            array[...] = array + value  # elements that come later are read later
    assert seen[np] == seen[hnp]
    assert all(isinstance(value, np.generic) for _, value, _ in seen[hnp])


def test_derivatives_by_differences(queue):
    x = ht.asarray(np.arange(6.0).reshape(2, 3), queue=queue)
    slopes = hnp.zeros_like(x)
    it = hnp.nditer(x, flags=["multi_index"], op_flags=["readwrite"])
    while not it.finished:
        where, old = it.multi_index, it.value
        kept = float(old)
        x[where] = kept + 1
        above = hnp.sum(x**2)
        it[0] = kept - 1
        slopes[where] = (above - hnp.sum(x**2)) / 2
        x[where] = kept
        it.iternext()
    np.testing.assert_array_equal(ht.asnumpy(slopes), 2 * np.arange(6.0).reshape(2, 3))


def test_several_operands(queue):
    x, y = np.arange(6, dtype="f4").reshape(2, 3), np.arange(3)
    own = [ht.asarray(v, queue=queue) for v in (x, y)]
    with hnp.nditer([*own, None, 2.5]) as it:
        for a, b, result, number in it:
            result[...] = a * b + number
    made = it.operands[2]
    assert made.dtype == "f8" and made.queue == queue and len(it) == 4
    np.testing.assert_array_equal(ht.asnumpy(made), x * y + 2.5)
    it = hnp.nditer([own[0], None], op_dtypes=[None, "i8"])
    assert it.operands[1].dtype == "i8" and it.shape == (2, 3)


def test_what_it_refuses(queue):
    x = ht.arange(4.0, queue=queue)
    with pytest.raises(ValueError, match="read-only"):
        next(hnp.nditer(x))[...] = 3
    with pytest.raises(TypeError, match="external_loop"):
        hnp.nditer(x, flags=["external_loop"])
    with pytest.raises(TypeError, match="op_axes"):
        hnp.nditer([x, x], op_axes=[[0], [0]])
    with pytest.raises(TypeError, match="astype"):
        hnp.nditer(x, op_dtypes=["i4"])
    with pytest.raises(ValueError, match="broadcast"):
        hnp.nditer([x, x[:3]])
    with pytest.raises(ValueError, match="zero-sized"):
        hnp.nditer(x[:0])
    with pytest.raises(ValueError, match="multi_index"):
        _ = hnp.nditer(x).multi_index
    with pytest.raises(ht.errors.PlacementError):
        hnp.nditer([x, np.arange(4)])
    assert [int(v) for v in hnp.nditer(np.array([3, 4]))] == [3, 4]  # NumPy's own
