"""hither.blas against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hither as ht
from every_device.libraries.library_arrays import FLOATS, close, laid_out, profile, random_values

DTYPES = st.sampled_from(FLOATS)
TRANS = st.sampled_from("NTC")


def op(a, trans):
    return {"N": a, "T": a.swapaxes(-1, -2), "C": a.conj().swapaxes(-1, -2)}[trans]


def same_home(data, dtype, *shapes):
    """(NumPy's, hither's) for each shape, all on one device."""
    first = data.draw(laid_out(shapes[0], dtype))
    device = first[1].device.filter_string
    return [first, *(data.draw(laid_out(s, dtype, device)) for s in shapes[1:])]


@given(st.data())
@profile
def test_vectors(data):
    dtype, n = data.draw(DTYPES), data.draw(st.sampled_from([0, 1, 5, 300]))
    (a, x), (b, y) = same_home(data, dtype, (n,), (n,))
    close(ht.blas.dot(x, y), a @ b)
    close(ht.blas.dotc(x, y), np.vdot(a, b))
    close(ht.blas.axpy(2.5, x, y), (2.5 * a + b).astype(dtype))
    close(ht.blas.scal(-1.5, x), (-1.5 * a).astype(dtype))
    close(ht.blas.nrm2(x), np.linalg.norm(a))
    sizes = np.abs(a.real) + np.abs(a.imag)
    close(ht.blas.asum(x), sizes.sum())
    if n:
        assert int(ht.blas.iamax(x)) == int(np.argmax(sizes))
    close(ht.blas.ger(2, x, y), (2 * np.outer(a, b)).astype(dtype))


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_norms_neither_overflow_nor_vanish(device, scale):
    x = ht.asarray(np.array([3.0, 4.0]) * scale, device=device)
    assert float(ht.blas.nrm2(x)) == pytest.approx(5 * scale, rel=1e-12)
    assert float(ht.blas.nrm2(x * 0)) == 0
    assert float(ht.blas.nrm2(ht.asarray([1.0, np.inf], device=device))) == np.inf
    assert np.isnan(float(ht.blas.nrm2(ht.asarray([1.0, np.nan], device=device))))


@given(st.data())
@profile
def test_products(data):
    dtype, trans_a, trans_b = data.draw(DTYPES), data.draw(TRANS), data.draw(TRANS)
    m, n, k = (data.draw(st.sampled_from([0, 1, 3, 20])) for _ in range(3))
    stack = data.draw(st.sampled_from([(), (2,)]))
    shape_a = (*stack, m, k) if trans_a == "N" else (*stack, k, m)
    shape_b = (k, n) if trans_b == "N" else (n, k)
    (a, x), (b, y), (c, z), (v, w) = same_home(data, dtype, shape_a, shape_b, (*stack, m, n), (k,))
    product = op(a, trans_a) @ op(b, trans_b)
    close(ht.blas.gemm(x, y, trans_a=trans_a, trans_b=trans_b), product)
    close(ht.blas.gemm(x, y, alpha=2, beta=0.5, c=z, trans_a=trans_a, trans_b=trans_b),
          (2 * product + 0.5 * c).astype(dtype))  # fmt: skip
    close(ht.blas.gemv(x, w, alpha=3, trans=trans_a), (3 * (op(a, trans_a) @ v)).astype(dtype))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("upper", [False, True])
def test_matrices_of_which_a_triangle_is_read(device, dtype, upper):
    a, b = random_values(dtype, (4, 4), 0), random_values(dtype, (4, 4), 1)
    x, y = (ht.asarray(h, device=device) for h in (a, b))
    half = np.triu if upper else np.tril
    part = half(a)
    symmetric = part + part.T - np.diag(np.diag(part))
    hermitian = part + part.conj().T - np.diag(np.diag(part))
    hermitian = (
        hermitian - 1j * np.diag(np.diag(hermitian).imag) if a.dtype.kind == "c" else symmetric
    )
    close(ht.blas.symm(x, y, upper=upper), symmetric @ b)
    close(
        ht.blas.symm(x, y, upper=upper, side="R", alpha=2, c=y),
        (2 * (b @ symmetric) + b).astype(dtype),
    )
    close(ht.blas.hemm(x, y, upper=upper), (hermitian @ b).astype(dtype))
    close(ht.blas.symv(x, y[0], upper=upper, beta=2, y=y[1]), symmetric @ b[0] + 2 * b[1])
    unit = part - np.diag(np.diag(part)) + np.eye(4, dtype=dtype)
    for trans in "NTC":
        close(ht.blas.trmm(x, y, upper=upper, trans=trans), op(part, trans) @ b)
        close(ht.blas.trmm(x, y, upper=upper, side="R", trans=trans, unit_diagonal=True),
              b @ op(unit, trans))  # fmt: skip


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("trans", ["N", "T", "C"])
def test_triangular_systems(device, dtype, upper, trans):
    pytest.importorskip("scipy")
    a = random_values(dtype, (4, 4), 0) + 4 * np.eye(4, dtype=dtype)
    b = random_values(dtype, (4, 4), 1)
    x, y = (ht.asarray(h, device=device) for h in (a, b))
    part = op(np.triu(a) if upper else np.tril(a), trans)
    close(ht.blas.trsm(x, y, upper=upper, trans=trans, alpha=2),
          np.linalg.solve(part, 2 * b).astype(dtype))  # fmt: skip
    right = (2 * b @ np.linalg.inv(part)).astype(dtype)
    close(ht.blas.trsm(x, y, upper=upper, trans=trans, alpha=2, side="R"), right)
    close(ht.blas.trsv(x, y[0], upper=upper, trans=trans), np.linalg.solve(part, b[0]))


@pytest.mark.parametrize("dtype", FLOATS)
def test_products_with_itself(device, dtype):
    a, c = random_values(dtype, (3, 5), 0), random_values(dtype, (3, 3), 1)
    x, z = (ht.asarray(h, device=device) for h in (a, c))
    close(ht.blas.syrk(x, alpha=2, beta=3, c=z), (2 * (a @ a.T) + 3 * c).astype(dtype))
    close(ht.blas.syrk(x, trans="T"), a.T @ a)
    close(ht.blas.herk(x), a @ a.conj().T)
    close(ht.blas.herk(x, trans="C"), a.conj().T @ a)
