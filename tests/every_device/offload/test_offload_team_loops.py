"""On GPUs, the work-items of a group share inner loops that combine numbers. Here all devices have
this form."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest
from numba import prange

import hither as ht
from hither import _hither
from hither._offload import region


@pytest.fixture(autouse=True)
def _as_on_a_gpu(monkeypatch):
    monkeypatch.setattr(region, "runs_lanes", lambda device: True)


def _norms(out, x):
    for i in prange(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            s += x[i, j] ** 2
        out[i] += math.sqrt(s)


def _variances(out, x):
    for i in prange(x.shape[0]):
        s = x[i, 0] * 0
        for j in range(x.shape[1]):
            s = x[i, j] + s
        mean = s / x.shape[1]
        q = 1.0
        for j in range(1, x.shape[1]):
            d = x[i, j] - mean
            if d > 0:
                q += d * d
            else:
                q -= d
        if q > 1:
            out[i] = q


def _extremes(out, x):
    for i in prange(x.shape[0]):
        low, high, bits, product = x[i, 0], x[i, 0], 1, 1.0
        for j in range(x.shape[1]):
            low = min(low, x[i, j])
            high = max(high, x[i, j])
            bits |= j
            product *= 1 + x[i, j] / 1024
        out[i] = high - low + bits + product


def _bits(out, x):
    for i in prange(x.shape[0]):
        a, b, c = 255, 0, 7
        for j in range(x.shape[1]):
            k = np.int64(x[i, j] * 100)
            a &= k | 240
            b ^= k
            c -= k
        out[i] = a + b + c


def _distances(out, x):
    n = x.shape[0]
    for i in prange(n):
        for j in range(n):
            d = 0.0
            for k in range(x.shape[1]):
                d += (x[i, k] - x[j, k]) ** 2
            out[i, j] = math.sqrt(d)


SHARED = {
    _norms: 1, _variances: 1, _extremes: 1, _bits: 1, _distances: 2,
}  # fmt: skip
WIDTHS = [0, 1, 63, 64, 65, 257]


def _called(device, compiled, *arguments):
    """What a function does to the arguments, and its report."""
    given = [ht.asarray(a, device=device) for a in arguments]
    with ht.device_context(device):
        compiled(*given)
    (parfor,) = ht.offload_report(compiled).parfors
    return [ht.asnumpy(a) for a in given], parfor


@pytest.mark.parametrize("function", SHARED)
def test_results_are_those_of_plain_numba(device, function):
    plain, compiled = numba.njit(function), numba.njit(parallel=True)(function)
    for launches, width in enumerate(WIDTHS, 1):
        if width == 0 and function in (_variances, _extremes):
            width = 2  # they read the first element
        x = np.random.default_rng(width).random((5, width))
        out = np.ones((5,) * SHARED[function])
        expected = out.copy()
        plain(expected, x)
        (found, _), parfor = _called(device, compiled, out, x)
        np.testing.assert_allclose(found, expected, rtol=1e-13)
        assert sum(use.launches for use in parfor.uses) == launches
        shared = sum(use[1] for use in _hither.region_uses(parfor.team))
        assert shared == sum(w >= 64 for w in WIDTHS[:launches])


@pytest.mark.parametrize("dtype", ["float32", "int64", "uint8"])
def test_dtypes_and_layouts(device, dtype):
    def sums(out, x):
        for i in prange(x.shape[0]):
            total = x[i, 0]
            for j in range(1, x.shape[1]):
                total += x[i, j]
            out[i] = total

    x = np.random.default_rng(1).integers(0, 3, (4, 200)).astype(dtype)
    compiled = numba.njit(parallel=True)(sums)
    for given in (x, np.asfortranarray(x), np.repeat(x, 2, 1)[::-1, ::2]):
        out = np.zeros(4, np.int64)
        with ht.device_context(device):
            compiled(out, given)
        np.testing.assert_array_equal(out, given.sum(1, dtype=np.int64))


def _stores(out, x):
    for i in prange(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            s += x[i, j]
            out[i, j] = s


def _ends_early(out, x):
    for i in prange(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            if x[i, j] > 0.9:
                break
            s += x[i, j]
        out[i] = s


def _depends_on_order(out, x):
    for i in prange(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            s = 0.5 * s + x[i, j]
        out[i] = s


def _product(out, x):
    for i in prange(x.shape[0]):
        for j in range(x.shape[0]):
            s = 0.0
            for k in range(x.shape[0]):
                s += x[i, k] * x[k, j]
            out[i, j] = s


def _triangle(out, x):
    for i in prange(x.shape[0]):
        s = 0.0
        for j in range(i + 1):
            s += x[i, j]
        out[i] = s


def _counted(out, x):
    for i in prange(x.shape[0]):
        count = 0
        for j in range(x.shape[1]):
            count += x[i, j] > 0.5
        total = 0.0
        for j in range(count):
            total += x[i, j]
        out[i] = total


def _from_the_largest(out, x):
    for i in prange(x.shape[0]):
        largest = 0
        for j in range(x.shape[1]):
            largest = max(largest, np.int64(x[i, j] * 9))
        total = 0.0
        for j in range(largest + 1, x.shape[1]):
            total += x[i, j]
        out[i] = total


def _exchanges(out, x):
    for i in prange(x.shape[0]):
        a, b = 0.0, 1.0
        for j in range(x.shape[1]):
            if x[i, j] > 0.5:
                a += x[i, j]
                b -= 1.0
            else:
                a, b = b, a
        out[i] = a + 2 * b


def _forgets_nan(out, x):
    for i in prange(x.shape[0]):
        low = np.inf
        for j in range(x.shape[1]):
            low = min(x[i, j] if j != 50 else np.nan, low)
        out[i] = low


NOT_SHARED = [_stores, _ends_early, _depends_on_order, _product, _triangle, _counted,
              _from_the_largest, _exchanges, _forgets_nan]  # fmt: skip


@pytest.mark.parametrize("function", NOT_SHARED)
def test_other_loops_are_not_shared(device, function):
    x = np.random.default_rng(2).random((70, 130))
    out = np.zeros_like(x) if function in (_stores, _product) else np.zeros(len(x))
    expected = out.copy()
    numba.njit(function)(expected, x)
    (found, _), parfor = _called(device, numba.njit(parallel=True)(function), out, x)
    assert parfor.team is None
    np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_a_minimum_of_numbers_and_nan(device):
    def least(out, x):
        for i in prange(x.shape[0]):
            low = x[i, 0]
            for j in range(1, x.shape[1]):
                low = min(low, x[i, j])
            out[i] = low

    x = np.random.default_rng(4).random((3, 100))
    x[0, 7] = x[1, 0] = np.nan
    expected = np.zeros(3)
    numba.njit(least)(expected, x)
    (found, _), parfor = _called(device, numba.njit(parallel=True)(least), np.zeros(3), x)
    assert parfor.team is not None
    np.testing.assert_array_equal(found, expected)


def test_overlapping_arrays(device):
    """The array that is written is the one that is read."""
    x = np.random.default_rng(3).random((3, 100))
    memory = ht.asarray(x, device=device)
    expected = x.copy()
    numba.njit(_norms)(expected[:, 0].copy(), expected)
    own = expected[:, 0] + np.sqrt((expected**2).sum(1))
    compiled = numba.njit(parallel=True)(_norms)
    with ht.device_context(device):
        compiled(memory[:, 0], memory)
    np.testing.assert_allclose(ht.asnumpy(memory)[:, 0], own)
