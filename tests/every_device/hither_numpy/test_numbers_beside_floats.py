"""Functions of two arguments of which one is a Python number, compared with NumPy.

The number takes the dtype of the array before anything is computed.
"""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp

NAMES = "fmod remainder floor_divide divmod logaddexp logaddexp2 hypot copysign nextafter heaviside"
NAMES += " fmin fmax minimum maximum arctan2 float_power power add subtract divide multiply less"


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize("name", NAMES.split())
def test_numbers_take_the_dtype_of_the_array(queue, name, dtype):
    x = (np.random.default_rng(1).random(300) * 20 - 8).astype(dtype)
    own = ht.asarray(x, queue=queue)
    for number in (0.3, 1.7, -2.1, 3, 1e-3):
        for order in (slice(None), slice(None, None, -1)):
            with np.errstate(all="ignore"):
                right = getattr(np, name)(*(x, number)[order])
            result = getattr(hnp, name)(*(own, number)[order])
            pairs = zip(result, right, strict=True) if name == "divmod" else [(result, right)]
            for found, wanted in pairs:
                assert found.dtype == wanted.dtype
                few = 4 * float(np.finfo(dtype).eps)
                cancels = name == "logaddexp2" and dtype == "float32"
                np.testing.assert_allclose(
                    ht.asnumpy(found), wanted, rtol=few, atol=few / 4 if cancels else 0
                )


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_spacing_at_the_ends(queue, dtype):
    large, tiny = np.finfo(dtype).max, np.finfo(dtype).smallest_subnormal
    x = np.array([large, -large, 1, -1, 3, -3, 0, -0.0, tiny, -tiny, np.inf, -np.inf, np.nan])
    x = x.astype(dtype)
    with np.errstate(all="ignore"):
        right = np.spacing(x)
    np.testing.assert_array_equal(ht.asnumpy(hnp.spacing(ht.asarray(x, queue=queue))), right)


@pytest.mark.parametrize("name", NAMES.replace("float_power", "").split())
def test_numbers_take_the_dtype_bfloat16(queue, name):
    """The functions follow the operators and the functions of hither."""
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16
    x = (np.random.default_rng(1).random(300) * 20 - 8).astype(bfloat16)
    own = ht.asarray(x, queue=queue)
    for number in (0.3, -2.0, 3):
        for order in (slice(None), slice(None, None, -1)):
            results = getattr(hnp, name)(*(own, number)[order])
            with np.errstate(all="ignore"):
                rights = getattr(np, name)(*(x, np.asarray(number, x.dtype))[order])
            if name != "divmod":
                results, rights = [results], [rights]
            for result, right in zip(results, rights, strict=True):
                assert result.dtype == right.dtype
                found, wanted = ht.asnumpy(result).astype("d"), right.astype("d")
                np.testing.assert_allclose(found, wanted, rtol=2**-7, atol=2**-7)


def test_numbers_beside_bfloat16_in_other_functions(queue):
    x = ht.asarray(np.array([-1, 0.25, 2]), queue=queue).astype("bfloat16")
    results = [
        hnp.clip(x, 0.0, 1.0), hnp.clip(x, None, 1.0), x.clip(-0.5, 0.5),
        hnp.where(x > 0, x, 0.5), hnp.where(x > 0, 1, x), hnp.select([x > 0], [x], 0.5),
        hnp.choose([0, 1, 0], [x, 0.5]), hnp.add.outer(x, 0.5), np.add(x, 0.5),
    ]  # fmt: skip
    assert {result.dtype.name for result in results} == {"bfloat16"}
    assert results[3].tolist() == [0.5, 0.25, 2]
    assert hnp.result_type(x, 0.5) == x.dtype
    assert hnp.result_type(x, 1j) == hnp.add(x, 1j).dtype == np.complex64
    assert hnp.add(x, np.float32(0.5)).dtype == hnp.result_type(x, np.float32) == np.float32


def test_bessel_function_of_large_numbers(queue):
    x = np.array([0, -1, 29.9, 30.1, -705, 720, 1.7e308, np.inf, -np.inf, np.nan])
    with np.errstate(all="ignore"):
        right = np.i0(x)
    np.testing.assert_allclose(ht.asnumpy(hnp.i0(ht.asarray(x, queue=queue))), right, rtol=1e-14)
