"""Calls of a function of hither.scipy and of SciPy's function of the same name, compared."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, settings

import hither as ht
from property_tests import examples

SETTINGS = settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
RTOL = {"e": 2e-3, "f": 1e-5, "F": 1e-5, "d": 1e-11, "D": 1e-11}


def elements(dtype, shape, seed):
    """Numbers of a dtype, negative ones too where it has them."""
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "b":
        return rng.random(shape) > 0.5
    values = rng.random(shape) * 40 - (0 if np.dtype(dtype).kind == "u" else 20)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.random(shape)
    return values.astype(dtype)


def outcome(function, *arguments, **options):
    """The result, or the error that the call raises."""
    try:
        return function(*arguments, **options)
    except (ValueError, TypeError, RuntimeError) as error:
        return error


def same(result, right, rtol=None):
    """Results have the same shapes, dtypes and values; refused calls raise the same class."""
    if isinstance(right, Exception):
        assert isinstance(result, type(right)), (result, right)
        return
    if isinstance(result, Exception):
        raise result
    if isinstance(right, (tuple, list)):
        for a, b in zip(result, right, strict=True):
            same(a, b, rtol)
        return
    right = np.asarray(right)
    host = ht.asnumpy(result) if isinstance(result, ht.Array) else np.asarray(result)
    assert (host.dtype, host.shape) == (right.dtype, right.shape)
    limit = RTOL.get(right.dtype.char, 0) if rtol is None else rtol
    scale = float(np.abs(right).max(initial=0)) if right.dtype.kind in "fc" else 0.0
    np.testing.assert_allclose(host, right, rtol=limit, atol=limit * scale)
