"""exp, log, log1p, erf and pow for difficult arguments: ends of ranges, near 1, subnormal, inf,
nan.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hither as ht
from property_tests import examples

SPECIAL = [
    *(0.0, 5e-324, 1e-310, 2.2250738585072014e-308, 1e-30, 0.0078125, 0.5, 0.998047, 0.99999999),
    *(1.0, 1.0000000001, 1.0039, 1.00391, 1.4, 2.0, 5.92, 5.99, 6.0, 7.0, 88.8, 104.0, 708.0),
    *(708.4, 709.78, 709.79, 745.13, 745.14, 1e5, 1e300, 1.7976931348623157e308),
    *(math.inf, math.nan),
]
MOST_ULPS = 4  # what SPIR-V's devices promise; all others are better


def exact(function, x: float) -> float:
    try:
        return function(x)
    except OverflowError:
        return math.inf
    except ValueError:  # of log and log1p
        return -math.inf if x == (-1 if function is math.log1p else 0) else math.nan


def check(name: str, host: np.ndarray, queue: ht.Queue) -> None:
    with np.errstate(all="ignore"):
        right = np.array([exact(getattr(math, name), float(x)) for x in host]).astype(host.dtype)
    found = ht.asnumpy(getattr(ht, name)(ht.asarray(host, queue=queue)))
    assert np.array_equal(np.isnan(found), np.isnan(right)), name
    finite = np.isfinite(right)
    others = ~finite & ~np.isnan(right)
    assert np.array_equal(found[others], right[others]), name
    ulps = np.abs(found[finite] - right[finite]) / np.spacing(np.abs(right[finite]))
    bad = ulps > MOST_ULPS
    assert not bad.any(), (name, host[finite][bad], ulps[bad])


@pytest.mark.parametrize("name", ["exp", "log", "log1p", "erf"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_special_arguments(queue, name, dtype):
    with np.errstate(all="ignore"):
        host = np.array([sign * x for x in SPECIAL for sign in (1, -1)]).astype(dtype)
    check(name, host, queue)


@pytest.mark.parametrize("name", ["exp", "log", "log1p", "erf"])
def test_signs_of_zero(queue, name):
    zeros = ht.asarray(np.array([0.0, -0.0]), queue=queue)
    found = ht.asnumpy(getattr(ht, name)(zeros))
    right = {"exp": [1, 1], "log": [-np.inf, -np.inf], "erf": [0.0, -0.0],
             "log1p": [0.0, -0.0]}[name]  # fmt: skip
    assert np.array_equal(found, right)
    assert np.array_equal(np.signbit(found), np.signbit(right))


@pytest.mark.parametrize("name", ["tan", "log1p", "asinh", "sin", "expm1", "atanh"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_functions_keep_subnormal_numbers(queue, name, dtype):
    smallest = np.finfo(dtype).smallest_subnormal
    host = np.array([1, -1, 2, -3, 12345, 0, -0.0] * 3).astype(dtype) * smallest
    found = ht.asnumpy(getattr(ht, name)(ht.asarray(host, queue=queue)))
    assert np.array_equal(found, host)
    assert np.array_equal(np.signbit(found), np.signbit(host))


@pytest.mark.parametrize("size", [1, 5, 8, 100])
def test_results_up_to_the_largest_number(queue, size):
    most = np.finfo(np.float64).max
    top = np.resize([709.782712, 709.7827128, 709.782712893384, 709.782712894, np.inf, 1], size)
    check("exp", top, queue)
    root = 1.3407807929942596e154
    bases = np.resize([most, -most, root, -root, 2 * root, 2, most, -np.inf, 0], size)
    exponents = np.resize([1, 1, 2, 2, 2, 1023.9999999, -1, 1, -1], size)
    with np.errstate(all="ignore"):
        expected = np.power(bases, exponents)
    found = ht.pow(ht.asarray(bases, queue=queue), ht.asarray(exponents, queue=queue))
    np.testing.assert_allclose(ht.asnumpy(found), expected, rtol=1e-15)


def test_a_loop_that_carries_exp(queue):
    def grow(x):
        for _ in range(4):
            x = ht.exp(x)
        return x

    host = np.linspace(-1, 1.2, 37)
    with np.errstate(over="ignore"):
        expected = np.exp(np.exp(np.exp(np.exp(host))))
    found = ht.asnumpy(grow(ht.asarray(host, queue=queue)))
    np.testing.assert_allclose(found, expected, rtol=1e-8)


@pytest.mark.parametrize("name, low, high", [
    ("exp", -708, 709), ("exp", -1, 1), ("log", 0.99, 1.01), ("log", 1e-300, 1e300), ("erf", -6, 6),
    ("erf", 0, 0.03), ("log1p", -0.99, 1), ("log1p", -1e-3, 1e-3), ("log1p", 1e10, 1e300),
])  # fmt: skip
def test_dense_arguments(queue, name, low, high):
    host = np.linspace(low, high, 20_011)
    check(name, host, queue)


@settings(max_examples=examples(30), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.floats(allow_subnormal=False), min_size=1, max_size=50))
def test_any_arguments(queue, values):
    for name in ("exp", "log", "log1p", "erf"):
        check(name, np.array(values), queue)


def check_powers(x: np.ndarray, y: np.ndarray, queue: ht.Queue) -> None:
    with np.errstate(all="ignore"):
        right = np.power(x.astype(np.longdouble), y.astype(np.longdouble)).astype(x.dtype)
    found = ht.asnumpy(ht.pow(ht.asarray(x, queue=queue), ht.asarray(y, queue=queue)))
    assert np.array_equal(np.isnan(found), np.isnan(right))
    known = ~np.isnan(right)
    assert np.array_equal(np.signbit(found[known]), np.signbit(right[known]))
    finite = np.isfinite(right) & np.isfinite(found)
    ulps = np.abs(found[finite] - right[finite]) / np.spacing(np.abs(right[finite]))
    # SPIR-V's devices promise sixteen.
    assert (ulps <= 16).all(), (x[finite][ulps > 16], y[finite][ulps > 16])
    # Near the largest number one may already be infinite.
    others = known & ~finite
    largest = np.finfo(x.dtype).max * 0.99999
    assert (np.abs(found[others]) > largest).all()
    assert (np.abs(right[others]) > largest).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_special_powers(queue, dtype):
    tiny = np.finfo(dtype).tiny
    some = [0.0, tiny, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 1e7 + 1, 1e30, math.inf, math.nan]
    x, y = np.meshgrid(*2 * [np.array([s * v for v in some for s in (1, -1)], dtype)])
    check_powers(x.reshape(-1), y.reshape(-1), queue)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("base, exponent", [(100, 15), (1.01, 3000), (1.0001, 100_000), (1e30, 1)])
def test_dense_powers(queue, dtype, base, exponent):
    random = np.random.default_rng(5)
    x = np.exp(random.uniform(-1, 1, 20_011) * math.log(base)).astype(dtype)
    check_powers(x, random.uniform(-exponent, exponent, x.size).astype(dtype), queue)


# Name -> (NumPy's name, ends of the arguments, ends for float32 if they differ).
RANGES = {
    "exp": ("exp", (-708, 709.7), (-87, 88.7)),
    "exp2": ("exp2", (-1022, 1023.9), (-126, 127.9)),
    "expm1": ("expm1", (-40, 709.7), (-40, 88.7)),
    "log": ("log", (1e-300, 1e300), (1e-37, 1e38)),
    "log2": ("log2", (1e-300, 1e300), (1e-37, 1e38)),
    "log10": ("log10", (1e-300, 1e300), (1e-37, 1e38)),
    "log1p": ("log1p", (-0.999, 1.7e308), (-0.999, 3.4e38)),
    "sin": ("sin", (-1e5, 1e5), None),
    "cos": ("cos", (-1e5, 1e5), None),
    "tan": ("tan", (-1e5, 1e5), None),
    "asin": ("arcsin", (-1, 1), None),
    "acos": ("arccos", (-1, 1), None),
    "atan": ("arctan", (-1e5, 1e5), None),
    "sinh": ("sinh", (-709, 709), (-89.4, 89.4)),
    "cosh": ("cosh", (-709, 709), (-89.4, 89.4)),
    "tanh": ("tanh", (-20, 20), None),
    "asinh": ("arcsinh", (-1.7e308, 1.7e308), (-3.4e38, 3.4e38)),
    "acosh": ("arccosh", (1, 1.7e308), (1, 3.4e38)),
    "atanh": ("arctanh", (-1, 1), None),
    "cbrt": ("cbrt", (-1.7e308, 1.7e308), (-3.4e38, 3.4e38)),
}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", RANGES)
def test_errors_are_within_one_ulp_on_the_cpu(queue, name, dtype):
    """x87's long doubles are exact enough for the comparison."""
    if np.finfo(np.longdouble).nmant < 63:
        pytest.skip("long doubles are no more precise than float64 here")
    numpy_name, ends, float_ends = RANGES[name]
    low, high = (float_ends or ends) if dtype == np.float32 else ends
    random = np.random.default_rng(7)
    signs = random.choice([-1.0, 1.0], 20_011)
    x = np.concatenate([
        random.uniform(low, high, 20_011) if high < 1e100 else [low, high],
        signs * 10 ** random.uniform(-8, math.log10(high), 20_011),
        signs * random.uniform(0.5, 2, 20_011),
    ]).astype(dtype)  # fmt: skip
    x = x[(x > low) & (x < high)]
    right = getattr(np, numpy_name)(x.astype(np.longdouble))
    found = ht.asnumpy(getattr(ht, name)(ht.asarray(x, queue=queue)))
    assert np.isfinite(found).all(), x[~np.isfinite(found)]
    ulps = np.abs(found - right) / np.spacing(np.abs(right.astype(dtype)))
    most = 1.001 if queue.device.backend == "native_cpu" else 6  # OpenCL's tan has 5
    assert (ulps <= most).all(), (x[ulps > most], ulps.max())


def test_sinh_and_cosh_reach_the_largest_numbers(queue):
    x = ht.asarray(np.array([710.4, -710.4, 709.5]), queue=queue)
    right = [math.sinh(v) for v in (710.4, -710.4, 709.5)]
    assert np.allclose(ht.asnumpy(ht.sinh(x)), right, rtol=1e-15)
    assert np.allclose(ht.asnumpy(ht.cosh(x)), np.abs(right), rtol=1e-15)
    assert np.isinf(ht.asnumpy(ht.sinh(ht.asarray([711.0], queue=queue)))).all()


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_tanh_of_infinite_imaginary_parts(queue, dtype):
    z = [complex(x, y) for x in (0.5, -3, 40, 1e30) for y in (math.inf, -math.inf, math.nan)]
    found = ht.asnumpy(ht.tanh(ht.asarray(np.array(z, dtype), queue=queue)))
    assert np.isnan(found.real).all() and np.isnan(found.imag).all()
    far = ht.asarray(np.array([complex(math.inf, math.inf), complex(-math.inf, 2)], dtype))
    assert ht.asnumpy(ht.tanh(far.copy_to(queue))).real.tolist() == [1, -1]


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_exponentials(queue, dtype):
    parts = [sign * x for x in (*SPECIAL, 176.0, 177.9, 1418.0, 1420.0) for sign in (1, -1)]
    with np.errstate(all="ignore"):
        host = np.array([complex(x, y) for x in parts for y in parts]).astype(dtype)
        right = np.exp(host)
    found = ht.asnumpy(ht.exp(ht.asarray(host, queue=queue)))
    limits = np.finfo(dtype)
    for part in ("real", "imag"):
        a, b = getattr(found, part), getattr(right, part)
        known = np.isfinite(b)
        np.testing.assert_array_equal(a[~known], b[~known])
        zero = known & (b == 0)
        assert np.array_equal(np.signbit(a[zero]), np.signbit(b[zero]))
        np.testing.assert_allclose(
            a[known], b[known], rtol=2 * MOST_ULPS * limits.eps, atol=limits.tiny
        )


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_signs_of_zero_of_complex_functions_are_those_of_the_standard(queue, dtype):
    """NumPy has the sign of the real part of -0 + 0j, and of sin(2y) for inf + yj."""
    zeros = np.array([complex(x, y) for x in (0.0, -0.0) for y in (0.0, -0.0)], dtype)
    found = ht.asnumpy(ht.expm1(ht.asarray(zeros, queue=queue)))
    assert (found == 0).all() and not np.signbit(found.real).any()
    assert np.array_equal(np.signbit(found.imag), np.signbit(zeros.imag))

    y = np.array([0.0, 1, 2, 3, 4, 5, 1e30])
    y = np.concatenate([y, -y])
    for sign in (1, -1):
        z = np.empty(y.size, dtype)
        z.real, z.imag = sign * math.inf, y
        found = ht.asnumpy(ht.tanh(ht.asarray(z, queue=queue)))
        assert (found.real == sign).all() and (found.imag == 0).all()
        assert np.array_equal(np.signbit(found.imag), np.signbit(y))
        z.real, z.imag = y, sign * math.inf  # tan(z) is -j tanh(jz)
        found = ht.asnumpy(ht.tan(ht.asarray(z, queue=queue)))
        assert (found.imag == sign).all() and (found.real == 0).all()
        assert np.array_equal(np.signbit(found.real), np.signbit(y))


def within_an_ulp(found, right, most=1.0):
    finite = np.isfinite(right)
    assert np.array_equal(found[~finite], right[~finite].astype(found.dtype), equal_nan=True)
    ulps = np.abs(found[finite] - right[finite]) / np.spacing(np.abs(found[finite]))
    assert (ulps <= most).all(), ulps.max()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_rsqrt_and_cube_are_within_one_ulp(queue, dtype):
    random = np.random.default_rng(11)
    limits = np.finfo(dtype)
    x = np.concatenate([
        random.uniform(0.5, 4, 40_011),
        10 ** random.uniform(math.log10(limits.tiny), math.log10(limits.max) - 0.1, 40_011),
        [0.0, -0.0, math.inf, -1.0, math.nan, limits.max, limits.tiny],
    ]).astype(dtype)  # fmt: skip
    exact = x.astype(np.longdouble)
    given_x = ht.asarray(x, queue=queue)
    with np.errstate(all="ignore"):
        within_an_ulp(ht.asnumpy(ht.rsqrt(given_x)), 1 / np.sqrt(exact))
        cubes = exact**3
        normal = ~(np.abs(cubes) < limits.tiny) & ~((np.abs(cubes) > limits.max) & (x < math.inf))
    within_an_ulp(ht.asnumpy(ht.cube(given_x))[normal], cubes[normal])


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, np.complex128])
def test_short_powers_have_the_values_of_numpy(queue, dtype):
    random = np.random.default_rng(12)
    x = (random.normal(size=999) * 4).astype(dtype)
    x[:5] = [0.0, -0.0, math.inf, 2.0, -math.inf]
    given_x = ht.asarray(x, queue=queue)
    exact = queue.device.backend == "native_cpu" and np.dtype(dtype).kind == "f"
    with np.errstate(all="ignore"):
        for exponent in (0.5, 2, 2.0, -1, -1.0):
            found = ht.asnumpy(given_x**exponent)
            if exact:
                np.testing.assert_array_equal(found, x**exponent)
            else:
                finite = np.isfinite(x**exponent)
                np.testing.assert_allclose(found[finite], (x**exponent)[finite], rtol=1e-5)
    whole = np.arange(-200, 201).astype(dtype if dtype != np.float16 else np.float32)
    np.testing.assert_array_equal(ht.asnumpy(ht.asarray(whole, queue=queue) ** 3), whole**3)


def test_short_powers_of_integers(queue):
    x = ht.asarray(np.arange(-5, 6), queue=queue)
    assert ht.asnumpy(x**3).tolist() == [v**3 for v in range(-5, 6)]
    assert (x**3).dtype == ht.int64
    with pytest.raises(ValueError, match="negative integer powers"):
        x**-1


def test_square_roots_as_functions_have_the_values_of_the_standard(queue):
    x = ht.asarray(np.array([-0.0, -math.inf, 4.0]), queue=queue)
    found = ht.asnumpy(ht.pow(x, 0.5))
    assert found.tolist() == [0.0, math.inf, 2.0] and not np.signbit(found[0])


@pytest.mark.parametrize("special", [0, 1, 400])
def test_quotients_and_roots_of_floats_are_correctly_rounded(queue, special):
    """Of all exponents, alone and in one expression. A few are special, or one in 400, so that few
    or most groups of items contain one.
    """
    if queue.device.backend not in ("native_cpu", "cuda"):
        pytest.skip("SPIR-V promises 2.5 ulp")
    random = np.random.default_rng(special)
    n = 1 << 20
    x, y = (np.ldexp(random.uniform(1, 2, n), random.integers(-60, 60, n)).astype(np.float32)
            for _ in range(2))  # fmt: skip
    if special:
        bits = random.integers(0, 1 << 32, n, dtype=np.uint32).view(np.float32)
        bits[:8] = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-40, 3.4e38]
        strange = random.integers(0, special, n) == 0
        x[strange], y[strange[::-1]] = bits[strange], bits[::-1][strange[::-1]]
        x[:64], y[:64] = np.repeat(bits[:8], 8), np.tile(bits[:8], 8)
    own_x, own_y = (ht.asarray(v, queue=queue) for v in (x, y))
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(ht.asnumpy(own_x / own_y), x / y)
        np.testing.assert_array_equal(ht.asnumpy(ht.sqrt(own_x)), np.sqrt(x))
        got = ht.asnumpy(own_y / (own_x * ht.sqrt(own_x)) + own_x / own_y)
        np.testing.assert_array_equal(got, y / (x * np.sqrt(x)) + x / y)
