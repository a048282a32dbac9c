"""Shapes, joins, reductions and products against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp

X = np.arange(24).reshape(2, 3, 4)


def same(array, expected, exact=True):
    got = ht.asnumpy(array)
    assert got.shape == np.shape(expected)
    assert got.dtype == np.asarray(expected).dtype
    if exact:
        np.testing.assert_array_equal(got, expected)
    else:
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("shape", [(24,), (4, 6), (-1, 2), (2, 3, 2, 2), (1, 24, 1), (6, -1)])
@pytest.mark.parametrize(
    "view", [lambda x: x, lambda x: x.T, lambda x: x[:, ::-1], lambda x: x[..., 1:3]]
)
def test_reshape(shape, view):
    n, x = view(X), view(ht.asarray(X))
    try:
        expected = n.reshape(shape)
    except ValueError:
        with pytest.raises(ValueError, match="reshape"):
            ht.reshape(x, shape)
        return
    same(ht.reshape(x, shape), expected)
    same(ht.reshape(x * 2, shape), expected * 2)


def test_reshape_is_a_view_where_it_can_be():
    x = ht.asarray(X)
    y = ht.reshape(x, (6, 4))
    y += 1
    same(x, X + 1)
    z = ht.reshape(x, (6, 4), copy=True)
    z += 1
    same(x, X + 1)
    assert ht.reshape(x[:, :, ::2], (2, 6), copy=False).shape == (2, 6)
    with pytest.raises(ValueError, match="copy=False"):
        ht.reshape(x.T, (24,), copy=False)
    assert ht.reshape(ht.zeros((0, 3)), (3, 0)).shape == (3, 0)
    assert ht.reshape(ht.ones(()), (1, 1)).shape == (1, 1)


def test_axes():
    x = ht.asarray(X)
    same(ht.permute_dims(x, (2, 0, 1)), X.transpose(2, 0, 1))
    same(ht.moveaxis(x, 0, -1), np.moveaxis(X, 0, -1))
    same(ht.moveaxis(x, (0, 1), (2, 0)), np.moveaxis(X, (0, 1), (2, 0)))
    same(ht.expand_dims(x, axis=1), np.expand_dims(X, 1))
    same(ht.expand_dims(x, axis=(0, -1)), np.expand_dims(X, (0, -1)))
    same(ht.squeeze(ht.expand_dims(x, axis=(0, 2)), axis=(0, 2)), X)
    same(x.T, X.T)
    same(x.mT, X.transpose(0, 2, 1))
    same(ht.matrix_transpose(x), X.transpose(0, 2, 1))
    for axis in (None, 0, (0, 2), -1):
        same(ht.flip(x, axis=axis), np.flip(X, axis))
    for part, expected in zip(ht.unstack(x, axis=1), np.moveaxis(X, 1, 0), strict=True):
        same(part, expected)


def test_broadcasting():
    x = ht.arange(3)
    same(ht.broadcast_to(x, (2, 3)), np.broadcast_to(np.arange(3), (2, 3)))
    a, b = ht.broadcast_arrays(x, ht.zeros((2, 1)))
    assert a.shape == b.shape == (2, 3)
    assert ht.broadcast_shapes((2, 1), (3,), ()) == (2, 3)


def test_joins():
    x, y = ht.asarray(X), ht.asarray(X) * 0.5
    same(ht.concat([x, y], axis=1), np.concatenate([X, X * 0.5], axis=1))
    same(ht.concat([x, y], axis=None), np.concatenate([X, X * 0.5], axis=None))
    same(ht.stack([x, y], axis=-1), np.stack([X, X * 0.5], axis=-1))
    same(ht.roll(x, 3), np.roll(X, 3))
    same(ht.roll(x, ht.asarray(2)), np.roll(X, 2))
    same(ht.roll(x, (1, -2), axis=(0, 2)), np.roll(X, (1, -2), axis=(0, 2)))
    same(ht.repeat(x, 2, axis=1), np.repeat(X, 2, axis=1))
    same(ht.repeat(ht.arange(3), ht.asarray([1, 0, 2])), np.repeat(np.arange(3), [1, 0, 2]))
    same(ht.tile(x, (2, 1, 2)), np.tile(X, (2, 1, 2)))


AXES = [None, 0, 1, -1, (0, 2), (), (2, 0, 1)]


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("name", ["sum", "prod", "min", "max", "any", "all", "count_nonzero"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float32", "float64"])
def test_reductions(name, axis, keepdims, dtype):
    n = (X % 5).astype(dtype)
    got = getattr(ht, name)(ht.asarray(n), axis=axis, keepdims=keepdims)
    expected = getattr(np, name)(n, axis=axis, keepdims=keepdims)
    if name == "count_nonzero":
        expected = np.asarray(expected, np.int64)
    same(got, expected, exact=np.dtype(dtype).kind != "f")


@pytest.mark.parametrize("axis", AXES[:-1])
@pytest.mark.parametrize("name", ["mean", "var", "std"])
@pytest.mark.parametrize("dtype", ["int16", "float32", "float64"])
def test_moments(name, axis, dtype):
    n = (X * 0.75).astype(dtype)
    expected = np.asarray(getattr(np, name)(n, axis=axis))
    same(getattr(ht, name)(ht.asarray(n), axis=axis), expected, exact=False)


def test_correction():
    same(ht.var(ht.asarray(X), correction=1), np.asarray(X.var(ddof=1)), exact=False)


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
@pytest.mark.parametrize("name", ["argmin", "argmax"])
def test_arguments_of_extrema(name, axis):
    n = (X * 7) % 11
    same(getattr(ht, name)(ht.asarray(n), axis=axis), np.asarray(getattr(np, name)(n, axis=axis)))


def test_reductions_of_expressions_and_views():
    n = np.random.default_rng(0).normal(size=(50, 70))
    x = ht.asarray(n)
    same(ht.sum(x[::2].T * 2 + 1, axis=0), (n[::2].T * 2 + 1).sum(0), exact=False)
    same(x.sum(axis=1), n.sum(1), exact=False)
    same(x.mean(), np.asarray(n.mean()), exact=False)


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64", "complex128"])
def test_products(dtype):
    a = (np.arange(12) % 5).reshape(3, 4).astype(dtype)
    b = (np.arange(20) % 7).reshape(4, 5).astype(dtype)
    x, y = ht.asarray(a), ht.asarray(b)
    same(x @ y, a @ b, exact=False)
    same(ht.matmul(x.T, x), a.T @ a, exact=False)
    same(x[0] @ y, a[0] @ b, exact=False)
    same(ht.tensordot(x, y, axes=1), np.tensordot(a, b, 1), exact=False)
    same(ht.tensordot(x, y, axes=((1,), (0,))), np.tensordot(a, b, ((1,), (0,))), exact=False)
    same(ht.vecdot(x, x), np.vecdot(a, a), exact=False)
    batch = np.stack([a, a + 1])
    same(ht.asarray(batch) @ y, batch @ b, exact=False)
    z = ht.asarray(a)
    z @= ht.eye(4, dtype=dtype)
    same(z, a, exact=False)


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_one_count_repeats_every_element(axis, queue):
    n = np.arange(6).reshape(2, 3)
    x = ht.asarray(n, queue=queue)
    for count in (2, np.array(2), ht.asarray(2, queue=queue), ht.asarray([2], queue=queue)):
        np.testing.assert_array_equal(
            ht.asnumpy(ht.repeat(x, count, axis=axis)), np.repeat(n, 2, axis=axis)
        )


@pytest.mark.parametrize("counts", [[2**61] * 4, [2**62, 2**62, 2**62, 2**62], [2**61], 2**61])
def test_counts_that_no_array_can_have_are_refused(counts, queue):
    x = ht.ones(4, dtype=ht.int8, queue=queue)
    with pytest.raises(ValueError, match=r"exceeds 2\^63 - 1|has more than 2\^59 elements"):
        ht.repeat(x, ht.asarray(counts, queue=queue))
    with pytest.raises(ValueError, match=r"repeats\[1] is -2"):
        ht.repeat(x, ht.asarray([2**61, -2, 1, 1], queue=queue))


def test_numbers_are_broadcast_with_arrays(queue):
    x = ht.asarray([1.0, 2.0, 3.0], queue=queue)
    for call in (ht.broadcast_arrays, np.broadcast_arrays):
        same, spread = call(x, 2.5)
        assert same is x
        assert (spread.queue, ht.asnumpy(spread).tolist()) == (queue, [2.5, 2.5, 2.5])
    with pytest.raises(TypeError, match=r"arrays\[1\] is a NoneType"):
        ht.broadcast_arrays(x, None)


@pytest.mark.either_mode
def test_numpy_broadcasts_what_is_not_given(cpu_by_default):
    x = ht.asarray([1.0, 2.0])
    values, nothing = np.broadcast_arrays(x, None)
    assert (values.tolist(), nothing.tolist()) == ([1.0, 2.0], [None, None])


@pytest.mark.parametrize("expression", [False, True])
def test_astype_returns_its_argument_where_nothing_is_converted(queue, expression):
    x = ht.asarray(X, queue=queue)
    x = x + 1 if expression else x
    other = ht.Queue(queue.device)
    assert ht.astype(x, x.dtype, copy=False) is x
    assert ht.astype(x, "int64", copy=False, device=x.device, queue=queue) is x
    assert x.astype(x.dtype, copy=False) is x
    assert hnp.astype(x, np.int64, copy=False) is x
    for copied in (
        ht.astype(x, x.dtype), ht.astype(x, x.dtype, copy=True), ht.astype(x, "int8", copy=False),
        ht.astype(x, x.dtype, copy=False, device=other),
        ht.astype(x, x.dtype, copy=False, queue=other),
    ):  # fmt: skip
        assert copied is not x
        np.testing.assert_array_equal(ht.asnumpy(copied), ht.asnumpy(x))
    assert ht.astype(x, x.dtype, copy=False, queue=other).queue == other


def test_astype_is_to_float64_and_takes_an_order_as_in_numpy(queue):
    x = ht.asarray(X, queue=queue)
    for result in (x.astype(None), hnp.astype(x, None)):
        assert result.dtype == np.float64 and result.tolist() == X.tolist()
    with pytest.raises(TypeError, match="dtype is None"):
        ht.astype(x, None)
    for order, kept in {"C": True, "F": False, "A": True, "K": True}.items():
        for dtype in ("int64", "float32"):
            result, right = x.astype(dtype, order=order), X.astype(dtype, order=order)
            assert result.strides == right.strides and result.tolist() == right.tolist()
            assert x.T.astype(dtype, order).strides == X.T.astype(dtype, order).strides
        assert (x.astype("int64", order, copy=False) is x) is kept
    with pytest.raises(ValueError, match="order"):
        x.astype("int8", order="Q")
