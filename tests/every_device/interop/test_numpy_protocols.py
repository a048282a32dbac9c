"""Functions of NumPy on hither's arrays: __array_ufunc__, __array_function__, __array__."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp


@pytest.fixture
def x(queue):
    return ht.reshape(ht.arange(12, dtype="float64", queue=queue), (3, 4)) + 1


def same(result, right, queue):
    assert isinstance(result, ht.Array) and result.queue == queue
    np.testing.assert_allclose(ht.asnumpy(result), right)


UNARY = ["sqrt", "exp", "sin", "negative", "absolute", "arctan", "log1p", "conjugate", "floor"]


@pytest.mark.parametrize("name", UNARY)
def test_unary_ufuncs(x, queue, name):
    ufunc = getattr(np, name)
    same(ufunc(x), ufunc(ht.asnumpy(x)), queue)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "power", "maximum",
                                  "arctan2", "hypot", "less", "matmul"])  # fmt: skip
def test_binary_ufuncs(x, queue, name):
    ufunc = getattr(np, name)
    n = ht.asnumpy(x)
    y = x.T if name == "matmul" else x
    m = n.T if name == "matmul" else n
    same(ufunc(x, y), ufunc(n, m), queue)
    if name != "matmul":
        same(ufunc(x, 2), ufunc(n, 2), queue)
        same(ufunc(np.float64(2), x), ufunc(2, n), queue)


def test_operators_with_numbers_of_numpy(x, queue):
    n = ht.asnumpy(x)
    same(np.float64(3) * x, 3 * n, queue)
    same(x - np.int64(3), n - 3, queue)
    assert (np.float32(1) + ht.ones(2, dtype="float32", queue=queue)).dtype == np.float32


def test_methods_of_ufuncs(x, queue):
    n = ht.asnumpy(x)
    same(np.add.reduce(x), np.add.reduce(n), queue)
    same(np.maximum.reduce(x, axis=1, keepdims=True), n.max(1, keepdims=True), queue)
    same(np.multiply.accumulate(x, axis=1), np.multiply.accumulate(n, axis=1), queue)
    out = ht.zeros_like(x)
    assert np.add(x, 1, out=out) is out
    same(out, n + 1, queue)
    same(np.add(x, 1, out=ht.zeros((3, 4), dtype="float32", queue=queue)), n + 1, queue)
    whole = ht.zeros((3, 4), dtype="int64", queue=queue)
    with pytest.raises(TypeError, match=r"out has dtype int64, the result float64"):
        np.add(x, 0.5, out=whole)
    same(whole, np.zeros((3, 4)), queue)
    with pytest.raises(ValueError, match=r"out has shape \(4,\), the result \(1, 4\)"):
        np.add(x[:1], 1, out=ht.zeros(4, queue=queue))


def test_other_methods_of_ufuncs(x, queue):
    n = ht.asnumpy(x)
    same(np.multiply.outer(x[0], x[1]), np.multiply.outer(n[0], n[1]), queue)
    same(np.add.reduceat(x, [0, 2], 1), np.add.reduceat(n, [0, 2], 1), queue)
    one = ht.asarray([0, 0], queue=queue)
    np.add.at(x, one, 1)
    np.add.at(n, [0, 0], 1)
    same(x, n, queue)


def test_out_on_the_host_is_refused(x):
    with pytest.raises(TypeError, match=r"out= must be a hither\.Array, not ndarray"):
        np.add(x, x, out=np.zeros((3, 4)))


def test_other_classes_may_implement_a_ufunc(x):
    class Other:
        def __array_ufunc__(self, *given, **named):
            return "asked"

    assert np.add.outer(x, Other()) == "asked"


FUNCTIONS = [
    (np.sum, {}), (np.sum, {"axis": 1}), (np.mean, {"axis": 0, "keepdims": True}), (np.prod, {}),
    (np.std, {}), (np.max, {"axis": 0}), (np.argmin, {"axis": 1}), (np.reshape, {"shape": (2, 6)}),
    (np.var, {"ddof": 1}), (np.flip, {"axis": 0}), (np.clip, {"min": 3, "max": 5}), (np.tril, {}),
    (np.roll, {"shift": 2}), (np.zeros_like, {}), (np.repeat, {"repeats": 2, "axis": 1}),
    (np.expand_dims, {"axis": 0}), (np.any, {}), (np.real, {}),
]  # fmt: skip


@pytest.mark.parametrize(("function", "keywords"), FUNCTIONS)
def test_functions_of_one_array(x, queue, function, keywords):
    same(function(x, **keywords), function(ht.asnumpy(x), **keywords), queue)


def test_axes_by_position(x, queue):
    n = ht.asnumpy(x)
    for function in (np.sum, np.mean, np.max, np.argmax, np.std, np.any):
        same(function(x, 1), function(n, 1), queue)
    same(np.concatenate([x, x], 1), np.concatenate([n, n], 1), queue)
    same(np.roll(x, 1, 0), np.roll(n, 1, 0), queue)
    same(np.reshape(x, (2, 6)), n.reshape(2, 6), queue)


def test_functions_of_several_arrays(x, queue):
    n = ht.asnumpy(x)
    same(np.concatenate([x, x], axis=1), np.concatenate([n, n], axis=1), queue)
    same(np.stack((x, x)), np.stack((n, n)), queue)
    same(np.where(x > 3, x, 0), np.where(n > 3, n, 0), queue)
    same(np.tensordot(x, x, axes=2), np.tensordot(n, n, axes=2), queue)


USUAL = [
    lambda np, x: np.round(x / 7, 2), lambda np, x: np.round(x * 100, -2),
    lambda np, x: np.diff(x, 1, 0), lambda np, x: np.tensordot(x, x.T, 1),
    lambda np, x: np.var(x, 1, None, None, 1), lambda np, x: np.clip(x, 3, 5),
    lambda np, x: np.sum(x, 1, keepdims=True), lambda np, x: np.tril(x, 1),
    lambda np, x: np.transpose(x), lambda np, x: np.permute_dims(x[None], (2, 0, 1)),
    lambda np, x: np.squeeze(x[None, :, None]), lambda np, x: np.squeeze(x[None], 0),
    lambda np, x: np.cumsum(x), lambda np, x: np.cumsum(x, 1), lambda np, x: np.cumprod(x, axis=0),
    lambda np, x: np.cumulative_sum(x, axis=1), lambda np, x: np.outer(x, x[0]),
    lambda np, x: np.cross(x[:, :3], x[:, 1:]), lambda np, x: np.trace(x),
    lambda np, x: np.trace(x[:, :, None], 1), lambda np, x: np.diagonal(x, -1),
    lambda np, x: np.dot(x, x.T), lambda np, x: np.dot(x, x[0]), lambda np, x: np.dot(2, x),
    lambda np, x: np.astype(x, "float32"), lambda np, x: np.copy(x),
    lambda np, x: np.take(x, np.argmax(x[:, :3], 1), 1),
    lambda np, x: np.take_along_axis(x, np.argmax(x, 1, keepdims=True), 1),
    lambda np, x: np.searchsorted(x[0], x[0] - 0.5, "right"),
    lambda np, x: np.empty_like(x, "int32") * 0, lambda np, x: np.linalg.norm(x),
    lambda np, x: np.linalg.norm(x, 1), lambda np, x: np.linalg.norm(x, axis=1),
    lambda np, x: np.linalg.inv(x[:, :3] ** 2), lambda np, x: np.linalg.matrix_power(x[:, :3], 2),
    lambda np, x: np.linalg.svd(x**2, compute_uv=False), lambda np, x: np.linalg.trace(x),
    lambda np, x: np.fft.fft(x, 8, 0), lambda np, x: np.fft.irfftn(np.fft.rfftn(x)),
    lambda np, x: np.fft.fftshift(x, 1), lambda np, x: np.fft.fft2(x),
    lambda np, x: np.fft.ifft2(x, (4, 4), (1, 0), "ortho"),
    lambda np, x: np.fft.irfft2(np.fft.rfft2(x, axes=(0, 1))), lambda np, x: np.swapaxes(x, 0, -1),
    lambda np, x: np.swapaxes(x[None], -1, -3), lambda np, x: np.ravel(x),
    lambda np, x: np.ravel(x.T), lambda np, x: np.inner(x, x),
    lambda np, x: np.inner(x[None], x[0]), lambda np, x: np.inner(x, 2),
    lambda np, x: np.hstack((x, x[:, :1])), lambda np, x: np.hstack([x[0], x[1, :2], x[2, 3]]),
    lambda np, x: np.vstack((x, x[0])), lambda np, x: np.dstack([x[0], x[1]]),
    lambda np, x: np.dstack((x, x)), lambda np, x: np.column_stack((x[0], x.T, x[1])),
    lambda np, x: np.atleast_1d(x[0, 0]), lambda np, x: np.atleast_2d(x[0]),
    lambda np, x: np.atleast_3d(x[0, 0]), lambda np, x: np.atleast_3d(x[0]),
    lambda np, x: np.atleast_3d(x), lambda np, x: np.angle(x - 5),
    lambda np, x: np.angle(x * 1j, 1),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(USUAL)))
def test_usual_calls_run_where_the_arrays_are(x, queue, number):
    call, right = USUAL[number](np, x), USUAL[number](np, ht.asnumpy(x))
    same(call, right, queue)
    assert call.shape == right.shape and call.dtype == right.dtype


OUT = [
    lambda np, x, out: np.sum(x, 1, out=out), lambda np, x, out: np.mean(x, 1, None, out),
    lambda np, x, out: np.dot(x, x[0], out=out), lambda np, x, out: np.max(x, axis=1, out=out),
    lambda np, x, out: np.clip(x[:, 0], 2, 6, out=out),
    lambda np, x, out: np.cumsum(x[:, 1], out=out),
    lambda np, x, out: np.concatenate([x[0, :1], x[1, :2]], out=out),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(OUT)))
def test_out_is_filled_where_it_is(x, queue, number):
    out = ht.zeros(3, queue=queue)
    assert OUT[number](np, x, out) is out
    same(out, OUT[number](np, ht.asnumpy(x), np.zeros(3)), queue)
    with pytest.raises(ht.InvalidValueError, match=r"out has shape \(4,\)"):
        OUT[number](np, x, ht.zeros(4, queue=queue))


OUT_OF_ANOTHER_DTYPE = [
    lambda np, x, out: np.dot(x, x[0], out=out), lambda np, x, out: np.clip(x[:, 0], 2, 6, out=out),
    lambda np, x, out: np.concatenate([x[0, :1], x[1, :2]], out=out),
    lambda np, x, out: np.stack([x[0, 0], x[0, 1], x[0, 2]], out=out),
    lambda np, x, out: np.round(x[:, 0], out=out), lambda np, x, out: np.std(x, 1, out=out),
    lambda np, x, out: np.sum(x, 1, out=out), lambda np, x, out: np.mean(x, 1, out=out),
    lambda np, x, out: np.max(x, 1, out=out), lambda np, x, out: np.amin(x, 1, out=out),
    lambda np, x, out: np.cumsum(x[:, 1], out=out), lambda np, x, out: np.var(x, 1, out=out),
    lambda np, x, out: np.argmax(x, 1, out=out), lambda np, x, out: np.any(x, 1, out=out),
    lambda np, x, out: np.outer(x[:, 0], x[0, :1], out=out.reshape(3, 1)),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(OUT_OF_ANOTHER_DTYPE)))
@pytest.mark.parametrize("dtype", ["float32", "int64", "uint64", "bool"])
def test_out_of_another_dtype_is_taken_where_numpy_takes_it(x, queue, number, dtype):
    call = OUT_OF_ANOTHER_DTYPE[number]
    n = ht.asnumpy(x) * 1.5 - 2
    x = ht.asarray(n, queue=queue)
    try:
        right = call(np, n, np.zeros(3, dtype))
    except (TypeError, ValueError):
        with pytest.raises(ht.InvalidTypeError, match=f"out has dtype {dtype}"):
            call(np, x, ht.zeros(3, dtype=dtype, queue=queue))
        return
    out = ht.zeros(3, dtype=dtype, queue=queue)
    call(np, x, out)
    same(out, right.reshape(3), queue)


def test_functions_with_several_results(x, queue):
    n = ht.asnumpy(x)
    for call in (lambda x: np.where(x > 5), lambda x: np.meshgrid(x[0], x[:, 0], indexing="ij"),
                 lambda x: np.broadcast_arrays(x, x[0]), np.unstack):  # fmt: skip
        for result, right in zip(call(x), call(n), strict=True):
            same(result, right, queue)
    assert np.result_type(x, np.float32) == np.float64


def test_what_functions_of_hither_lack_numpy_does(queue):
    n = np.arange(1.0, 13).reshape(3, 4)
    x = ht.asarray(n, queue=queue, usm_type="shared")
    for call in (
        lambda x: np.sum(x, initial=5.0), lambda x: np.reshape(x, (2, 6), order="F"),
        lambda x: np.concatenate([x, x], dtype=np.float32), lambda x: np.sum(x, where=[True] * 4),
        lambda x: np.take(x, np.asarray([5]), 1, mode="wrap"),
        lambda x: abs(np.linalg.qr(x[:, :2], "r")),
        lambda x: np.outer(x, 2),
        lambda x: np.dot(x[None], x.T), lambda x: np.round(np.astype(x, "int64"), -1),
    ):  # fmt: skip
        same(call(x), call(n), queue)


def test_functions_that_numpy_computes_return_arrays_on_the_queue(queue):
    n = np.arange(1.0, 13).reshape(3, 4)
    x = ht.asarray(n, queue=queue, usm_type="shared")
    same(np.median(x), np.median(n), queue)
    same(np.array_split(x, 2)[1], np.array_split(n, 2)[1], queue)
    same(np.lib.stride_tricks.sliding_window_view(x, 2, 1)[0, 1], [2.0, 3.0], queue)
    assert np.array_equal(x, x + 0) and np.allclose(x, x + 1e-12) is True
    assert np.shape(x) == (3, 4) and np.ndim(x) == 2 and np.size(x) == 12 and np.size(x, 1) == 4


def test_like_makes_arrays_on_the_queue(x, queue):
    same(np.zeros(3, like=x), np.zeros(3), queue)
    same(np.asarray([1, 2], like=x), [1, 2], queue)
    same(np.arange(2, 8, 3, like=x), [2, 5], queue)


def test_ufuncs_of_other_packages(x, queue):
    special = pytest.importorskip("scipy.special")
    n = ht.asnumpy(x)
    same(special.erf(x), special.erf(n), queue)
    same(special.gammaln(x), special.gammaln(n), queue)
    with pytest.raises(ht.PlacementError, match=r"copy it with hither\.asarray"):
        special.beta(x, n)


def test_arrays_of_both_kinds_do_not_mix(x):
    n = np.ones((3, 4))
    for mixed in (lambda: np.add(x, n), lambda: n + x, lambda: x * n, lambda: np.hypot(n, x),
                  lambda: np.concatenate([n, x]), lambda: np.where(n > 0, x, x)):  # fmt: skip
        with pytest.raises(ht.PlacementError):
            mixed()
    with pytest.raises(ht.PlacementError):
        n += x
    np.testing.assert_array_equal(n, 1)


def test_what_numpy_refuses_is_refused(x):
    for call in (lambda: np.gcd(x, x), lambda: np.invert(x), lambda: np.add(x, "1"),
                 lambda: np.add(x, 1, out=np.zeros((3, 4)))):  # fmt: skip
        with pytest.raises(TypeError):
            call()


def test_rows_are_shuffled_without_loss(queue):
    x = ht.reshape(ht.arange(12, queue=queue), (6, 2))
    hnp.random.shuffle(x)
    assert sorted(ht.asnumpy(x)[:, 0].tolist()) == [0, 2, 4, 6, 8, 10]
    v = ht.arange(6, queue=queue)
    np.random.default_rng(2).shuffle(v)
    assert sorted(v.tolist()) == list(range(6))


NUMBERS = [np.add, np.subtract, np.power, np.less, np.arctan2, np.floor_divide]


@pytest.mark.parametrize("function", NUMBERS)
@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
def test_arrays_without_dimensions_are_numbers_for_numpys_arrays(queue, function, dtype):
    host, number = np.arange(1, 7).reshape(2, 3).astype("float32"), np.asarray(2, dtype)
    x = ht.asarray(number, queue=queue)
    for got, right in (
        (function(host, x), function(host, number[()])),
        (function(x, host[:, ::2]), function(number[()], host[:, ::2])),
    ):
        assert type(got) is np.ndarray and got.dtype == right.dtype
        np.testing.assert_array_equal(got, right)


def test_masks_of_hither_with_numpys_arrays(queue):
    ones, mask = np.ones(3), ht.asarray([True, False, True])  # where NumPy's arrays go
    with pytest.raises(ht.InvalidTypeError, match="out="):
        np.add(ones, ones, where=mask, out=np.zeros(3))
    assert np.sum(ones, where=mask) == 2
    number = ht.asarray(False, queue=queue)
    found = np.add(ones, ones, where=number, out=np.zeros(3))
    assert type(found) is np.ndarray and not found.any()
    assert np.sum(ones, initial=ht.asarray(2.0, queue=queue)) == 5


def test_operators_of_numpys_arrays_and_numbers(queue):
    host, x = np.arange(3.0), ht.asarray(2.0, queue=queue)
    for got, right in (
        (host - x, host - 2), (x - host, 2 - host), (x**host, 2**host), (host == x, host == 2),
        (x < host, host > 2), (host / (x + 1), host / 3),
    ):  # fmt: skip
        assert type(got) is np.ndarray
        np.testing.assert_array_equal(got, right)
    host += x
    assert host.tolist() == [2, 3, 4]
    with pytest.raises(ht.PlacementError):
        host + ht.asarray([2.0], queue=queue)
    with pytest.raises(ht.PlacementError):
        np.add(ht.ones(3, queue=queue), host, out=x)


def test_broadcast_arrays_leaves_each_array_where_it_is(queue):
    host, x, number = np.arange(3), ht.ones((2, 1), queue=queue), ht.asarray(5, queue=queue)
    views = np.broadcast_arrays(host, x, number)
    assert [type(v) for v in views] == [np.ndarray, ht.Array, np.ndarray]
    assert all(v.shape == (2, 3) for v in views)
    assert ht.asnumpy(views[1]).tolist() == [[1] * 3] * 2
    alone = np.broadcast_arrays(x, number)
    assert [type(v) for v in alone] == [ht.Array, ht.Array]
