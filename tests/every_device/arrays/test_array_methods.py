"""Methods of arrays with NumPy's arguments."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp

CALLS = [
    lambda x: x.var(axis=1, ddof=1), lambda x: x.std(0, ddof=1), lambda x: x.var(1, None),
    lambda x: x.sum(axis=1, out=None), lambda x: x.clip(min=3, max=5), lambda x: x.max(axis=0),
    lambda x: x.cumsum(), lambda x: x.cumsum(1), lambda x: x.cumprod(axis=0),
    lambda x: x.diagonal(1), lambda x: x.dot(x.T), lambda x: x.dot(x[0]), lambda x: x.trace(),
    lambda x: x.nonzero()[1], lambda x: x.ravel(), lambda x: x.T.flatten(),
    lambda x: (x / 7).round(2), lambda x: x[0].searchsorted(x[0, 2]), lambda x: x.swapaxes(0, 1),
    lambda x: x.transpose(), lambda x: x[None].transpose(1, 2, 0),
    lambda x: x[None].transpose((1, 0, 2)), lambda x: x.conj(), lambda x: (x * 1j).conjugate(),
    lambda x: x[None].transpose(np.array([2, 0, 1])), lambda x: x.transpose(None),
    lambda x: x[0].transpose(np.int64(0)), lambda x: x.transpose(np.int8(1), 0),
    lambda x: x[0, 0].transpose(()), lambda x: x[0, 0, ...].transpose(np.array([], int)),
    lambda x: x.reshape(np.array([4, 3])), lambda x: np.resize(x, np.array([2, 7])),
    lambda x: np.broadcast_to(x, np.array([2, 3, 4])), lambda x: np.resize(x, np.int64(5)),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_methods_take_numpys_arguments(number, queue):
    n = np.arange(1.0, 13).reshape(3, 4)
    got, right = CALLS[number](ht.asarray(n, queue=queue)), CALLS[number](n)
    assert (got.queue, got.dtype, got.shape) == (queue, right.dtype, right.shape)
    np.testing.assert_allclose(ht.asnumpy(got), right, rtol=1e-14)


@pytest.mark.parametrize("axes", [(), [], np.array([], int), (0,), (0, 0), (0, 1, 2)])
def test_transpose_names_every_axis(axes, queue):
    with pytest.raises(ValueError):
        np.ones((2, 3)).transpose(axes)
    with pytest.raises(ValueError):
        ht.ones((2, 3), queue=queue).transpose(axes)


def test_shapes_and_axes_are_arrays_of_hither(queue):
    x = ht.asarray(np.arange(6), queue=queue)
    shape = ht.asarray([2, 3], queue=queue)
    assert x.reshape(shape).transpose(ht.asarray([1, 0], queue=queue)).shape == (3, 2)
    assert np.broadcast_to(x[:3], shape).shape == np.resize(x, shape).shape == (2, 3)


def test_methods_fill_what_is_given(queue):
    x = ht.asarray(np.arange(6.0).reshape(2, 3), queue=queue)
    out = ht.zeros(2, queue=queue)
    assert x.sum(axis=1, out=out) is out
    assert ht.asnumpy(out).tolist() == [3.0, 12.0]
    flat = x.flatten()
    x.fill(7)
    assert ht.asnumpy(x).tolist() == [[7.0] * 3] * 2
    assert ht.asnumpy(flat).tolist() == list(range(6))
    x[...] = ht.reshape(flat, (2, 3))
    assert x.flatten("F").tolist() == [0, 3, 1, 4, 2, 5]
    with pytest.raises(ValueError, match="order='B'"):
        x.flatten("B")


def test_lists_and_numbers_are_joined_to_arrays(queue):
    n = np.arange(4.0)
    x = ht.asarray(n, queue=queue)
    for call in (
        lambda x: np.concatenate(([0], x, (1, 2))), lambda x: np.hstack([0.5, x]),
        lambda x: np.vstack([x, [1, 2, 3, 4]]), lambda x: np.stack([x[0], 3.0]),
        lambda x: np.column_stack([x, [1, 2, 3, 4]]),
    ):  # fmt: skip
        got, right = call(x), call(n)
        assert (got.queue, got.dtype) == (queue, right.dtype)
        np.testing.assert_array_equal(ht.asnumpy(got), right)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int64", "uint64"])
@pytest.mark.parametrize("mode", ["raise", "wrap", "clip"])
def test_put_takes_indices_of_any_width(dtype, mode, queue):
    indices = np.array([1, 100, 3], dtype)
    n = np.arange(1000.0)
    x = ht.asarray(n, queue=queue)
    np.put(n, indices.astype(np.int64), [-1.0, -2.0], mode=mode)
    np.put(x, indices, np.array([-1.0, -2.0]), mode=mode)
    np.testing.assert_array_equal(ht.asnumpy(x), n)


PUT_LAYOUTS = {
    "vector": lambda x: x.reshape(-1), "rows": lambda x: x, "transposed": lambda x: x.T,
    "steps": lambda x: x[:, ::2], "reversed": lambda x: x[::-1],
    "one element": lambda x: x[0, 0, ...],
}  # fmt: skip


@pytest.mark.parametrize("mode", ["raise", "wrap", "clip"])
@pytest.mark.parametrize("layout", PUT_LAYOUTS)
def test_put_writes_through_any_layout(layout, mode, queue):
    n = np.arange(12.0).reshape(3, 4)
    x = ht.asarray(n, queue=queue)
    target, right = (PUT_LAYOUTS[layout](a) for a in (x, n))
    last = right.size - 1
    indices = np.array([0, last, -1, last // 2] if mode == "raise" else [0, 50, -30, 3])
    for values in ([90.0], [91.0, 92], [1.0, 2, 3, 4], [5.0, 6, 7, 8, 9]):
        np.put(right, indices, values, mode)
        hnp.put(target, ht.asarray(indices, queue=queue), np.array(values), mode)
        np.testing.assert_array_equal(ht.asnumpy(x), n)


@pytest.mark.parametrize("layout", PUT_LAYOUTS)
@pytest.mark.parametrize("outside", [12, -13])
def test_put_refuses_indices_out_of_range(layout, outside, queue):
    x = ht.zeros((3, 4), queue=queue)
    target = PUT_LAYOUTS[layout](x)
    for indices in ([0, outside], ht.asarray([0, outside], queue=queue)):
        text = f"index {outside} is out of bounds for {target.size} elements"
        with pytest.raises(IndexError, match=text):
            hnp.put(target, indices, 1.0)
    assert not ht.any(x)


def test_put_is_a_step_of_a_recording(queue):
    def put(x, indices, values):
        y = x + 1
        hnp.put(y, indices, values)
        hnp.put(y.T, indices, values, mode="wrap")
        return y

    compiled = ht.compile(put)
    x = ht.asarray(np.arange(12.0).reshape(3, 4), queue=queue)
    values = ht.asarray([70.0, 80.0], queue=queue)
    for indices in ([1, 5, -1], [0, 11, 3], [-12, 2, 7]):
        given = ht.asarray(indices, queue=queue)
        right = ht.asnumpy(put(x, given, values))
        np.testing.assert_array_equal(ht.asnumpy(compiled(x, given, values)), right)
    with pytest.raises(IndexError, match="out of bounds"):
        compiled(x, ht.asarray([0, 1, 12], queue=queue), values)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float32", "complex64"])
@pytest.mark.parametrize("value", [True, 1, 1.5, 1j])
def test_copyto_checks_the_casting_of_numbers(dtype, value, queue):
    n, x = np.zeros(3, dtype), ht.zeros(3, dtype=dtype, queue=queue)
    try:
        np.copyto(n, value)
    except TypeError:
        with pytest.raises(TypeError, match="cannot be cast"):
            np.copyto(x, value)
    else:
        np.copyto(x, value)
    np.testing.assert_array_equal(ht.asnumpy(x), n)


def test_arrays_can_be_made_read_only(queue):
    x = ht.arange(6, queue=queue)
    view, flags = x[1:3], x.flags
    flags.writeable = False
    assert not x.flags.writeable and not flags["WRITEABLE"] and view.flags.writeable
    for write in (lambda: x.__setitem__(0, 9), lambda: x.fill(1), lambda: x[2:].fill(1)):
        with pytest.raises(ValueError, match=r"read-only.*flags\.writeable is False"):
            write()
    with pytest.raises(ValueError, match="read-only"):
        x += 1
    assert x.tolist() == [0, 1, 2, 3, 4, 5] and (x + 1).tolist() == [1, 2, 3, 4, 5, 6]
    view[0] = 7  # only the object x is read-only
    assert x[1] == 7
    x.setflags(write=True)
    x[0] = 9
    assert x.tolist() == [9, 7, 2, 3, 4, 5]
    assert x.flags["ALIGNED"] and x.flags.aligned and x.flags["FORC"] and not x.flags["FNC"]
    assert x.flags["CARRAY"] and not x.flags["FA"]
    x.flags["W"] = False
    assert not x.T.flags.writable
    with pytest.raises(KeyError, match="cannot be set"):
        x.flags["C_CONTIGUOUS"] = True


def test_repeated_elements_stay_read_only(queue):
    x = ht.arange(6, queue=queue)
    for repeated in (ht.broadcast_to(x, (2, 6)), ht.broadcast_to(x[:1], (3,))):
        with pytest.raises(ValueError, match="may repeat"):
            repeated.flags.writeable = True
    for distinct in (ht.broadcast_to(x, (1, 6)), x[::-2], ht.reshape(x, (2, 3)).T, x[:0], x[0:1]):
        distinct.flags.writeable = False
        distinct.flags.writeable = True
        assert distinct.flags.writeable
    with pytest.raises(ValueError, match="aligned"):
        x.setflags(align=False)


def test_arrays_without_dimensions_have_methods_of_numbers(queue):
    x = ht.asarray([2.0, 2.5], queue=queue)
    assert x[0].is_integer() and not ht.sum(x).is_integer()
    assert x[1].as_integer_ratio() == (5, 2) and x[1].hex() == (2.5).hex()
    assert ht.asarray(7, dtype=ht.uint8, queue=queue).bit_count() == 3
    with pytest.raises(TypeError, match="is_integer: takes an array without dimensions, not 1"):
        x.is_integer()
    with pytest.raises(TypeError, match="no method of numbers of dtype float64"):
        x[0].bit_count()
