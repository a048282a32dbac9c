"""Combinations of elements by number, compared with NumPy: ufunc.at, ufunc.reduceat, bincount and
histograms, by tables and by sorts, without NumPy on the host."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hither as ht
import hither.numpy as hnp
from hither.numpy import _segments
from property_tests import examples

SETTINGS = settings(
    max_examples=examples(20),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
FUNCTIONS = ["add", "subtract", "multiply", "minimum", "maximum"]
DTYPES = ["b", "i", "l", "B", "L", "e", "f", "d", "D"]
RTOL = {"e": 3e-2, "f": 2e-5, "d": 1e-12, "D": 1e-12}


@pytest.fixture(autouse=True)
def _native():
    with ht.host_fallback("error"):
        yield


@pytest.fixture(params=["tables", "sorts"])
def _way(request, monkeypatch):
    """GPUs sort and CPUs have tables; both ways are tested on each device."""
    monkeypatch.setattr(_segments, "sorts_numbers", lambda x: request.param == "sorts")


def numbers(dtype, shape, seed):
    """Small numbers, so that products do not overflow."""
    values = np.random.default_rng(seed).integers(1, 4, shape).astype(dtype)
    return values / np.asarray(2, dtype) if np.dtype(dtype).kind in "fc" else values


def same(result, right):
    assert isinstance(result, ht.Array)
    assert (result.dtype, result.shape) == (right.dtype, right.shape)
    rtol = RTOL.get(right.dtype.char, 0)
    np.testing.assert_allclose(ht.asnumpy(result), right, rtol=rtol, atol=rtol)


def takes(name, dtype):
    if dtype == "?":
        return name != "subtract"
    return np.dtype(dtype).kind != "c" or name not in ("minimum", "maximum")


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("name", FUNCTIONS)
@SETTINGS
@given(
    dtype=st.sampled_from(["?", *DTYPES]), size=st.sampled_from([1, 2, 7, 33]),
    seed=st.integers(0, 99), count=st.sampled_from([0, 1, 5, 64, 1000]),
)  # fmt: skip
def test_at(queue, name, dtype, size, seed, count):
    if not takes(name, dtype):
        return
    rng = np.random.default_rng(seed)
    # Products of many factors overflow, and sums of float16 depend on the order.
    count = min(count, 8) if name == "multiply" or dtype == "e" else count
    x, index = numbers(dtype, size, seed), rng.integers(-size, size, count)
    values = numbers(dtype, count, seed + 1)
    own = ht.asarray(x.copy(), queue=queue)
    getattr(np, name).at(x, index, values)
    given_values = ht.asarray(values, queue=queue)
    getattr(hnp, name).at(own, ht.asarray(index, queue=queue), given_values)
    same(own, x)


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("size", [1, 100, 50_000, 70_000])
@pytest.mark.parametrize("dtype", ["?", "b", "i", "L", "f", "d", "D"])
def test_at_of_many_indices(queue, size, dtype):
    """Of one segment or many, in arrays of fewer or more elements, and with one value for all."""
    rng = np.random.default_rng(size)
    index = rng.integers(size // 3, size, 60_000)
    values = numbers(dtype, 60_000, 1)
    zeros = np.zeros(size, dtype) if dtype == "?" else -np.zeros(size, dtype)
    for value in (values, values[0].item(), values[:1]):
        for name in ("add", "maximum") if dtype in "?bfd" else ("add",):
            x = zeros.copy()
            own = ht.asarray(x.copy(), queue=queue)
            getattr(np, name).at(x, index, value)
            given_value = ht.asarray(value, queue=queue) if isinstance(value, np.ndarray) else value
            getattr(hnp, name).at(own, ht.asarray(index, queue=queue), given_value)
            same(own, x)
            host = ht.asnumpy(own)  # no addition of 0 changes the sign of -0
            np.testing.assert_array_equal(np.signbit(host.real), np.signbit(x.real))


KEYS = {
    "rows": [2, 0, 2, -1], "both": ([0, 1, 1], [2, 2, 2]), "mixed": (slice(None), [1, 1, 3]),
    "matrix": [[0, 1], [1, 0]], "one": 1, "slice": slice(1, None), "all": ...,
    "mask": np.arange(20).reshape(5, 4) % 3 == 0, "row mask": [True, False, True, True, False],
    "last first": ([1, 1], slice(None, None, -1)), "new axis": (None, [0, 0]),
    "apart": ([0, 0], slice(None), [1, 1]),
}  # fmt: skip


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("layout", ["plain", "transposed", "steps", "reversed"])
@pytest.mark.parametrize("key", KEYS)
def test_at_takes_every_key(queue, key, layout):
    index = KEYS[key]
    x = np.arange(60.0).reshape(5, 4, 3)
    x = x if key == "apart" else x[..., 0].copy()
    base = {"transposed": x.T.copy(), "steps": np.repeat(x, 2, axis=-1)}.get(layout, x)

    def part(array):
        return {"transposed": lambda: array.T, "steps": lambda: array[..., ::2],
                "reversed": lambda: array[::-1]}.get(layout, lambda: array)()  # fmt: skip

    own = ht.asarray(base.copy(), queue=queue)
    host = base
    shape = part(host)[index].shape
    for values in (2.5, np.arange(1.0, np.prod(shape) + 1).reshape(shape)):
        np.add.at(part(host), index, values)
        given_values = values if isinstance(values, float) else ht.asarray(values, queue=queue)
        hnp.add.at(part(own), index, given_values)
    same(own, host)


KEYS_OF_AT = [
    None, ..., (), slice(1, None), range(2), [1, 0, 1], ((0, 0, 1),), (slice(None), (2, 2)),
    (None, 1), [True, False], (0, [2, 0, 2]), -1, (1, 2),
]  # fmt: skip


@pytest.mark.parametrize("name", ["add", "subtract", "maximum"])
@pytest.mark.parametrize("key", KEYS_OF_AT, ids=repr)
def test_at_takes_keys_of_every_kind(key, name, queue):
    x = np.arange(6.0).reshape(2, 3)
    own = ht.asarray(x, queue=queue)
    getattr(np, name).at(x, key, 2.5)
    getattr(hnp, name).at(own, key, 2.5)
    same(own, x)


def test_at_casts_as_numpy_does(queue):
    for dtype, value in (("f", 2.5), ("f", np.float64(0.1)), ("i", np.int64(2**40 + 3)),
                         ("h", np.int8(-3)), ("F", 1.5j)):  # fmt: skip
        x = np.ones(4, dtype)
        own = ht.asarray(x.copy(), queue=queue)
        np.add.at(x, [1, 1, 2], value)
        hnp.add.at(own, [1, 1, 2], value)
        same(own, x)
    for value in (2, True, np.uint8(3)):
        x = np.ones(3, "u1")
        own = ht.asarray(x.copy(), queue=queue)
        np.subtract.at(x, [0, 2, 0], value)
        hnp.subtract.at(own, [0, 2, 0], value)
        same(own, x)
    with pytest.raises(IndexError):
        hnp.add.at(ht.zeros(3, queue=queue), [3], 1.5)
    with ht.host_fallback("silent"):  # functions that are not native
        x = ht.asarray([1, 2, 4], queue=queue)
        hnp.bitwise_xor.at(x, [0, 0, 2], 3)
        hnp.negative.at(x, [1, 1])
        assert x.tolist() == [1, 2, 7]


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("kinds", ["i4f8", "u1f4", "i8u8", "f4c16", "?f8", "?i8", "u2i8", "f2f8"])
@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "minimum", "maximum", "power"])
def test_at_casts_results_of_other_kinds(name, kinds, queue):
    target, given = (kinds[0], kinds[1:]) if kinds[0] == "?" else (kinds[:2], kinds[2:])
    values = np.array([2.5, -0.5, 3.5]).astype(given)
    x = np.array([1, 3, 2]).astype(target)
    own = ht.asarray(x.copy(), queue=queue)
    with ht.host_fallback("silent"):
        getattr(hnp, name).at(own, [0, 0, 1], ht.asarray(values, queue=queue))
    getattr(np, name).at(x, [0, 0, 1], values)
    same(own, x)


def test_at_of_an_array_that_is_its_own_operand(queue):
    x = np.arange(6)
    own = ht.asarray(x.copy(), queue=queue)
    before = own + 0
    np.add.at(x, x, x)
    hnp.add.at(own, own, own)
    same(own, x)
    assert before.tolist() == list(range(6))


@pytest.mark.parametrize("name", ["add", "multiply", "minimum", "maximum", "logical_or",
                                  "logical_and"])  # fmt: skip
@SETTINGS
@given(data=st.data(), dtype=st.sampled_from(["?", *DTYPES]), axis=st.sampled_from([0, -1, 1]))
def test_reduceat(queue, name, data, dtype, axis):
    if not takes(name, dtype):
        return
    shape = data.draw(st.sampled_from([(5,), (7, 3), (4, 9), (1, 1), (3, 4, 2)]))
    axis = axis if axis < len(shape) else 0
    extent = shape[axis]
    indices = data.draw(st.lists(st.integers(0, extent - 1), max_size=9))
    x = numbers(dtype, shape, 5)
    way = data.draw(st.sampled_from(["plain", "transposed", "reversed"]))
    own = (
        ht.asarray(x.T.copy(), queue=queue).T if way == "transposed" else ht.asarray(x, queue=queue)
    )
    if way == "reversed":
        x, own = x[::-1], own[::-1]
    right = getattr(np, name).reduceat(x, np.array(indices, int), axis)
    same(getattr(hnp, name).reduceat(own, indices, axis), right)
    on_device = ht.asarray(np.array(indices, int), queue=queue)
    same(getattr(hnp, name).reduceat(own, on_device, axis), right)


def test_reduceat_of_long_segments(queue):
    x = np.random.default_rng(1).integers(-9, 9, (50_000, 2)).astype(float)
    own = ht.asarray(x, queue=queue)
    indices = [0, 3, 4, 513, 49_000, 20, 49_999]
    for name in ("add", "maximum"):
        same(getattr(hnp, name).reduceat(own, indices), getattr(np, name).reduceat(x, indices))
    same(hnp.add.reduceat(own, [0], dtype="f4"), np.add.reduceat(x, [0], dtype="f4"))
    out = ht.zeros((1, 2), dtype="f8", queue=queue)
    assert hnp.add.reduceat(own, [7], out=out) is out
    same(out, np.add.reduceat(x, [7]))


def test_reduceat_names_wrong_indices(queue):
    x = ht.zeros(4, queue=queue)
    for indices in ([4], [-1], ht.asarray([0, 9], queue=queue)):
        with pytest.raises(IndexError, match=r"not in \[0, 4\)"):
            hnp.add.reduceat(x, indices)
    with pytest.raises(ValueError, match="vector of integers"):
        hnp.add.reduceat(x, [[0]])


@pytest.mark.usefixtures("_way")
@SETTINGS
@given(
    size=st.sampled_from([0, 1, 5, 1000, 40_000]), bins=st.sampled_from([1, 3, 70, 5000, 100_000]),
    dtype=st.sampled_from(["B", "h", "i", "l"]), kind=st.sampled_from([None, "?", "i", "f", "d"]),
    least=st.sampled_from([0, 7]),
)  # fmt: skip
def test_bincount(queue, size, bins, dtype, kind, least):
    rng = np.random.default_rng(size + bins)
    x = rng.integers(0, min(bins, np.iinfo(dtype).max), size).astype(dtype)
    weights = None if kind is None else rng.integers(0, 9, size).astype(kind)
    own = None if kind is None else ht.asarray(weights, queue=queue)
    result = hnp.bincount(ht.asarray(x, queue=queue), own, least)
    same(result, np.bincount(x, weights, least))
    steps = ht.asarray(np.repeat(x, 3), queue=queue)[::-3]
    same(hnp.bincount(steps), np.bincount(x[::-1]))


@pytest.mark.parametrize("size", [1, 1000, 1001])
@pytest.mark.parametrize("largest", [10_000, 10_001])
@pytest.mark.parametrize("dtype", ["H", "l", "L"])
def test_bincount_of_few_elements(queue, size, largest, dtype):
    x = np.full(size, largest, dtype)
    x[: size // 2] = 3
    for weights in (None, np.linspace(0.1, 1, size), np.arange(size) % 2 == 0):
        own = None if weights is None else ht.asarray(weights, queue=queue)
        for least in (0, 20_000):
            result = hnp.bincount(ht.asarray(x, queue=queue), own, least)
            assert result.queue == queue
            right = np.bincount(x.astype("l"), weights, least)
            assert result.dtype == right.dtype
            np.testing.assert_allclose(ht.asnumpy(result), right, rtol=1e-12)


@pytest.mark.parametrize("dtype", ["b", "h", "i", "l"])
def test_bincount_names_negative_numbers(queue, dtype):
    least = np.iinfo(dtype).min
    for x, low in (([3, -1, 2], -1), ([least, 5], least)):
        with pytest.raises(ValueError, match=f"x contains {low}; all elements must be 0 or more"):
            hnp.bincount(ht.asarray(np.array(x, dtype), queue=queue))
    most = np.array([127, 0, 127], dtype)
    same(hnp.bincount(ht.asarray(most, queue=queue)), np.bincount(most))
    same(hnp.bincount(ht.asarray([True, False, True], queue=queue)), np.array([1, 2]))


@pytest.mark.parametrize("dtype", ["?", "b", "L", "e", "f", "d"])
@pytest.mark.parametrize("bins", [[1, 2, 5, 5], [6, 2, 2, 0], [3, 3], [4], [], [0, 3.0, np.nan]])
def test_digitize_with_bins_on_the_device(queue, dtype, bins):
    x = np.array([[0, 1, 2], [5, 6, 3]]).astype(dtype)
    own = ht.asarray(x, queue=queue)
    for kind in ("i", "f", "d"):
        if kind == "i" and np.isnan(bins).any():
            continue
        edges = np.array(bins, kind)
        for right in (False, True):
            expected = np.digitize(x, edges, right)
            same(hnp.digitize(own, ht.asarray(edges, queue=queue), right), expected)
            same(hnp.digitize(own, ht.asarray(np.repeat(edges, 2), queue=queue)[::2], right),
                 expected)  # fmt: skip
            same(hnp.digitize(own, edges, right), expected)
    for wrong, message in (([1, 3, 2], "neither"), ([[1, 2]], "2 dimensions")):
        with pytest.raises(ValueError, match=message):
            hnp.digitize(own, ht.asarray(wrong, queue=queue))


@pytest.mark.usefixtures("_way")
def test_sums_of_weights_have_the_same_bits_each_time(queue):
    rng = np.random.default_rng(3)
    x, weights = rng.integers(0, 50, 100_000), rng.random(100_000)
    own, factors = ht.asarray(x, queue=queue), ht.asarray(weights, queue=queue)
    first = ht.asnumpy(hnp.bincount(own, factors))
    np.testing.assert_allclose(first, np.bincount(x, weights), rtol=1e-12)
    for _ in range(3):
        assert ht.asnumpy(hnp.bincount(own, factors)).tobytes() == first.tobytes()


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize("weights", [None, "i", "f", "D"])
@pytest.mark.parametrize("bins", [1, 10, 20_000])
def test_histograms(queue, bins, weights):
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=30_000), rng.integers(-4, 9, 30_000)
    w = None if weights is None else rng.integers(0, 9, 30_000).astype(weights)
    own = [v if v is None else ht.asarray(v, queue=queue) for v in (x, y, w)]
    for v, o in ((x, own[0]), (y, own[1])):
        right, edges = np.histogram(v, bins, weights=w)
        result, limits = hnp.histogram(o, bins, weights=own[2])
        same(result, right)
        np.testing.assert_allclose(ht.asnumpy(limits), edges, rtol=1e-12)
    if weights == "D":
        return
    few = min(bins, 70)
    right, *_ = np.histogram2d(x, y, (few, 3), weights=w, density=True)
    same(hnp.histogram2d(*own[:2], (few, 3), weights=own[2], density=True)[0], right)
    points = np.stack([x, y, x + y], axis=1)
    right, _ = np.histogramdd(points, 5, weights=w)
    same(hnp.histogramdd(ht.asarray(points, queue=queue), 5, weights=own[2])[0], right)


def test_a_segment_without_elements_has_the_identity(queue):
    x = ht.asarray(np.arange(5.0), queue=queue)
    begins, ends = (ht.asarray(np.array(v), queue=queue) for v in ([0, 3, 4], [2, 3, 2]))
    from hither import _hither

    for name, right in (("sum", [1, 0, 0]), ("prod", [0, 1, 1]),
                        ("max", [1, -np.inf, -np.inf]), ("min", [0, np.inf, np.inf])):  # fmt: skip
        assert _hither.segment_reduce(x, begins, ends, name).tolist() == right
    with pytest.raises(ValueError, match="one axis and equal extents"):
        _hither.segment_reduce(x, begins, ends[:1], "sum")
    with pytest.raises(ValueError, match="is not sum, prod"):
        _hither.segment_reduce(x, begins, ends, "mean")


@pytest.mark.parametrize("dtype", [None, "float64", "int64", "bool"])
@pytest.mark.parametrize("name", ["maximum", "hypot", "logical_and", "add", "bitwise_or"])
def test_dtypes_of_accumulate_and_reduceat(queue, name, dtype):
    x = np.array([3, 0, 5, 2], np.int32)
    if dtype == "bool":
        x = x > 2
    own = ht.asarray(x, queue=queue)
    for method, more in (("accumulate", ()), ("reduceat", ([0, 2],))):
        try:
            right = getattr(getattr(np, name), method)(x, *more, dtype=dtype)
        except TypeError:
            continue
        with ht.host_fallback("silent"):
            same(getattr(getattr(hnp, name), method)(own, *more, dtype=dtype), right)


@pytest.mark.parametrize("name", ["hypot", "logaddexp", "logical_xor", "maximum", "add"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "int32", "float32"])
def test_dtypes_of_reductions_of_few_elements(queue, name, dtype):
    for size in (1, 3):
        elements = np.ones(size, dtype)
        x = ht.asarray(elements, queue=queue)
        for call in (
            lambda u, a: u.reduce(a),
            lambda u, a: u.reduce(a, axis=()),
            lambda u, a: u.accumulate(a),
        ):
            right, result = call(getattr(np, name), elements), call(getattr(hnp, name), x)
            assert result.dtype == right.dtype
            np.testing.assert_allclose(ht.asnumpy(result), right, rtol=1e-3)
