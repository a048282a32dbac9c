"""hither.numpy compared with NumPy over dtypes, shapes, axes, memory layouts and empty arrays."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp_strategies

import hither as ht
import hither.numpy as hnp
from property_tests import examples

DTYPES = ["?", "b", "i", "l", "B", "L", "f", "d", "D"]
RTOL = {"f": 3e-4, "d": 1e-9, "F": 3e-4, "D": 1e-9, "e": 2e-2}
ERRORS = (TypeError, ValueError, IndexError, ZeroDivisionError)
SETTINGS = settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@st.composite
def arrays(draw, least=1, most=3):
    """A NumPy array of small numbers, contiguous, transposed, reversed or with steps."""
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    shape = draw(hnp_strategies.array_shapes(min_dims=least, max_dims=most, min_side=0, max_side=5))
    size = int(np.prod(shape))
    seed = draw(st.integers(0, 1000))
    values = np.random.default_rng(seed).integers(0, 7, size).reshape(shape)
    x = values.astype(dtype)
    if dtype.kind in "fc":
        x = x - np.asarray(2.5, dtype)
    way = draw(st.sampled_from(["plain", "transposed", "reversed", "steps"]))
    return {"plain": x, "transposed": x.T, "reversed": np.flip(x), "steps": x}[way], way


def moved(x, way, queue):
    """The array on the device, with the same layout."""
    if way == "transposed":
        return ht.asarray(x.T.copy(), queue=queue).T
    if way == "reversed":
        return hnp.flip(ht.asarray(np.flip(x).copy(), queue=queue))
    if way == "steps" and x.ndim:
        return ht.asarray(np.repeat(x, 2, axis=-1), queue=queue)[..., ::2]
    return ht.asarray(x, queue=queue)


def compare(call, numpys, own):
    """The same result, or an error in both."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            right = call(np, *numpys)
        except ERRORS:
            with pytest.raises(ERRORS):
                call(hnp, *own)
            return
        result = call(hnp, *own)
    rights = right if isinstance(right, (tuple, list)) else (right,)
    results = result if isinstance(result, (tuple, list)) else (result,)
    assert len(rights) == len(results)
    for one, other in zip(results, rights, strict=True):
        assert one.dtype == other.dtype and one.shape == other.shape
        rtol = RTOL.get(other.dtype.char, 0)
        np.testing.assert_allclose(ht.asnumpy(one), other, rtol=rtol, atol=rtol * 10)


REDUCTIONS = [
    "sum", "prod", "max", "min", "mean", "var", "std", "any", "all", "argmax", "argmin", "ptp",
    "nansum", "nanmax", "nanmean", "nanvar", "count_nonzero", "median", "cumsum", "cumprod",
]  # fmt: skip


@pytest.mark.parametrize("name", REDUCTIONS)
@SETTINGS
@given(array=arrays(least=0), axis=st.sampled_from([None, 0, -1, 1]))
def test_reductions(queue, name, array, axis):
    x, way = array
    compare(lambda xp, v: getattr(xp, name)(v, axis=axis), (x,), (moved(x, way, queue),))


@SETTINGS
@given(array=arrays(), axis=st.sampled_from([None, 0, -1]), keepdims=st.booleans(),
       name=st.sampled_from(["sum", "prod", "mean", "max", "any"]))  # fmt: skip
def test_reductions_of_chosen_elements(queue, array, axis, keepdims, name):
    x, way = array
    mask = np.random.default_rng(3).random(x.shape) > 0.4
    options = {"initial": 2} if name in ("sum", "prod", "max") else {}

    def call(xp, v, m):
        return getattr(xp, name)(v, axis=axis, keepdims=keepdims, where=m, **options)

    compare(call, (x, mask), (moved(x, way, queue), ht.asarray(mask, queue=queue)))


SHAPES = {
    "flip": lambda xp, v: xp.flip(v), "rot90": lambda xp, v: xp.rot90(v, 3),
    "roll": lambda xp, v: xp.roll(v, 2), "ravel": lambda xp, v: xp.ravel(v, "F"),
    "transpose": lambda xp, v: xp.transpose(v), "repeat": lambda xp, v: xp.repeat(v, 2, -1),
    "tile": lambda xp, v: xp.tile(v, (2, 1)), "split": lambda xp, v: xp.array_split(v, 3),
    "pad": lambda xp, v: xp.pad(v, 2), "pad edge": lambda xp, v: xp.pad(v, (1, 2), "edge"),
    "pad reflect": lambda xp, v: xp.pad(v, 3, "reflect"),
    "pad wrap": lambda xp, v: xp.pad(v, (4, 1), "wrap"),
    "pad odd": lambda xp, v: xp.pad(v, 4, "symmetric", reflect_type="odd"),
    "pad mean": lambda xp, v: xp.pad(v, 2, "maximum", stat_length=2),
    "resize": lambda xp, v: xp.resize(v, (3, 4)), "diff": lambda xp, v: xp.diff(v, 2),
    "delete": lambda xp, v: xp.delete(v, [0], 0), "insert": lambda xp, v: xp.insert(v, 0, 3),
    "insert several": lambda xp, v: xp.insert(v, [0, 0], [1, 2]),
    "append": lambda xp, v: xp.append(v, v), "hstack": lambda xp, v: xp.hstack([v, v]),
    "vstack": lambda xp, v: xp.vstack([v, v]), "dstack": lambda xp, v: xp.dstack([v, v]),
    "column_stack": lambda xp, v: xp.column_stack([v, v]), "kron": lambda xp, v: xp.kron(v, v),
    "outer": lambda xp, v: xp.outer(v, v), "inner": lambda xp, v: xp.inner(v, v),
    "dot": lambda xp, v: xp.dot(v, v.T), "diag": lambda xp, v: xp.diag(v, 1),
    "tril": lambda xp, v: xp.tril(v), "trim_zeros": lambda xp, v: xp.trim_zeros(v),
    "nonzero": lambda xp, v: xp.nonzero(v), "argwhere": lambda xp, v: xp.argwhere(v),
    "squeeze": lambda xp, v: xp.squeeze(v), "einsum": lambda xp, v: xp.einsum("ij,kj->ki", v, v),
    "einsum diagonal": lambda xp, v: xp.einsum("ii->i", xp.outer(v, v)),
    "trace": lambda xp, v: xp.trace(v),
    "einsum all": lambda xp, v: xp.einsum("...i,...i->...", v, v),
    "gradient": lambda xp, v: xp.gradient(v), "sort": lambda xp, v: xp.sort(v),
    "unique": lambda xp, v: xp.unique(v, return_counts=True, return_inverse=True),
    "isin": lambda xp, v: xp.isin(v, [1, 3]), "union": lambda xp, v: xp.union1d(v, v[..., :1]),
    "digitize": lambda xp, v: xp.digitize(v, [1, 3]), "clip": lambda xp, v: xp.clip(v, 1, 3),
    "take": lambda xp, v: xp.take(v, [0, 7, -1], mode="wrap"),
    "percentile": lambda xp, v: xp.percentile(v, [10, 50, 90], axis=0),
    "quantile": lambda xp, v: xp.quantile(v, 0.3, method="hazen"),
    "trapezoid": lambda xp, v: xp.trapezoid(v), "packbits": lambda xp, v: xp.packbits(v, -1),
    "nan_to_num": lambda xp, v: xp.nan_to_num(v), "isclose": lambda xp, v: xp.isclose(v, v + 1),
    "choose": lambda xp, v: xp.choose(v % 2, [v, v + 1]), "round": lambda xp, v: xp.round(v, 1),
    "histogram": lambda xp, v: xp.histogram(v, [0, 1, 3, 6])[0],
    "convolve": lambda xp, v: xp.convolve(v, v, "same"), "cov": lambda xp, v: xp.cov(v),
    "select": lambda xp, v: xp.select([v > 3, v > 1], [v, v + v], 9),
}  # fmt: skip


@pytest.mark.parametrize("name", SHAPES)
@SETTINGS
@given(array=arrays())
def test_functions_of_one_array(queue, name, array):
    x, way = array
    # Complex numbers have no order in the standard, whose operators hither has.
    assume(x.dtype.kind != "c" or name not in ("choose", "histogram", "select"))
    assume(x.size or name not in ("percentile", "quantile"))
    compare(SHAPES[name], (x,), (moved(x, way, queue),))
