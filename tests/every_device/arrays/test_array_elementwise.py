"""Every row of the op table against NumPy, for every dtype and layout."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hither as ht
from hither import _hither
from property_tests import examples

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "float32", "float64", "complex64", "complex128"]  # fmt: skip
SHAPES = [(), (1,), (7,), (64,), (3, 5), (2, 3, 4), (0,), (4, 0, 2), (5, 1), (1, 6)]
# What NumPy has under another name, or only for scalars.


def floor_divide(x1, x2):
    """NumPy's, but the Array API standard's quotients of infinities."""
    result = np.floor_divide(x1, x2)
    if result.dtype.kind != "f":
        return result
    infinite = np.isinf(x1) | np.isinf(x2)
    return np.where(infinite, np.divide(x1, x2), result).astype(result.dtype)


REFERENCES = {
    "floor_divide": floor_divide,
    "erf": np.vectorize(math.erf, otypes=["d"]),
    "erfc": np.vectorize(math.erfc, otypes=["d"]),
    "reciprocal": lambda x: 1 / x,
    "cube": lambda x: np.square(x) * x,
    "rsqrt": lambda x: 1 / np.sqrt(x),
}
TOLERANCES = {"e": 4e-3, "f": 4e-6, "d": 1e-13, "F": 1e-5, "D": 1e-12}

profile = settings(deadline=None, max_examples=examples(25))


def reference_of(name):
    return REFERENCES.get(name) or getattr(np, name)


def values(dtype, shape, seed):
    """Numbers that tell functions apart: around zero, negative, large, and special ones."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return random.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        small = random.integers(-9 if dtype.kind == "i" else 0, 10, shape)
        wide = random.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
        return np.where(random.random(shape) < 0.8, small.astype(dtype), wide)
    if dtype.kind == "c":
        return (random.normal(size=shape) + 1j * random.normal(size=shape)).astype(dtype)
    result = np.asarray(random.normal(scale=3, size=shape)).astype(dtype)
    special = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 0.5, 2.5, -2.5], dtype)
    return np.where(random.random(shape) < 0.2, random.choice(special, shape), result)


def unchanged(x):
    return x


def views(ndim):
    """Views of an array of this rank, for hither's arrays and NumPy's."""
    yield unchanged
    if ndim:
        yield lambda x: x[::-1]
        yield lambda x: x[..., ::2]
        yield lambda x: x[1:]
    if ndim > 1:
        yield lambda x: x.T
        yield lambda x: x[::-1, ::-1].T


@st.composite
def operands(draw, arity, first_bool=False):
    """NumPy arrays that broadcast together, and a view to take of each."""
    shape = draw(st.sampled_from(SHAPES))
    dtype = draw(st.sampled_from(DTYPES))
    shared = draw(st.sampled_from(list(views(len(shape)))))  # one view for all: shapes stay equal
    found = []
    for i in range(arity):
        own = dtype if draw(st.booleans()) else draw(st.sampled_from(DTYPES))
        if first_bool and i == 0:
            own = "bool"
        base = values(own, shape, draw(st.integers(0, 1000)))
        if i and draw(st.integers(0, 3)) == 0:  # of one element, which broadcasts
            found.append((values(own, (), draw(st.integers(0, 1000))), unchanged))
        else:
            found.append((base, shared))
    return found


def close(result, expected):
    """Equal for exact dtypes, else to a few units in the last place of the computing dtype."""
    assert result.shape == expected.shape
    assert result.dtype == expected.dtype
    tolerance = TOLERANCES.get(expected.dtype.char)
    if tolerance is None:
        np.testing.assert_array_equal(result, expected)
    else:
        np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance)


def expect(reference, arguments):
    with np.errstate(all="ignore"):
        return np.asarray(reference(*arguments))


# Functions that take complex numbers in NumPy and not here.
REAL_ONLY = {"maximum", "minimum", "exp2", "rsqrt"}
# NumPy looks for a loop that takes both dtypes (int8 and uint8 give float16); hither promotes
# first, as it does everywhere else (int16, which gives float32).
PROMOTED = {"atan2", "copysign", "hypot", "logaddexp", "nextafter"}


def check(name, reference, pairs):
    function = getattr(ht, name)
    host_arrays = [np.asarray(view(base)) for base, view in pairs]
    arrays = [view(ht.asarray(base)) for base, view in pairs]
    if name in PROMOTED:
        host_arrays = [x.astype(np.result_type(*host_arrays)) for x in host_arrays]
    try:
        if name in REAL_ONLY and any(x.dtype.kind == "c" for x in host_arrays):
            raise TypeError(name)
        expected = expect(reference, host_arrays)
    except TypeError:
        with pytest.raises(TypeError):
            function(*arrays)
        return
    close(ht.asnumpy(function(*arrays)), expected)


UNARY = [n for n in _hither.elementwise_functions if "x1" not in getattr(ht, n).__text_signature__]
BINARY = [n for n in _hither.elementwise_functions if n not in UNARY and n != "where"]
SPECIAL = {"erf", "erfc", "reciprocal", "conj", "round", "real", "imag"}
INTEGER_ONLY_SHIFTS = {"bitwise_left_shift", "bitwise_right_shift"}


@pytest.mark.parametrize("name", [n for n in UNARY if n not in SPECIAL])
@profile
@given(data=st.data())
def test_unary_functions_agree_with_numpy(name, data):
    check(name, reference_of(name), data.draw(operands(1)))


@pytest.mark.parametrize("name", [n for n in BINARY if n not in INTEGER_ONLY_SHIFTS | {"power"}])
@profile
@given(data=st.data())
def test_binary_functions_agree_with_numpy(name, data):
    check(name, reference_of(name), data.draw(operands(2)))


@profile
@given(data=st.data())
def test_where_agrees_with_numpy(data):
    check("where", np.where, data.draw(operands(3, first_bool=True)))


@pytest.mark.parametrize("name", sorted(INTEGER_ONLY_SHIFTS))
@pytest.mark.parametrize("dtype", [d for d in DTYPES if "int" in d])
def test_shifts_agree_with_numpy_beyond_the_width_too(name, dtype):
    x = values(dtype, (40,), 1)
    counts = (np.arange(40) * 2).astype(dtype)
    close(
        ht.asnumpy(getattr(ht, name)(ht.asarray(x), ht.asarray(counts))),
        getattr(np, name)(x, counts),
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_power_agrees_with_numpy(dtype):
    if dtype == "bool":
        x, exponent = np.array([True, False]), np.array([True, True])
    elif np.dtype(dtype).kind in "iu":
        x, exponent = values(dtype, (40,), 2), (np.arange(40) % 7).astype(dtype)
    else:
        x = np.abs(values(dtype, (40,), 2)).astype(dtype)
        exponent = np.linspace(-2, 2, 40).astype(dtype)
    close(ht.asnumpy(ht.asarray(x) ** ht.asarray(exponent)), expect(np.power, (x, exponent)))


@pytest.mark.parametrize("dtype", DTYPES[1:])
@pytest.mark.parametrize("name", ["conj", "real", "imag"])
def test_parts_of_complex_numbers_agree_with_numpy(name, dtype):
    x = values(dtype, (3, 8), 3)
    close(
        ht.asnumpy(getattr(ht, name)(ht.asarray(x)[:, ::-1])),
        np.asarray(getattr(np, name)(x[:, ::-1])),
    )


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d != "bool"])
def test_round_goes_to_even(dtype):
    x = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 3.2, -3.7]).astype(dtype) if "uint" not in dtype else (
        np.arange(7).astype(dtype)
    )  # fmt: skip
    close(ht.asnumpy(ht.round(ht.asarray(x))), np.round(x))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["erf", "erfc"])
def test_error_functions_agree_with_the_c_library(name, dtype):
    x = np.linspace(-5, 5, 101).astype(dtype)
    expected = reference_of(name)(x.astype(float)).astype(dtype)
    close(ht.asnumpy(getattr(ht, name)(ht.asarray(x))), expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_reciprocal_is_one_over_x(dtype):
    x = np.array([1, 2, 4, 5, 1]).astype(dtype)
    got = ht.asnumpy(ht.reciprocal(ht.asarray(x)))
    if got.dtype.kind == "f" and np.dtype(dtype).kind in "iub":
        np.testing.assert_allclose(got, 1 / x.astype(float), rtol=2e-3)
    else:
        close(got, (1 / x).astype(dtype))


@pytest.mark.parametrize("bounds", [(-1, 1), (None, 1), (0, None), (None, None)])
@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "float64"])
def test_clip_agrees_with_numpy(dtype, bounds):
    x = values(dtype, (4, 9), 5)
    expected = x.copy() if bounds == (None, None) else np.clip(x, *bounds)
    close(ht.asnumpy(ht.clip(ht.asarray(x), *bounds)), expected)


def test_clip_takes_arrays():
    x = np.arange(12.0).reshape(3, 4)
    low, high = np.array([[1.0], [5.0], [9.0]]), np.full(4, 10.0)
    got = ht.clip(ht.asarray(x), ht.asarray(low), ht.asarray(high))
    close(ht.asnumpy(got), np.clip(x, low, high))


@pytest.mark.parametrize("source", DTYPES)
@pytest.mark.parametrize("target", DTYPES)
def test_astype_agrees_with_numpy(source, target):
    x = np.array([0, 1, 2, 3, 100, 7]).astype(source)
    if np.dtype(source).kind in "fc":
        x = x + np.array(0.75).astype(source)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
        expected = x.astype(target)
    if np.dtype(source).kind == "c" and np.dtype(target).kind not in "cb":
        got = ht.astype(ht.real(ht.asarray(x)), target)  # the standard leaves complex to real open
    else:
        got = ht.astype(ht.asarray(x), target)
    close(ht.asnumpy(got), expected)


def test_a_long_chain_agrees_with_numpy():
    n = np.linspace(0.1, 3, 1000)
    x = ht.asarray(n)
    for step in range(200):
        x = ht.sqrt(x * x + step) - 0.5
        n = np.sqrt(n * n + step) - 0.5
    np.testing.assert_allclose(ht.asnumpy(x), n, rtol=1e-12)


def test_numbers_alone_take_an_explicit_queue(queue):
    for result, expected in [
        (ht.add(1, 2, queue=queue), np.add(1, 2)),
        (ht.sin(1.0, queue=queue), np.sin(1.0)),
        (ht.multiply(2, 1.5, queue=queue), np.multiply(2, 1.5)),
        (ht.add(2, np.float32(1), queue=queue), np.add(2, np.float32(1))),
        (ht.where(True, 1, 2.5, queue=queue), np.where(True, 1, 2.5)),
        (ht.logical_not(False, queue=queue), np.logical_not(False)),
    ]:
        assert result.queue == queue
        assert result.shape == ()
        assert result.dtype == expected.dtype
        np.testing.assert_allclose(ht.asnumpy(result), expected, rtol=1e-14)
    with pytest.raises(ht.PlacementError, match="no argument is an array"):
        ht.add(1, 2)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_numbers_are_compared_as_numpy_does(queue, dtype):
    parts = [0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan]
    n = np.array([complex(a, b) for a in parts for b in parts], dtype)
    x = ht.asarray(n, queue=queue)
    for name in ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal"):
        compare, numpys = getattr(ht, name), getattr(np, name)
        assert np.array_equal(ht.asnumpy(compare(x[:, None], x)), numpys(n[:, None], n))
        assert np.array_equal(ht.asnumpy(compare(x, 1.0)), numpys(n, 1.0))
    assert np.array_equal(ht.asnumpy(x[3:][::-2] < x[:-3][::-2]), n[3:][::-2] < n[:-3][::-2])
    real = ht.real(x)
    with np.errstate(invalid="ignore"):
        assert np.array_equal(ht.asnumpy(real >= x), n.real >= n)


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
)
@pytest.mark.parametrize("n", [1, 8, 65, 1000])
def test_fused_complements_agree_with_numpy(queue, dtype, n):
    # LLVM computes the last graph with a complement too.
    random = np.random.default_rng(n)
    host = [random.integers(0, 50, n).astype(dtype) for _ in range(3)]
    graphs = {
        "sum": lambda m, x, y, z: m.maximum(y, z) + ~x,
        "difference": lambda m, x, y, z: ~x - m.minimum(y, z),
        "product": lambda m, x, y, z: m.maximum(y, z) * ~x,
        "bits": lambda m, x, y, z: m.maximum(y, z) | ~x ^ z,
        "outer": lambda m, x, y, z: ~m.maximum(y, z) + x,
        "inner": lambda m, x, y, z: m.maximum(~x, z) + y,
        "choice": lambda m, x, y, z: m.where(y > z, ~x, z) + ~y,
        "none": lambda m, x, y, z: (m.maximum(x * x, y) - x) * x - x,
    }
    for name, graph in graphs.items():
        found = graph(ht, *(ht.asarray(h, queue=queue) for h in host))
        np.testing.assert_array_equal(ht.asnumpy(found), graph(np, *host), name)
