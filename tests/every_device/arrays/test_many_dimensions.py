"""Arrays of up to 32 dimensions against NumPy."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import hither as ht

NDIMS = [17, 31, 32]


@pytest.fixture(params=NDIMS)
def ndim(request):
    return request.param


def shape_with(ndim: int, twos: int, seed: int = 0) -> tuple[int, ...]:
    """Extents of 1, except for so many of 2."""
    places = np.random.default_rng([ndim, twos, seed]).choice(ndim, twos, replace=False)
    return tuple(2 if axis in places else 1 for axis in range(ndim))


def numbers(shape: tuple[int, ...], dtype: str = "float64", seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 100, shape).astype(dtype)


def some_order(ndim: int, seed: int = 0) -> tuple[int, ...]:
    return tuple(np.random.default_rng([ndim, seed]).permutation(ndim).tolist())


def same(array, expected) -> None:
    found = ht.asnumpy(array)
    assert found.shape == np.shape(expected)
    np.testing.assert_array_equal(found, expected)


def test_elements_of_arrays_that_broadcast(queue, ndim):
    a = numbers(shape_with(ndim, 6))
    b = numbers(shape_with(ndim - 1, 5), seed=1)
    x, y = ht.asarray(a, queue=queue), ht.asarray(b, queue=queue)
    order = some_order(ndim)
    same(x * 2 + y, a * 2 + b)
    turned, moved = a.transpose(order), ht.permute_dims(x, order)
    same(ht.where(moved > y, moved, y - moved), np.where(turned > b, turned, b - turned))
    same(
        ht.broadcast_to(y, np.broadcast_shapes(a.shape, b.shape)) + 1,
        np.broadcast_to(b, (a + b).shape) + 1,
    )


def test_reductions_over_alternate_axes(queue, ndim):
    a = numbers(shape_with(ndim, 10))
    x = ht.asarray(a, queue=queue)
    axes = tuple(range(0, ndim, 2))
    for source, right in [(x, a), (x * 2 + 1, a * 2 + 1),
                          (ht.permute_dims(x, range(ndim)[::-1]), a.T)]:  # fmt: skip
        same(ht.sum(source, axis=axes), right.sum(axis=axes))
        same(ht.max(source, axis=axes, keepdims=True), right.max(axis=axes, keepdims=True))
        same(ht.argmin(source, axis=ndim // 2), right.argmin(axis=ndim // 2))
        same(ht.any(source > 90, axis=axes), (right > 90).any(axis=axes))
    same(x - ht.mean(x, axis=-1, keepdims=True), a - a.mean(axis=-1, keepdims=True))


@pytest.mark.parametrize("leaves", [3, 17])
def test_kernels_of_many_strides(queue, ndim, leaves):
    """Each operand has its axes in another order, so that no two axes can be merged."""
    shape = shape_with(ndim, 11)
    twos = [axis for axis in range(ndim) if shape[axis] == 2]
    orders = []
    for seed in range(leaves):
        order = np.arange(ndim)
        order[twos] = np.random.default_rng(seed).permutation(twos)
        orders.append(order.tolist())
    hosts = [numbers(shape, "int64", seed).transpose(o) for seed, o in enumerate(orders)]
    total, right = 0, 0
    for seed, (host, order) in enumerate(zip(hosts, orders, strict=True)):
        x = ht.asarray(numbers(shape, "int64", seed), queue=queue)
        total, right = total * 3 + ht.permute_dims(x, order), right * 3 + host
    axes = tuple(twos[::2])
    same(ht.sum(total, axis=axes), right.sum(axis=axes))
    same(total - ht.max(total, axis=-1, keepdims=True), right - right.max(axis=-1, keepdims=True))
    target = ht.zeros(shape, np.int64, queue=queue)
    view = ht.permute_dims(target, orders[0])
    view[...] = total
    same(view, right)


def test_every_axis_apart_with_a_rank_of_twenty(queue):
    shape, order = (2,) * 20, tuple(range(20))[::-1]
    a = np.arange(2**20, dtype=np.int32).reshape(shape)
    x = ht.asarray(a, queue=queue)
    same(ht.permute_dims(x, order).copy(), a.T)
    same(ht.permute_dims(x, order) + x, a.T + a)
    axes = tuple(range(0, 20, 2))
    same(ht.sum(ht.permute_dims(x, order) + x, axis=axes), (a.T + a).sum(axis=axes))
    same(x[(slice(None, None, -1), 0) * 10], a[(slice(None, None, -1), 0) * 10])


def test_views(queue, ndim):
    a = numbers(shape_with(ndim, 8), "int32")
    x = ht.asarray(a, queue=queue)
    order = some_order(ndim)
    same(ht.permute_dims(x, range(ndim)[::-1]).copy(), a.T)
    same(ht.reshape(ht.permute_dims(x, order), (-1,)), a.transpose(order).reshape(-1))
    same(ht.flip(x), np.flip(a))
    same(ht.moveaxis(x, 0, -1), np.moveaxis(a, 0, -1))
    ones = tuple(axis for axis in range(ndim) if a.shape[axis] == 1)
    flat = ht.squeeze(x, axis=ones)
    same(flat, a.squeeze())
    same(ht.expand_dims(flat, axis=ones), a)


def test_indices(queue, ndim):
    a = numbers(shape_with(ndim, 9), "int32")
    x = ht.asarray(a, queue=queue)
    axis = a.shape.index(2)
    for key in [
        (slice(None, None, -1),) * ndim,
        (0, None) * (ndim // 2),
        (..., -1, None),
        (slice(None),) * axis + ([1, 0, 1],),
        a > 50,
        (slice(None),) * 3 + (np.ones(a.shape[3:-3], bool),),
    ]:
        same(x[key], a[key])
    if ndim < 32:
        same(x[None], a[None])
        same(x[..., None], a[..., None])
    where = np.random.default_rng(0).integers(0, a.shape[axis], a.shape)
    same(ht.take_along_axis(x, ht.asarray(where, queue=queue), axis=axis),
         np.take_along_axis(a, where, axis=axis))  # fmt: skip
    for found, right in zip(ht.nonzero(x), np.nonzero(a), strict=True):
        same(found, right)
    changed = a.copy()
    changed[a > 50] = 1
    changed[(slice(None),) * axis + (0,)] = 7
    x[x > 50] = 1
    x[(slice(None),) * axis + (0,)] = 7
    same(x, changed)


def test_joins_scans_and_sorts(queue, ndim):
    a = numbers(shape_with(ndim, 7), "int64")
    x = ht.asarray(a, queue=queue)
    for axis in (0, a.shape.index(2), a.shape.index(1), -1):
        same(ht.concat([x, x + 1], axis=axis), np.concatenate([a, a + 1], axis=axis))
        same(ht.repeat(x, 3, axis=axis), np.repeat(a, 3, axis=axis))
        same(ht.roll(x, 1, axis=axis), np.roll(a, 1, axis=axis))
        same(ht.cumulative_sum(x, axis=axis), np.cumsum(a, axis=axis))
        same(ht.sort(x, axis=axis), np.sort(a, axis=axis))
        if ndim < 32:
            same(ht.stack([x, x], axis=axis), np.stack([a, a], axis=axis))
    times = [1] * ndim
    times[2] = times[-1] = 3
    same(ht.tile(x, times), np.tile(a, times))
    same(ht.tile(x, (2,) * 4), np.tile(a, (2,) * 4))


@pytest.mark.parametrize("dtype", ["int64", "float32"])
def test_products(queue, ndim, dtype):
    a = numbers((*shape_with(ndim - 2, 4), 3, 5), dtype)
    b = numbers((*shape_with(ndim - 2, 5, seed=1), 5, 2), dtype)
    x, y = ht.asarray(a, queue=queue), ht.asarray(b, queue=queue)
    same(x @ y, a @ b)
    same(ht.vecdot(x, x), (a * a).sum(axis=-1))
    axes = list(range(ndim))
    same(ht.tensordot(x, x, axes=(axes, axes)), np.tensordot(a, a, axes=(axes, axes)))
    same(ht.tensordot(x, ht.asarray(a[(0,) * (ndim - 2)], queue=queue), axes=((-2, -1), (0, 1))),
         np.tensordot(a, a[(0,) * (ndim - 2)], axes=((-2, -1), (0, 1))))  # fmt: skip


def test_exchange(queue, ndim):
    a = numbers(shape_with(ndim, 5), "float32")
    x = ht.asarray(a, queue=queue)
    same(ht.asarray(a.tolist(), queue=queue), a)
    same(ht.asarray([x[0]] * 2), np.stack([a[0]] * 2))
    assert x.tolist() == a.tolist()
    same(ht.from_dlpack(x), a)
    same(ht.from_dlpack(a), a)
    same(ht.asarray(a.T, queue=queue), a.T)
    same(ht.asarray(memoryview(a), queue=queue), a)
    same(pickle.loads(pickle.dumps(x)), a)
    assert repr(x).startswith("Array(" + "[" * ndim)
    assert repr(x).count("]") == repr(a).count("]")
    same(ht.zeros(a.shape, queue=queue) + x, a)
    x += 1
    same(x, a + 1)


def test_functions_of_numpy_that_need_more_axes_inside(queue):
    import hither.numpy as hnp

    a = numbers(shape_with(32, 4), "uint8")
    x = hnp.asarray(ht.asarray(a, queue=queue))
    axis = a.shape.index(2)
    same(hnp.packbits(x, axis=axis), np.packbits(a, axis=axis))
    same(hnp.unpackbits(x, axis=axis), np.unpackbits(a, axis=axis))
    same(hnp.kron(x, x), np.kron(a, a))


@pytest.mark.parametrize("q", [0.3, [0.3, 0.9]])
def test_quantiles_of_arrays_with_the_most_dimensions(queue, q):
    import hither.numpy as hnp

    a = numbers((*shape_with(31, 4), 5), "float32")
    x = hnp.asarray(ht.asarray(a, queue=queue))
    if isinstance(q, list):  # the result has an axis more than the rows
        a, x = a[0], x[0]
    for method in ("linear", "lower"):
        same(hnp.quantile(x, q, axis=-1, method=method), np.quantile(a, q, axis=-1, method=method))
    same(hnp.median(x, axis=-1), np.median(a, axis=-1))
