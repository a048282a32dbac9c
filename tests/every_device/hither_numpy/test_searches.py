"""Searches and interpolation compared with NumPy's, where elements are equal, infinite or NaN."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp

SPECIAL = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, -3.5, 1e308, -1e308, 5e-324, -5e-324])


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "c16", "i1", "u1", "i8", "u8", "?"])
def test_searchsorted(device: ht.Device, dtype: str, side: str) -> None:
    random = np.random.default_rng(3)
    for length in [1, 2, 3, 4, 5, 7, 8, 9, 31, 1000]:
        with np.errstate(all="ignore"):
            pool = SPECIAL if dtype in ("f8", "f4", "f2", "c16") else np.arange(2)
            numbers = np.concatenate([pool, random.integers(0, 100, 30)]).astype(dtype)
            if dtype == "c16":
                numbers = numbers + 1j * random.permutation(numbers.real)
        ordered = np.sort(random.choice(numbers, length))
        wanted = np.concatenate([numbers, ordered])
        found = hnp.searchsorted(
            hnp.asarray(ordered, device=device), hnp.asarray(wanted, device=device), side
        )
        np.testing.assert_array_equal(ht.asnumpy(found), np.searchsorted(ordered, wanted, side))


@pytest.mark.parametrize("ends", [{}, {"left": -7.5}, {"right": np.inf}, {"left": 0, "right": 1}])
def test_interpolation(device: ht.Device, ends: dict[str, float]) -> None:
    random = np.random.default_rng(4)
    for _ in range(40):
        count = random.integers(1, 9)
        numbers = np.concatenate([SPECIAL, random.normal(size=8)])
        xp = np.sort(random.choice(numbers[~np.isnan(numbers)], count))
        fp = random.choice(numbers, count)
        x = np.concatenate([random.choice(numbers, random.integers(0, 30)), xp])
        given = [hnp.asarray(v, device=device) for v in (x, xp, fp)]
        with np.errstate(all="ignore"):
            expected = np.interp(x, xp, fp, **ends)
        np.testing.assert_array_equal(ht.asnumpy(hnp.interp(*given, **ends)), expected)
    large = random.random(100_003)
    points = np.linspace(0, 1, 77)
    given = [hnp.asarray(v, device=device) for v in (large, points, points**2)]
    np.testing.assert_array_equal(
        ht.asnumpy(hnp.interp(*given)), np.interp(large, points, points**2)
    )


@pytest.mark.parametrize("dtype", ["int64", "uint8", "float64"])
def test_test_elements_beyond_64_bits(queue, dtype):
    elements = np.array([1, 2, 10**20 if dtype == "float64" else 3], dtype)
    x = ht.asarray(elements, queue=queue)
    for tests in ([10**20, 2], [-(10**30)], 10**20, (10**400, 1)):
        right = np.isin(elements, tests)
        np.testing.assert_array_equal(ht.asnumpy(hnp.isin(x, tests)), right)
