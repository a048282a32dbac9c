"""The dtype= of means, variances and standard deviations, compared with NumPy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp

VALUES = np.array([[1, 4, 9], [-3, 7, 2]])
DTYPES = ["int8", "uint8", "int32", "int64", "float16", "float32", "float64", "complex64"]
DTYPES += ["complex128"]


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("function", ["mean", "var", "std", "nanmean", "nanvar", "nanstd"])
def test_the_result_has_the_dtype_that_is_given(queue, function):
    """NumPy cannot store roots in arrays of integers. hither rounds them, as NumPy's scalars."""
    for given, dtype in itertools.product(["bool", "int16", "uint8", "float32"], DTYPES):
        inexact = np.dtype(dtype).kind in "fc"
        if given == "float32" and not inexact and function[:3] == "nan":
            continue
        x = np.abs(VALUES).astype(given) if given[0] in "bu" else VALUES.astype(given)
        own = ht.asarray(x, queue=queue)
        for axis in [None, 0, 1] if inexact or function[-3:] != "std" else [None]:
            with np.errstate(all="ignore"):
                right = getattr(np, function)(x, axis, dtype)
            result = getattr(hnp, function)(own, axis, dtype)
            assert result.dtype == right.dtype
            tolerance = 4e-3 if dtype == "float16" else 1e-5
            np.testing.assert_allclose(ht.asnumpy(result), right, rtol=tolerance)


@pytest.mark.parametrize("function", ["var", "std", "nanvar", "nanstd"])
def test_complex_elements(queue, function):
    x = np.array([1 + 2j, 3 - 1j, -2 + 0.5j], "complex64")
    own = ht.asarray(x, queue=queue)
    for dtype in (None, "complex64", "complex128"):
        right = getattr(np, function)(x, dtype=dtype, ddof=1)
        result = getattr(hnp, function)(own, dtype=dtype, ddof=1)
        assert result.dtype == right.dtype
        np.testing.assert_allclose(ht.asnumpy(result), right, rtol=1e-6)


@pytest.mark.parametrize("function", ["var", "mean"])
def test_integers_with_a_mask(queue, function):
    mask = VALUES > 1
    own, known = (ht.asarray(v, queue=queue) for v in (VALUES, mask))
    for dtype in ("int32", "complex64"):
        right = getattr(np, function)(VALUES, 1, dtype, where=mask)
        result = getattr(hnp, function)(own, 1, dtype, where=known)
        assert result.dtype == right.dtype
        np.testing.assert_allclose(ht.asnumpy(result), right, rtol=1e-6)


@pytest.mark.parametrize("function", ["nanmean", "nanvar", "nanstd"])
def test_integers_cannot_hold_statistics_without_nan(queue, function):
    x = np.array([1, np.nan])
    for xp, given in ((np, x), (hnp, ht.asarray(x, queue=queue))):
        with pytest.raises(TypeError):
            getattr(xp, function)(given, dtype="int64")


@pytest.mark.parametrize("dtype", ["int32", "bool", "uint8", "float32"])
@pytest.mark.parametrize("function", ["median", "nanmedian", "mean"])
def test_outputs_of_other_dtypes(queue, function, dtype):
    for x in (np.abs(VALUES), np.abs(VALUES) + 0.5):
        out, right = hnp.zeros(3, dtype, queue=queue), np.zeros(3, dtype)
        assert getattr(hnp, function)(ht.asarray(x, queue=queue), axis=0, out=out) is out
        getattr(np, function)(x, axis=0, out=right)
        np.testing.assert_array_equal(ht.asnumpy(out), right)


@pytest.mark.parametrize("function", ["mean", "var", "std"])
def test_methods_take_the_dtypes_of_functions(queue, function):
    for given, dtype in itertools.product(["bool", "int32", "float64"], DTYPES):
        x = np.abs(VALUES).astype(given)
        own = ht.asarray(x, queue=queue)
        for arguments, keywords in (((), {"dtype": dtype}), ((None, dtype), {})):
            right = getattr(x, function)(*arguments, **keywords)
            result = getattr(own, function)(*arguments, **keywords)
            assert result.dtype == right.dtype
            tolerance = 4e-3 if dtype == "float16" else 1e-5
            np.testing.assert_allclose(ht.asnumpy(result), right, rtol=tolerance)
