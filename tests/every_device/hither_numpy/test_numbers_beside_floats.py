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
