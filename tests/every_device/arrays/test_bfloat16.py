"""bfloat16: elements of 16 bits, which are computed in float32, against ml_dtypes and NumPy."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hither as ht
import hither.numpy as hnp
from property_tests import examples

ml_dtypes = pytest.importorskip("ml_dtypes")
BF16 = np.dtype(ml_dtypes.bfloat16)
ALL = np.arange(1 << 16, dtype=np.uint16).view(BF16)
PATTERNS = st.lists(st.integers(0, 0xFFFF), min_size=1, max_size=40)
PROPERTY = settings(
    deadline=None,
    max_examples=examples(20),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)

# Functions whose float32 result is exact or correctly rounded, so that all bits are determined.
UNARY = "negative absolute square sqrt floor ceil trunc round sign reciprocal positive".split()
BINARY = "add subtract multiply divide maximum minimum copysign".split()
TESTS = "isnan isinf isfinite signbit logical_not".split()
COMPARISONS = "equal not_equal less less_equal greater greater_equal logical_and".split()
# Functions that have an error in float32: the result may be the neighbour.
INEXACT = "exp log sin cos tanh expm1 log1p cbrt rsqrt erf".split()
REFERENCES = {
    "round": np.rint,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "erf": np.vectorize(math.erf, otypes=["d"]),
}


def of_bits(patterns):
    return np.array(patterns, np.uint16).view(BF16)


def bits(x):
    """The bits, with one pattern for all NaNs of a sign."""
    x = ht.asnumpy(x) if isinstance(x, ht.Array) else np.asarray(x)
    assert x.dtype == BF16
    raw = x.view(np.uint16)
    return np.where(np.isnan(x.astype(np.float32)), 0x7FC0, raw)


def exact(pattern):
    """The number of a pattern. Infinity counts as the power of two above all numbers."""
    if pattern & 0x7FFF == 0x7F80:
        return Fraction(2) ** 128 * (-1 if pattern & 0x8000 else 1)
    return Fraction(float(of_bits([pattern])[0]))


def nearest(x):
    """The bfloat16 nearest to float64 numbers or integers, ties to even, rounded once."""
    rounded = []
    for value in np.asarray(x).reshape(-1).tolist():
        with np.errstate(all="ignore"):
            pattern = int(np.array(value, np.float64).astype(BF16).view(np.uint16))
        if np.isfinite(value):
            near = [p for p in (pattern - 1, pattern, pattern + 1) if 0 <= p & 0x7FFF <= 0x7F80]
            pattern = min(near, key=lambda p, v=Fraction(value): (abs(exact(p) - v), p & 1))
        rounded.append(pattern)
    return of_bits(rounded).reshape(np.shape(x))


def reference(name):
    return REFERENCES.get(name) or getattr(np, name)


def in_float32(name, *operands):
    with np.errstate(all="ignore"):
        return np.asarray(reference(name)(*(x.astype(np.float32) for x in operands)))


def test_every_pattern_survives(queue):
    x = ht.asarray(ALL, queue=queue)
    assert x.dtype == BF16 == ht.bfloat16
    assert x.itemsize == 2
    np.testing.assert_array_equal(ht.asnumpy(x).view(np.uint16), ALL.view(np.uint16))
    taken = ht.take(x, ht.arange(1 << 16, queue=queue))
    for copied in (ht.copy(x), x[::-1][::-1].copy(), ht.concat([x[:7], x[7:]]), taken):
        np.testing.assert_array_equal(ht.asnumpy(copied).view(np.uint16), ALL.view(np.uint16))
    np.testing.assert_array_equal(ht.asnumpy(x.view("uint16")), ALL.view(np.uint16))
    np.testing.assert_array_equal(
        ht.asnumpy(x.view("uint16").view("bfloat16")).view(np.uint16), ALL.view(np.uint16)
    )


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "complex64", "bool"])
def test_every_pattern_is_cast_as_its_float32(queue, dtype):
    x = ht.asarray(ALL, queue=queue)
    with np.errstate(all="ignore"):
        expected = ALL.astype(np.float32).astype(dtype)
    np.testing.assert_array_equal(ht.asnumpy(x.astype(dtype)), expected)
    wide = ALL.astype(np.float32)
    np.testing.assert_array_equal(bits(ht.asarray(wide, queue=queue).astype("bfloat16")), bits(ALL))


def test_integers_from_bfloat16(queue):
    with np.errstate(invalid="ignore"):
        numbers = ALL[np.abs(ALL.astype(np.float64)) < 2**15]
    x = ht.asarray(numbers, queue=queue)
    for dtype in ("int16", "int32", "int64"):
        expected = numbers.astype(np.float32).astype(dtype)
        np.testing.assert_array_equal(ht.asnumpy(x.astype(dtype)), expected)


def test_rounding_of_float32(queue):
    """Around every midpoint, and random bits, as ml_dtypes rounds them."""
    middle = (np.arange(1 << 16, dtype=np.uint32) << 16) + 0x8000
    random = np.random.default_rng(3).integers(0, 1 << 32, 1 << 16, dtype=np.uint32)
    raw = np.concatenate([middle - 1, middle, middle + 1, random])
    x = raw.view(np.float32)
    with np.errstate(invalid="ignore"):
        expected = x.astype(BF16).view(np.uint16)
    found = ht.asnumpy(ht.asarray(x, queue=queue).astype("bfloat16")).view(np.uint16)
    np.testing.assert_array_equal(found, expected)


@PROPERTY
@given(numbers=st.lists(st.floats() | st.floats(1 - 2**-30, 3 + 2**-30), min_size=1, max_size=30))
def test_float64_is_rounded_once(queue, numbers):
    x = np.array(numbers)
    found = ht.asarray(x, queue=queue).astype("bfloat16")
    np.testing.assert_array_equal(bits(found), bits(nearest(x)))


def test_float64_beside_midpoints(queue):
    """Numbers that float32 rounds to a midpoint of two bfloat16."""
    middle = np.array([1 + 2**-8, 1 + 3 * 2**-8, -1 - 2**-8, 3 * 2.0**-134, 2.0**127 * (2 - 2**-8)])
    x = np.concatenate([middle, np.nextafter(middle, 0), np.nextafter(middle, middle * 2)])
    found = ht.asarray(x, queue=queue).astype("bfloat16")
    np.testing.assert_array_equal(bits(found), bits(nearest(x)))


@pytest.mark.parametrize("dtype", "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64".split())
def test_integers_are_rounded_once(queue, dtype):
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        x = np.array([False, True])
    else:
        info, rng = np.iinfo(dtype), np.random.default_rng(5)
        random = rng.integers(info.min, info.max, 200, dtype=dtype, endpoint=True)
        shifts = rng.integers(0, info.bits, 200).astype(dtype)
        middles = [m for k in range(info.bits - 9) for m in (257 << k, 259 << k) if m < info.max]
        around = [sign * m + d for m in middles for d in (-1, 0, 1) for sign in (1, -1)]
        kept = [v for v in around if info.min <= v <= info.max]
        x = np.concatenate([random >> shifts, np.array([info.min, info.max, *kept], dtype)])
    found = ht.asarray(x, queue=queue).astype("bfloat16")
    np.testing.assert_array_equal(bits(found), bits(nearest(x)))


@PROPERTY
@given(first=PATTERNS, second=PATTERNS)
def test_operations_round_float32(queue, first, second):
    n = min(len(first), len(second))
    a, b = of_bits(first[:n]), of_bits(second[:n])
    x, y = (ht.asarray(v, queue=queue) for v in (a, b))
    for name in UNARY:
        found, expected = getattr(ht, name)(x), in_float32(name, a).astype(BF16)
        np.testing.assert_array_equal(bits(found), bits(expected), err_msg=name)
    for name in BINARY:
        found, expected = getattr(ht, name)(x, y), in_float32(name, a, b).astype(BF16)
        np.testing.assert_array_equal(bits(found), bits(expected), err_msg=name)
    for name in TESTS:
        np.testing.assert_array_equal(ht.asnumpy(getattr(ht, name)(x)), in_float32(name, a))
    for name in COMPARISONS:
        np.testing.assert_array_equal(ht.asnumpy(getattr(ht, name)(x, y)), in_float32(name, a, b))
    np.testing.assert_array_equal(
        bits(ht.where(x < y, x, y)), bits(np.where(a.astype("f") < b.astype("f"), a, b))
    )


@PROPERTY
@given(patterns=PATTERNS, function=st.sampled_from(INEXACT))
def test_functions_are_within_a_neighbour(queue, patterns, function):
    a = of_bits(patterns)
    found = ht.asnumpy(getattr(ht, function)(ht.asarray(a, queue=queue)))
    with np.errstate(all="ignore"):
        exact = np.asarray(reference(function)(a.astype(np.float64)))
    assert found.dtype == BF16
    lower, upper = (np.nextafter(exact.astype(BF16), BF16.type(s * np.inf)) for s in (-1, 1))
    ok = (lower.astype("d") <= found.astype("d")) & (found.astype("d") <= upper.astype("d"))
    assert np.all(ok | (np.isnan(exact) & np.isnan(found.astype("f"))))


@PROPERTY
@given(first=PATTERNS, second=PATTERNS)
def test_neighbours(queue, first, second):
    n = min(len(first), len(second))
    a, b = of_bits(first[:n]), of_bits(second[:n])
    found = ht.nextafter(ht.asarray(a, queue=queue), ht.asarray(b, queue=queue))
    with np.errstate(invalid="ignore"):
        expected = np.nextafter(a, b)
    np.testing.assert_array_equal(bits(found), bits(expected))


def test_a_fused_chain_rounds_after_each_operation(queue):
    a, b, c = (np.random.default_rng(k).normal(size=1000).astype(BF16) for k in range(3))
    x, y, z = (ht.asarray(v, queue=queue) for v in (a, b, c))
    np.testing.assert_array_equal(bits(x * y + z - x / z), bits(a * b + c - a / c))
    three, half, minus_seven = (BF16.type(v) for v in (3, 0.5, -7))
    expected = (a * three + half) / minus_seven
    np.testing.assert_array_equal(bits((x * 3 + 0.5) / -7), bits(expected))


@pytest.mark.parametrize("shape", [(0,), (1,), (7,), (33, 65), (3, 0, 2), (70001,), ()])
def test_shapes_and_views(queue, shape):
    a = np.random.default_rng(0).normal(size=shape).astype(BF16)
    x = ht.asarray(a, queue=queue)
    np.testing.assert_array_equal(bits(x + x), bits(np.asarray(a + a)))
    if a.ndim == 2:
        np.testing.assert_array_equal(bits(x.T[::2] * x.T[::2]), bits(a.T[::2] * a.T[::2]))
        y = ht.copy(x)
        y[::2, 3:] = 1.5
        b = a.copy()
        b[::2, 3:] = 1.5
        np.testing.assert_array_equal(bits(y), bits(b))
        np.testing.assert_array_equal(bits(x[x > 0]), bits(a[a > 0]))


@pytest.mark.parametrize("n", [1, 5, 1000, 100_003])
def test_reductions_accumulate_in_float32(queue, n):
    a = np.random.default_rng(n).normal(1, 1, n).astype(BF16)
    x, wide = ht.asarray(a, queue=queue), a.astype(np.float64)
    for name in ("sum", "mean", "std", "var", "prod"):
        y = ht.asarray(np.clip(a, 0.875, 1.125).astype(BF16), queue=queue) if name == "prod" else x
        w = np.clip(wide, 0.875, 1.125) if name == "prod" else wide
        found, expected = getattr(ht, name)(y), getattr(np, name)(w)
        assert found.dtype == BF16
        np.testing.assert_allclose(float(found), expected, rtol=2**-7, atol=1e-30)
    for name in ("max", "min"):
        np.testing.assert_array_equal(bits(getattr(ht, name)(x)), bits(getattr(np, name)(a)))
    assert int(ht.argmax(x)) == int(np.argmax(wide))
    assert int(ht.argmin(x)) == int(np.argmin(wide))
    assert int(ht.count_nonzero(x)) == n
    assert ht.sum(x, dtype="float32").dtype == np.float32
    np.testing.assert_allclose(float(ht.sum(x, dtype="float64")), wide.sum(), rtol=1e-12)


def test_rows_with_nans(queue):
    a = np.random.default_rng(1).normal(size=(37, 41)).astype(BF16)
    a[5, 7] = np.nan
    x = ht.asarray(a, queue=queue)
    for axis in (0, 1):
        with np.errstate(invalid="ignore"):
            expected = a.astype("f").max(axis=axis).astype(BF16)
        np.testing.assert_array_equal(bits(ht.max(x, axis=axis)), bits(expected))
        np.testing.assert_array_equal(
            ht.asnumpy(ht.argmin(x, axis=axis)), np.argmin(a.astype("f"), axis=axis)
        )


@pytest.mark.parametrize("shape", [(0,), (1,), (1000,), (70_001,), (9, 300)])
def test_scans_sorts_and_searches(queue, shape):
    a = np.random.default_rng(2).integers(-8, 9, shape).astype(BF16)
    x = ht.asarray(a, queue=queue)
    expected = np.cumsum(a.astype("f"), axis=-1).astype(BF16)  # sums of small integers are exact
    np.testing.assert_array_equal(bits(ht.cumulative_sum(x, axis=-1)), bits(expected))
    wide = np.random.default_rng(3).integers(0, 1 << 16, shape).astype(np.uint16).view(BF16)
    y = ht.asarray(wide, queue=queue)
    np.testing.assert_array_equal(bits(ht.sort(y)), bits(np.sort(wide.astype("f")).astype(BF16)))
    np.testing.assert_array_equal(
        ht.asnumpy(ht.argsort(y)), np.argsort(wide.astype("f"), kind="stable")
    )
    if a.ndim == 1:
        ordered = ht.sort(x)
        np.testing.assert_array_equal(
            ht.asnumpy(ht.searchsorted(ordered, x)),
            np.searchsorted(np.sort(a.astype("f")), a.astype("f")),
        )
        np.testing.assert_array_equal(
            ht.asnumpy(ht.unique_values(x)).astype("f"), np.unique(a.astype("f"))
        )


PRODUCTS = [
    ((5, 7), (7, 3)), ((64, 100), (100, 48)), ((2, 40, 33), (2, 33, 40)), ((300,), (300,)),
    ((1, 1), (1, 1)), ((4, 0), (0, 4)),
]  # fmt: skip


@pytest.mark.parametrize("shapes", PRODUCTS)
def test_products_sum_in_float32(queue, shapes):
    rng = np.random.default_rng(4)
    a, b = (rng.normal(size=shape).astype(BF16) for shape in shapes)
    x, y = (ht.asarray(v, queue=queue) for v in (a, b))
    found = ht.matmul(x, y)
    assert found.dtype == BF16
    wide = np.matmul(a.astype("d"), b.astype("d"))
    bound = 2**-8 * np.abs(wide) + 1e-5 * np.matmul(np.abs(a.astype("d")), np.abs(b.astype("d")))
    assert np.all(np.abs(ht.asnumpy(found).astype("d") - wide) <= bound + 1e-30)
    whole = [ht.asarray(rng.integers(-3, 4, shape).astype(BF16), queue=queue) for shape in shapes]
    exact = np.matmul(*(ht.asnumpy(v).astype("d") for v in whole)).astype(BF16)
    np.testing.assert_array_equal(bits(ht.matmul(*whole)), bits(exact))
    if len(shapes[0]) == 1:
        np.testing.assert_array_equal(bits(ht.vecdot(*whole)), bits(exact))


def test_indexed_sums(queue):
    x = ht.zeros(5, dtype="bfloat16", queue=queue)
    ht.numpy.add.at(x, ht.asarray([0, 1, 1, 4, 4, 4], queue=queue), 1.5)
    np.testing.assert_array_equal(ht.asnumpy(x).astype("f"), [1.5, 3, 0, 0, 4.5])


def test_creation(queue):
    for make in (lambda: ht.zeros(3, dtype="bfloat16", queue=queue),
                 lambda: ht.full(3, 0.1, dtype=ht.bfloat16, queue=queue),
                 lambda: ht.arange(0, 3, 0.3, dtype=BF16, queue=queue),
                 lambda: ht.linspace(0, 1, 7, dtype="bfloat16", queue=queue),
                 lambda: ht.eye(3, dtype="bfloat16", queue=queue),
                 lambda: ht.asarray([0.1, 2, 3.7], dtype="bfloat16", queue=queue),
                 lambda: ht.asarray([ml_dtypes.bfloat16(1.5)] * 3, queue=queue),
                 lambda: ht.ones_like(ht.zeros(3, dtype="bfloat16", queue=queue))):  # fmt: skip
        assert make().dtype == BF16
    assert ht.asnumpy(ht.full(1, 0.1, dtype="bfloat16", queue=queue)).view("u2")[0] == 0x3DCD
    x = ht.asarray([1.5], dtype="bfloat16", queue=queue)
    assert x[0].item() == 1.5
    assert (x * ml_dtypes.bfloat16(2)).dtype == BF16
    assert repr(x) == "Array([1.5], dtype=bfloat16)"
    assert ht.astype(x, ht.float32).dtype == np.float32


def test_exchange(queue):
    a = np.random.default_rng(6).normal(size=(4, 5)).astype(BF16)
    x = ht.asarray(a[::-1, ::2], queue=queue)
    np.testing.assert_array_equal(bits(x), bits(a[::-1, ::2]))
    np.testing.assert_array_equal(bits(np.array(x)), bits(a[::-1, ::2]))
    y = ht.from_dlpack(x)
    assert y.dtype == BF16
    np.testing.assert_array_equal(bits(y), bits(x))
    with pytest.raises((BufferError, ht.ExchangeError), match=r"uint16.*for the bits|access"):
        memoryview(x)


def test_arrays_of_the_host_share_memory(cpu_by_default):
    a = np.ones(3, BF16)
    x = ht.asarray(a, copy=False)
    x[1] = 2.5
    assert a[1] == 2.5
    seen = np.asarray(x)
    seen[0] = 4
    assert x[0].item() == 4


def test_kernels_refuse_it(queue):
    @ht.kernel
    def twice(x):
        i = ht.get_global_id(0)
        x[i] = x[i] * 2

    with pytest.raises(ht.CompileError, match=r"bfloat16.*astype\(x, float32\)"):
        twice[ht.Range(3)](ht.zeros(3, dtype="bfloat16", queue=queue))


def test_reductions_of_users(queue):
    @ht.reduction(identity=0)
    def larger_size(a, b):
        return max(abs(a), abs(b))

    x = ht.asarray([1.5, -3, 2], dtype="bfloat16", queue=queue)
    assert larger_size(x).dtype == BF16
    assert larger_size(x).item() == 3


def test_limits_and_refusals_of_hither_numpy(queue):
    x = ht.asarray(np.linspace(-3, 3, 12).reshape(4, 3), dtype="bfloat16", queue=queue)
    for kind in (x, BF16, "bfloat16", ht.bfloat16):
        assert float(hnp.finfo(kind).eps) == 2.0**-7
    with pytest.raises(TypeError, match="lstsq: bfloat16 is not supported; cast to float32"):
        hnp.linalg.lstsq(x, x)


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "logsumexp"])
def test_sums_of_exponentials_are_those_of_float32(queue, name):
    function = getattr(ht.scipy.special, name)
    x = ht.asarray(np.linspace(-3, 3, 3000), dtype="bfloat16", queue=queue)
    result = function(x)
    assert result.dtype == BF16
    same = result == function(x.astype("float32")).astype(BF16)
    assert bool(ht.all(same))
