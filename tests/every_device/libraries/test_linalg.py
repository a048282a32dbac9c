"""Products of matrices against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hither as ht
from property_tests import examples

DTYPES = ["bool", "int8", "int32", "int64", "uint16", "float16", "float32", "float64", "complex64",
          "complex128"]  # fmt: skip
profile = settings(deadline=None, max_examples=examples(40))


def small(draw, dtype, shape):
    random = np.random.default_rng(draw(st.integers(0, 99)))
    host = random.integers(-3, 4, shape).astype(dtype)
    if np.dtype(dtype).kind == "c":
        host = host + 1j * random.integers(-3, 4, shape).astype(dtype)
    return host.astype(dtype)


def matrices(draw, dtype, batch, rows, columns):
    """A stack of matrices in one of the layouts that products accept."""
    how = draw(st.sampled_from(["dense", "transposed", "step", "reversed"]))
    if how == "transposed":
        host = small(draw, dtype, (*batch, columns, rows))
        return np.swapaxes(host, -1, -2), ht.matrix_transpose(ht.asarray(host))
    if how == "step":
        host = small(draw, dtype, (*batch, rows, 2 * columns))
        return host[..., ::2], ht.asarray(host)[..., ::2]
    host = small(draw, dtype, (*batch, rows, columns))
    if how == "reversed":
        return host[..., ::-1, :], ht.asarray(host)[..., ::-1, :]
    return host, ht.asarray(host)


@given(data=st.data())
@profile
def test_matmul(data):
    extents = st.sampled_from([0, 1, 2, 5, 40])
    m, n, k = data.draw(extents), data.draw(extents), data.draw(extents)
    left, right = data.draw(st.sampled_from([((), ()), ((3,), ()), ((2, 1), (3,)), ((2,), (2,))]))
    dtypes = data.draw(st.sampled_from([(d, d) for d in DTYPES] + [("int32", "float64")]))
    a, x = matrices(data.draw, dtypes[0], left, m, k)
    b, y = matrices(data.draw, dtypes[1], right, k, n)
    expected = a @ b
    result = x @ y
    assert result.shape == expected.shape
    assert str(result.dtype) == str(expected.dtype)
    np.testing.assert_array_equal(
        ht.asnumpy(result), expected
    )  # small integers: every order is exact


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("reversed_operand", ["left", "right", "both"])
def test_stacks_in_reverse_order(queue, dtype, reversed_operand):
    a = np.arange(60).reshape(5, 3, 4).astype(dtype)
    b = (np.arange(40).reshape(5, 4, 2) % 7).astype(dtype)
    x, y = ht.asarray(a, queue=queue), ht.asarray(b, queue=queue)
    if reversed_operand != "right":
        a, x = a[::-1], x[::-1]
    if reversed_operand != "left":
        b, y = b[::-1], y[::-1]
    np.testing.assert_array_equal(ht.asnumpy(x @ y), a @ b)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
@pytest.mark.parametrize("rows", [1, 3])
def test_stacks_that_multiply_one_matrix(queue, dtype, rows):
    """They are one product where their rows follow each other at one distance."""
    host = (np.arange(4 * 6 * rows * 40) % 7 - 3).reshape(4, 6, rows, 40).astype(dtype)
    b = (np.arange(40 * 20) % 5 - 2).reshape(40, 20).astype(dtype)
    x, y = ht.asarray(host, queue=queue), ht.asarray(b, queue=queue)
    parts = [np.s_[:], np.s_[:, ::2], np.s_[::2], np.s_[::-1], np.s_[:, ::-1], np.s_[:, 1:4]]
    parts += [np.s_[:, :1], np.s_[:1], np.s_[2:2], np.s_[:, :, :, :20], np.s_[:, :, ::-1]]
    for part in parts:
        k = host[part].shape[-1]
        for u, v in ((b[:k], y[:k]), (b[:k, :1], y[:k, :1]), (b[:k, 0], y[:k, 0])):
            np.testing.assert_array_equal(ht.asnumpy(x[part] @ v), host[part] @ u)
    for axes in ((1, 0, 2, 3), (0, 2, 1, 3)):
        found = ht.asnumpy(ht.permute_dims(x, axes) @ y)
        np.testing.assert_array_equal(found, host.transpose(axes) @ b)
    one = ht.broadcast_to(x[0, :1], x.shape[1:])
    np.testing.assert_array_equal(
        ht.asnumpy(one @ y), np.broadcast_to(host[0, :1] @ b, (6, rows, 20))
    )
    turned = ht.asarray(np.ascontiguousarray(b.T), queue=queue).T
    np.testing.assert_array_equal(ht.asnumpy(x @ turned), host @ b)
    stack = np.stack([b, b + 1])[:, None]
    found = ht.asnumpy(x[:2] @ ht.asarray(stack, queue=queue))
    np.testing.assert_array_equal(found, host[:2] @ stack)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
def test_vectors(dtype):
    a, v = np.arange(12, dtype=dtype).reshape(3, 4), np.arange(4, dtype=dtype)
    x, w = ht.asarray(a), ht.asarray(v)
    np.testing.assert_array_equal(ht.asnumpy(x @ w), a @ v)
    np.testing.assert_array_equal(ht.asnumpy(w @ x.T), v @ a.T)
    assert int(w @ w) == int(v @ v)
    np.testing.assert_array_equal(ht.asnumpy(ht.vecdot(x, w)), a @ v)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("shape", [(1, 1), (1, 300), (300, 1), (70, 90), (1100, 1000)])
def test_matrices_times_vectors(dtype, shape):
    m, k = shape
    random = np.random.default_rng(m)

    def drawn(*shape):
        real = random.integers(-3, 4, shape).astype(dtype)
        return real * np.dtype(dtype).type(1 + 2j) if real.dtype.kind == "c" else real

    a, v, w = drawn(m, k), drawn(2 * k), drawn(m)
    x, columns, rows = ht.asarray(a), ht.asarray(v), ht.asarray(w)
    turned = ht.asarray(np.ascontiguousarray(a.T)).T
    for matrix in (x, turned):
        for strided, host in ((columns[:k], v[:k]), (columns[::2], v[::2])):
            np.testing.assert_array_equal(ht.asnumpy(matrix @ strided), a @ host)
            column = matrix @ strided[:, None]
            np.testing.assert_array_equal(ht.asnumpy(column), a @ host[:, None])
        np.testing.assert_array_equal(ht.asnumpy(rows @ matrix), w @ a)
        np.testing.assert_array_equal(ht.asnumpy(rows[None, :] @ matrix), w[None, :] @ a)
    one_column = ht.asarray(np.stack([v[:k], v[k:]], axis=1))[:, 1:]
    np.testing.assert_array_equal(ht.asnumpy(x @ one_column), a @ v[k:, None])


@pytest.mark.parametrize("axes", [0, 1, 2, ((2, 0), (0, 1)), ((1,), (2,))])
def test_tensordot(axes):
    a = np.arange(60.0).reshape(3, 4, 5)
    b = np.arange(60.0).reshape(5, 3, 4) if axes != 2 else np.arange(40.0).reshape(4, 5, 2)
    expected = np.tensordot(a, b, axes=axes)
    np.testing.assert_array_equal(
        ht.asnumpy(ht.tensordot(ht.asarray(a), ht.asarray(b), axes=axes)), expected
    )


def test_random_products_are_close():
    random = np.random.default_rng(4)
    a, b = random.normal(size=(130, 70)), random.normal(size=(70, 90))
    np.testing.assert_allclose(
        ht.asnumpy(ht.asarray(a) @ ht.asarray(b)), a @ b, rtol=1e-12, atol=1e-12
    )


def test_shapes_that_do_not_multiply_are_refused():
    with pytest.raises(ValueError, match=r"\(2, 3\).*\(2, 3\)"):
        ht.zeros((2, 3)) @ ht.zeros((2, 3))
    with pytest.raises(ValueError, match="0-d"):
        ht.matmul(ht.zeros(()), ht.zeros((2,)))


@pytest.mark.parametrize(("precision", "u"), [
    (None, 0), ("tensorfloat32", 2.0**-10), ("bfloat16", 2.0**-8),
])  # fmt: skip
@pytest.mark.parametrize("dtype", ["int32", "float32", "float64", "complex64"])
def test_precision_is_how_far_factors_may_be_rounded(dtype, precision, u):
    random = np.random.default_rng(7)
    a, b = ((9 * random.standard_normal((70, 70))).astype(dtype) for _ in range(2))
    if dtype == "complex64":
        a = a + np.complex64(1j) * b
    found = ht.matmul(ht.asarray(a), ht.asarray(b), precision=precision)
    assert str(found.dtype) == dtype
    scalar = np.complex128 if dtype == "complex64" else np.float64
    exact = a.astype(scalar) @ b.astype(scalar)
    size = np.abs(a).astype(np.float64) @ np.abs(b)
    rounding = 0 if dtype == "int32" else 4 * 70 * np.finfo(dtype).eps
    assert (np.abs(ht.asnumpy(found) - exact) <= (2 * u + u * u + rounding) * size).all()


def test_precision_is_of_matmul_and_gemm():
    x = ht.ones((40, 40), dtype=ht.float32)
    for product in (
        ht.matmul(x, x, precision="bfloat16"),
        ht.blas.gemm(x, x, precision="bfloat16"),
    ):
        assert float(product[3, 4]) == 40  # which bfloat16 holds
    with pytest.raises(ValueError, match=r"precision is 'float8'.*'tensorfloat32' or 'bfloat16'"):
        ht.matmul(x, x, precision="float8")
    with pytest.raises(ValueError, match="precision"):
        ht.blas.gemm(x, x, precision="")
    with pytest.raises(TypeError):
        ht.matmul(x, x, precision=16)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(32, 32, 1), (33, 65, 70), (129, 40, 17), (300, 257, 64)])
def test_larger_products(dtype, shape):
    m, n, k = shape
    random = np.random.default_rng(m)
    a, b = (random.integers(-2, 3, s).astype(dtype) for s in ((2, m, k), (k, n)))
    if np.dtype(dtype).kind == "c":
        a, b = a * np.dtype(dtype).type(1 + 2j), b * np.dtype(dtype).type(2 - 1j)
    x, y = ht.asarray(a), ht.asarray(b)
    np.testing.assert_array_equal(ht.asnumpy(x @ y), a @ b)
    np.testing.assert_array_equal(ht.asnumpy(x[:, ::-1] @ y[:, ::2]), a[:, ::-1] @ b[:, ::2])
    turned = ht.asarray(np.ascontiguousarray(b.T)).T
    np.testing.assert_array_equal(ht.asnumpy(x[1] @ turned), a[1] @ b)
