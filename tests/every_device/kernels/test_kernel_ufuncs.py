"""NumPy's functions in kernels have the bits of those of arrays, where Numba's have not."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numba import prange

import hither as ht

ENDS = [0.0, -0.0, 1.0, -1.0, 6.0, -3.0, 5.5, -0.1, 1e30, -7e-20, np.inf, -np.inf, np.nan]


def bits(x):
    """The bits, with one pattern for all NaNs."""
    return np.where(np.isnan(x), np.nan, x).tobytes()


def pairs(dtype):
    random = np.random.default_rng(5)
    x, y = (a.ravel() for a in np.meshgrid(ENDS, ENDS))
    more = [random.standard_normal(500) * 30.0**k for k in (1, 0)]
    return [np.concatenate(both).astype(dtype) for both in zip((x, y), more, strict=True)]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_cube_root_is_no_power(queue, dtype):
    @ht.kernel
    def roots(x, out):
        i = ht.get_global_id(0)
        out[i] = np.cbrt(x[i])

    x = ht.asarray(pairs(dtype)[0], queue=queue)
    out = ht.empty_like(x)
    roots(x, out)
    assert bits(ht.asnumpy(out)) == bits(ht.asnumpy(ht.cbrt(x)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_remainders_and_quotients(queue, dtype):
    """Those of finite numbers are also NumPy's."""

    @ht.kernel
    def kernel(x, y, quotients, remainders):
        i = ht.get_global_id(0)
        quotients[i] = np.floor_divide(x[i], y[i])
        remainders[i] = np.remainder(x[i], y[i])

    hosts = pairs(dtype)
    x, y = (ht.asarray(h, queue=queue) for h in hosts)
    results = [ht.empty_like(x) for _ in range(2)]
    kernel(x, y, *results)
    found = [ht.asnumpy(r) for r in results]
    finite = np.isfinite(hosts[0]) & np.isfinite(hosts[1])
    for result, name in zip(found, ("floor_divide", "remainder"), strict=True):
        assert bits(result) == bits(ht.asnumpy(getattr(ht, name)(x, y)))
        right = getattr(np, name)(*hosts)
        assert bits(result[finite]) == bits(right[finite])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_loops_of_numba_agree_with_arrays(device):
    @numba.njit
    def loop(x, y, roots, quotients, remainders):
        for i in prange(x.size):
            roots[i] = np.cbrt(x[i])
            quotients[i], remainders[i] = np.divmod(x[i], y[i])

    hosts = pairs(np.float64)
    results = [np.empty_like(hosts[0]) for _ in range(3)]
    with ht.device_context(device.filter_string):
        loop(*hosts, *results)
    x, y = (ht.asarray(h, device=device) for h in hosts)
    right = [ht.cbrt(x), ht.floor_divide(x, y), ht.remainder(x, y)]
    assert [bits(r) for r in results] == [bits(ht.asnumpy(r)) for r in right]


def test_integers_are_divided_as_before(queue):
    @ht.kernel
    def kernel(x, y, out):
        i = ht.get_global_id(0)
        out[i, 0] = np.floor_divide(x[i], y[i])
        out[i, 1] = np.remainder(x[i], y[i])

    x, y = np.array([7, -7, 7, -7, 6]), np.array([2, 2, -2, -2, 3])
    out = ht.zeros((5, 2), dtype=np.int64, queue=queue)
    kernel[5](ht.asarray(x, queue=queue), ht.asarray(y, queue=queue), out)
    assert np.array_equal(ht.asnumpy(out), np.stack([x // y, x % y], axis=1))
