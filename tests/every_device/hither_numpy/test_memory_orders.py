"""order= of hither.numpy: the memory order of results is NumPy's."""

from __future__ import annotations

import numpy
import pytest

import hither as ht
import hither.numpy as np

MAKERS = {
    "rows": lambda xp: xp.reshape(xp.arange(24.0), (2, 3, 4)),
    "transposed": lambda xp: xp.reshape(xp.arange(24.0), (2, 3, 4)).T,
    "swapped": lambda xp: xp.reshape(xp.arange(24.0), (2, 3, 4))[:, ::2, :].swapaxes(0, 1),
    "reversed": lambda xp: xp.reshape(xp.arange(24.0), (4, 6))[::-1, ::2],
    "vector": lambda xp: xp.arange(7)[::2],
    "empty": lambda xp: xp.zeros((3, 0, 2)).T,
    "number": lambda xp: xp.asarray(3.0),
}
FUNCTIONS = {
    "array": lambda xp, x, order: xp.array(x, order=order),
    "array_of_another_dtype": lambda xp, x, order: xp.array(x, dtype="float32", order=order),
    "asarray": lambda xp, x, order: xp.asarray(x, order=order),
    "asarray_as_float64": lambda xp, x, order: xp.asarray(x, dtype="float64", order=order),
    "copy": lambda xp, x, order: xp.copy(x, order=order),
    "empty_like": lambda xp, x, order: xp.empty_like(x, order=order) * 0,
    "zeros_like": lambda xp, x, order: xp.zeros_like(x, order=order),
    "ones_like": lambda xp, x, order: xp.ones_like(x, order=order),
    "full_like": lambda xp, x, order: xp.full_like(x, 2, order=order),
}


def same(got, expected, layout=True):
    assert got.dtype == expected.dtype
    numpy.testing.assert_array_equal(ht.asnumpy(got), expected)
    if layout and expected.size > 1:
        assert got.flags.c_contiguous == expected.flags.c_contiguous
        assert got.flags.f_contiguous == expected.flags.f_contiguous
        assert got.strides == expected.strides


@pytest.mark.parametrize("order", ["C", "F", "A", "K", "c", "f", None])
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("made", MAKERS)
def test_orders_of_copies(device, made, function, order):
    with ht.device_context(device):
        x = MAKERS[made](np)
    got = FUNCTIONS[function](np, x, order)
    # Where it casts, NumPy takes "A" for "K".
    layout = order != "A" or not function.startswith(("array_of", "asarray_as"))
    expected = FUNCTIONS[function](numpy, MAKERS[made](numpy), order)
    if function == "empty_like":  # the elements may have any values
        assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
    else:
        same(got, expected, layout)


@pytest.mark.parametrize("order", ["C", "F", "A", "K", None])
@pytest.mark.parametrize("made", MAKERS)
def test_numpy_arrays_keep_their_order(device, made, order):
    x = MAKERS[made](numpy)
    same(np.asarray(x, order=order, device=device), numpy.array(x, order=order or "K"))


@pytest.mark.parametrize("order", ["C", "F", "A", "a", None])
@pytest.mark.parametrize("made", ["rows", "transposed", "swapped"])
def test_orders_of_elements(device, made, order):
    with ht.device_context(device):
        x = MAKERS[made](np)
    y = MAKERS[made](numpy)
    same(np.reshape(x, (-1, 2), order=order or "C"), y.reshape((-1, 2), order=order or "C"), False)
    same(x.reshape((-1, 2), order=order or "C"), y.reshape((-1, 2), order=order or "C"), False)
    for each in (order or "C", "K"):
        same(np.ravel(x, each), numpy.ravel(y, each))
        same(x.flatten(each), y.flatten(each))
    flat = numpy.arange(6)
    for got, expected in zip(
        np.unravel_index(np.asarray(flat), (2, 3), order=order if order in ("C", "F") else None),
        numpy.unravel_index(flat, (2, 3), order=order if order in ("C", "F") else "C"),
        strict=True,
    ):
        same(got, expected, False)


@pytest.mark.parametrize("order", ["C", "F"])
def test_new_arrays_in_an_order(order):
    for name in ("zeros", "ones", "empty"):
        made = getattr(np, name)((2, 3), order=order.lower())
        assert made.strides == numpy.zeros((2, 3), order=order).strides
    same(np.full((2, 3), 5, order=order), numpy.full((2, 3), 5, order=order))
    same(np.eye(3, order=order), numpy.eye(3, order=order))


def test_arrays_that_are_in_order_are_not_copied():
    x = np.zeros((2, 3))
    assert np.asarray(x) is x
    assert np.ascontiguousarray(x) is x
    assert np.asarray(x, dtype=float, order="C") is x
    assert np.shares_memory(np.asarray(x.T, order="F"), x)
    assert not np.shares_memory(np.asfortranarray(x), x)
    with pytest.raises(ValueError, match="copy=False"):
        np.array(x, order="F", copy=False)


@pytest.mark.parametrize("call", [
    lambda: np.array([1], order="Q"),
    lambda: np.zeros(3, order="K"),
    lambda: np.reshape(np.ones(4), (2, 2), order="K"),
    lambda: np.unravel_index(np.arange(2), (2, 2), order="A"),
    lambda: np.require(np.ones(3), None, ["C", "F"]),
])  # fmt: skip
def test_unknown_orders_are_refused(call):
    with pytest.raises(ValueError, match="order"):
        call()


def test_dtypes_of_lists_are_checked():
    with pytest.raises(ValueError, match="NaN"):
        np.array([float("nan"), 1], dtype="int64")
    with pytest.raises(OverflowError):
        np.asarray([300], dtype="uint8")


def test_flat_is_an_iterator():
    x = np.reshape(np.arange(6), (2, 3))
    flat = x.flat
    assert iter(flat) is flat
    assert int(next(flat)) == 0
    assert flat.index == 1
    assert flat.coords == (0, 1)
    assert [int(v) for v in flat] == [1, 2, 3, 4, 5]
    assert len(x.flat) == 6
    assert int(x.flat[4]) == 4


def test_take_of_all_elements():
    x = np.reshape(np.arange(24), (2, 3, 4))
    assert x.take(np.asarray([[10, 5], [3, 20]])).tolist() == [[10, 5], [3, 20]]
    assert x.take([0, -1], axis=1).shape == (2, 2, 4)
    assert x.take([30], mode="clip").tolist() == [23]


def test_numbers_have_an_axis_to_squeeze():
    assert np.asarray(3.0).squeeze(0).shape == np.squeeze(np.asarray(3.0), -1).shape == ()
    assert np.ones((1, 2, 1)).squeeze().shape == (2,)
    assert np.ones((1, 2, 1)).squeeze(axis=-1).shape == (1, 2)


def test_masks_of_copyto_are_bool():
    x = np.zeros(2)
    np.copyto(x, np.ones(2), where=[1, 0])
    assert x.tolist() == [1, 0]
    with pytest.raises(TypeError, match="where has dtype int64"):
        np.copyto(x, np.ones(2), where=np.asarray([1, 0]))


def test_axes_out_of_range_are_axis_errors():
    x = np.ones((2, 3))
    for call in (np.flip, np.squeeze, np.expand_dims, ht.sort, np.roll):
        with pytest.raises(numpy.exceptions.AxisError, match="axis 5"):
            call(x, 1, 5) if call is np.roll else call(x, axis=5)
    with pytest.raises(ht.AxisError, match="axis 3"):
        x.sum(axis=3)
    with pytest.raises(IndexError):
        x[7]
    try:
        x[7]
    except IndexError as error:
        assert not isinstance(error, ValueError)
