"""hither.compile: recorded calls give the bits of plain calls."""

import collections
import gc
import pickle
import threading
import weakref

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hither as ht
from property_tests import examples

Pair = collections.namedtuple("Pair", "left right")


@pytest.fixture
def queue(device):
    return ht.Queue(device)


def same(a, b):
    return np.array_equal(ht.asnumpy(a), ht.asnumpy(b), equal_nan=True)


@ht.compile
def scaled(x, a):
    return x * a + 1.5


def twice(x):
    return 2 * x


doubled = ht.compile(twice)


def test_later_calls_run_no_python(queue):
    calls = []

    @ht.compile
    def f(x, y):
        calls.append(1)
        return ht.sum(x * y, axis=0) - 1

    for k in range(4):
        x = ht.asarray(np.arange(12.0).reshape(3, 4) + k, queue=queue)
        y = ht.asarray(np.arange(4.0) - k, queue=queue)
        expected = (ht.asnumpy(x) * ht.asnumpy(y)).sum(axis=0) - 1
        assert np.array_equal(ht.asnumpy(f(x, y)), expected)
    assert len(calls) == 1 and f.recordings == 1 and f.refusal == ""


def test_other_shapes_dtypes_and_strides_are_recorded_anew(queue):
    for x in (
        ht.zeros(3, queue=queue), ht.ones((2, 0), queue=queue), ht.ones((), queue=queue),
        ht.arange(7, queue=queue), ht.reshape(ht.arange(12.0, queue=queue), (3, 4)).T,
        ht.arange(10.0, queue=queue)[::-2], ht.arange(10.0, queue=queue)[1:5],
    ):  # fmt: skip
        for a in (2.0, 3.0, 2, 5):
            found = scaled(x, a)
            assert found.dtype == (x * a + 1.5).dtype and same(found, x * a + 1.5)


def test_views_at_other_offsets_share_a_recording(queue):
    f = ht.compile(lambda x: x + 1)
    x = ht.arange(1024.0, queue=queue)
    for i in range(0, 1024, 64):
        assert same(f(x[i : i + 64]), x[i : i + 64] + 1)
    assert f.recordings == 1


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64", "complex64", "uint8"])
def test_numbers_are_not_part_of_the_recording(queue, dtype):
    f = ht.compile(lambda x, a, b: (x + a) * (2 * a - b))
    x = ht.asarray(np.arange(5).astype(dtype), queue=queue)
    for a, b in ((1, 2), (3, 1), (2, 2)):
        assert same(f(x, a, b), (x + a) * (2 * a - b))
    assert f.recordings == 1
    with pytest.raises(ht.ScalarOverflowError):
        f(ht.ones(3, dtype="uint8", queue=queue), 300, 1)


def test_numbers_that_decide_something_are(queue):
    @ht.compile
    def f(x, n, axis, p, flag):
        y = ht.zeros(n, queue=x.queue) + ht.sum(x, axis=axis)[0]
        return -(y**p) if flag > 0 else y**p

    x = ht.asarray(np.arange(6.0).reshape(2, 3), queue=queue)
    for n, axis, p, flag in (
        (2, 0, 2, 1),
        (2, 0, 3, 2),
        (4, 1, 2, 5),
        (4, 1, 0.5, -1),
        (2, 0, 2, 3),
    ):
        total = ht.asnumpy(x).sum(axis=axis)[0]
        expected = (np.zeros(n) + total) ** p * (-1 if flag > 0 else 1)
        np.testing.assert_allclose(ht.asnumpy(f(x, n, axis, p, flag)), expected, rtol=1e-15)
    assert f.recordings == 4  # the last call runs the first recording


def test_special_numbers(queue):
    f = ht.compile(lambda x, a: x * a)
    x = ht.asarray([1.0, -1.0], queue=queue)
    for a in (0.0, -0.0, np.inf, float("nan"), 2**53 + 1, -(2**62), 2**64 - 1, 10**30):
        found, expected = ht.asnumpy(f(x, a)), ht.asnumpy(x * a)
        assert found.tobytes() == expected.tobytes()


def test_numpy_numbers_keep_their_dtype(queue):
    x = ht.ones(3, dtype="float32", queue=queue)
    for a in (np.float64(2), np.float32(3), np.float64(4)):
        assert scaled(x, a).dtype == (x * a + 1.5).dtype and same(scaled(x, a), x * a + 1.5)


def test_results_with_numbers(queue):
    @ht.compile
    def f(x, t):
        return {"x": x + t, "t": t + 1, "pair": Pair(x, [t * 0.5, None, "text"])}

    x = ht.ones(3, queue=queue)
    for t in (1, 2, 3):
        found = f(x, t)
        assert type(found["t"]) is int and found["t"] == t + 1
        assert found["pair"].left is x and found["pair"].right == [t * 0.5, None, "text"]
        assert same(found["x"], x + t)
    assert f.recordings == 1


def test_writes_to_arguments(queue):
    @ht.compile
    def step(x, g, rate):
        x -= rate * g
        x[0] = 7
        return ht.sum(x)

    x = ht.arange(6.0, queue=queue)
    whole, part, other = x, x[2:4], ht.copy(x)
    pending = x * 10  # still reads the old elements
    n = np.arange(6.0)
    for k in range(4):
        total = step(x, ht.ones(6, queue=queue), 0.5 * k)
        n -= 0.5 * k
        n[0] = 7
        assert float(total) == n.sum()
        assert np.array_equal(ht.asnumpy(part), n[2:4]) and whole is x
    assert np.array_equal(ht.asnumpy(other), np.arange(6.0))
    assert np.array_equal(ht.asnumpy(pending), 10 * np.arange(6.0))


def test_writes_through_views(queue):
    @ht.compile
    def step(x, v):
        v[...] = x[1:] * 2
        return x + 0

    x, n = ht.arange(5.0, queue=queue), np.arange(5.0)
    for _ in range(3):
        found = step(x, x[:-1])
        n[:-1] = n[1:] * 2
        assert np.array_equal(ht.asnumpy(found), n) and np.array_equal(ht.asnumpy(x), n)


def test_arguments_that_share_elements_are_another_kind_of_call(queue):
    @ht.compile
    def f(x, y):
        x += 1
        return x + y

    for shared in (False, True, False, True):
        x = ht.arange(4.0, queue=queue)
        y = x if shared else ht.arange(4.0, queue=queue)
        n = np.arange(4.0)
        expected = (n + 1) * 2 if shared else n + 1 + n
        assert np.array_equal(ht.asnumpy(f(x, y)), expected)
    assert f.recordings == 2


def test_results_are_not_overwritten(queue):
    x = ht.ones(1000, queue=queue)
    found = [scaled(x, float(k)) for k in range(20)]
    for k, y in enumerate(found):
        assert np.array_equal(ht.asnumpy(y), np.full(1000, k + 1.5))


def test_results_that_share_elements(queue):
    f = ht.compile(lambda x: (lambda y: (y, y[1:], y.T, x, x[::2]))(x + 1))
    for k in range(3):
        x = ht.arange(4.0, queue=queue) + k
        y, tail, _, same_x, half = f(x)
        tail[0] = 100
        assert float(y[1]) == 100 and same_x is x
        half[0] = -1
        assert float(x[0]) == -1


def test_escaped_arguments_take_the_plain_path(device):
    if device.backend != "native_cpu":
        pytest.skip("NumPy cannot share the memory")
    x = ht.arange(4.0, queue=ht.Queue(device))
    y = np.from_dlpack(x)
    f = ht.compile(lambda x: x + 1)
    for k in range(3):
        y[0] = k
        assert float(f(x)[0]) == k + 1
    assert "shared" in f.refusal and f.recordings == 0


def test_arguments_whose_memory_was_given_away_after_the_recording(device):
    if device.backend != "native_cpu":
        pytest.skip("NumPy cannot share the memory")
    x = ht.arange(4.0, queue=ht.Queue(device))
    assert float(scaled(x, 1.0)[0]) == 1.5 and float(scaled(x, 2.0)[1]) == 3.5
    y = np.from_dlpack(x)
    y[0] = 10
    assert float(scaled(x, 2.0)[0]) == 21.5


weight = None


def test_global_and_closed_over_arrays_are_looked_up(queue):
    global weight
    bias = ht.ones(3, queue=queue)
    scale = 1.0

    @ht.compile
    def f(x):
        return x * weight + bias * scale

    x = ht.arange(3.0, queue=queue)
    for k in range(3):
        weight = ht.full(3, float(k), queue=queue)
        assert np.array_equal(ht.asnumpy(f(x)), np.arange(3.0) * k + 1)
    assert f.recordings == 1
    bias = bias * 5
    assert np.array_equal(ht.asnumpy(f(x)), np.arange(3.0) * 2 + 5)
    bias += 1  # in place
    assert np.array_equal(ht.asnumpy(f(x)), np.arange(3.0) * 2 + 6)
    scale = 10.0  # a number decides what is recorded
    assert np.array_equal(ht.asnumpy(f(x)), np.arange(3.0) * 2 + 60)
    assert f.recordings == 2
    weight = None


def test_nested_containers_and_keywords(queue):
    @ht.compile
    def f(state, *, rate=1.0, names=("a",)):
        return {k: (v[0] - rate * v[1], v[1]) for k, v in state.items()}

    state = {"a": (ht.ones(3, queue=queue), ht.ones(3, queue=queue)),
             "b": (ht.ones(2, queue=queue), ht.zeros(2, queue=queue))}  # fmt: skip
    for _ in range(3):
        state = f(state, rate=0.25)
    assert np.array_equal(ht.asnumpy(state["a"][0]), np.full(3, 0.25))
    assert f.recordings == 1
    state = f(state)
    assert f.recordings == 2


def test_products_sorts_scans_and_kernels_are_steps(queue):
    @ht.kernel
    def add_index(x, a):
        i = ht.get_global_id(0)
        x[i] += a * i

    @ht.compile
    def f(a, b, t):
        c = ht.matmul(a, b) + 1
        v = ht.cumulative_sum(ht.sort(ht.reshape(c, (-1,))))
        add_index[9](v, t)
        return c, v, ht.mean(v)

    random = np.random.default_rng(1)
    for k in range(3):
        a, b = (ht.asarray(random.standard_normal((3, 3)), queue=queue) for _ in range(2))
        c, v, mean = f(a, b, float(k))
        n = ht.asnumpy(a) @ ht.asnumpy(b) + 1
        np.testing.assert_allclose(ht.asnumpy(c), n, rtol=1e-12)
        m = np.cumsum(np.sort(n.ravel())) + k * np.arange(9)
        np.testing.assert_allclose(ht.asnumpy(v), m, rtol=1e-11)
        assert float(mean) == pytest.approx(m.mean())
    assert f.recordings == 1 and f.refusal == ""


def test_random_numbers_advance_as_in_plain_calls(queue):
    def draw(generator, x):
        return x + generator.random(4)

    x = ht.zeros(4, queue=queue)
    plain, recorded = ht.random.default_rng(3), ht.random.default_rng(3)
    f = ht.compile(draw)
    for _ in range(3):
        with ht.device_context(queue):
            assert same(draw(plain, x), f(recorded, x))


def test_index_arrays_are_checked_at_each_call(queue):
    f = ht.compile(lambda x, i: x[i])
    x = ht.arange(5.0, queue=queue)
    for _ in range(2):
        assert np.array_equal(ht.asnumpy(f(x, ht.asarray([4, 0], queue=queue))), [4.0, 0.0])
    with pytest.raises(IndexError):
        f(x, ht.asarray([5, 0], queue=queue))


@pytest.mark.parametrize(
    "read",
    [
        float, bool, ht.asnumpy, lambda x: x.tolist(), lambda x: x[x > 0], ht.nonzero,
        lambda x: next(iter(x)).item(), np.asarray,
    ],
)  # fmt: skip
def test_reading_is_refused_with_the_line(queue, read):
    @ht.compile
    def f(x):
        return read(ht.sum(x) if read in (float, bool) else x)

    x = ht.ones(3, queue=queue)
    for _ in range(2):
        with pytest.raises((ht.InvalidTypeError, ht.Error), match="cannot read elements") as caught:
            f(x)
    assert any("test_compile" in str(entry.path) for entry in caught.traceback)
    assert same(scaled(x, 1.0), x + 1.5)  # other calls go on


def test_errors_leave_the_arguments_as_a_plain_call_does(queue):
    @ht.compile
    def f(x, a):
        x += a
        raise RuntimeError("stop")

    x = ht.zeros(2, queue=queue)
    with pytest.raises(RuntimeError, match="stop"):
        f(x, 1.0)
    assert np.array_equal(ht.asnumpy(x), [1.0, 1.0])


def test_out_of_order_queues_run_the_plain_function(device):
    x = ht.ones(3, queue=ht.Queue(device, in_order=False))
    for _ in range(2):
        assert same(scaled(x, 2.0), x * 2.0 + 1.5)
    assert "out of order" in scaled.refusal


def test_compiled_functions_inside_others(queue):
    f = ht.compile(lambda x: doubled(scaled(x, 2.0)) + 1)
    x = ht.arange(3.0, queue=queue)
    for _ in range(2):
        assert same(f(x), 2 * (x * 2.0 + 1.5) + 1)
    assert f.recordings == 1


def test_pickles_and_names():
    assert pickle.loads(pickle.dumps(scaled)) is scaled
    assert scaled.__name__ == "scaled" and "scaled" in repr(scaled)
    assert ht.compile(scaled) is scaled
    with pytest.raises(ht.InvalidTypeError, match="decorates a function"):
        ht.compile(3)


def test_threads(queue):
    x = ht.arange(100.0, queue=queue)
    failed = []

    def work(k):
        f = scaled if k % 2 else doubled
        for n in range(100):
            found = f(x, float(n)) if f is scaled else f(x)
            if not np.array_equal(
                ht.asnumpy(found), np.arange(100.0) * n + 1.5 if k % 2 else 2 * np.arange(100.0)
            ):
                failed.append((k, n))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert failed == []


def test_nothing_is_kept_alive(queue):
    f = ht.compile(lambda x, big: x + big)
    x, big = ht.ones(3, queue=queue), ht.ones(3, queue=queue)
    f(x, big), f(x, big)
    dead = weakref.ref(big)
    del big
    gc.collect()
    assert dead() is None
    dead = weakref.ref(f)
    del f
    gc.collect()
    assert dead() is None


def test_recordings_are_bounded_and_reported(queue):
    f = ht.compile(lambda x, n: ht.zeros(n, queue=x.queue) + x)
    x = ht.ones((), queue=queue)
    with pytest.warns(ht.PerformanceWarning, match="recorded 64 times"):
        for n in range(70):
            assert f(x, n).shape == (n,)
    assert f.recordings == 64


def test_contexts_are_part_of_the_call(device):
    f = ht.compile(lambda: ht.zeros(3) + 1)
    with ht.device_context(device):
        assert f().queue.device == device
        assert f().queue.device == device
    with ht.device_context("native_cpu"):
        assert f().queue.device.backend == "native_cpu"


@settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.data())
def test_random_expressions(device, data):
    ops = [
        lambda a, b, s: a + b * s,
        lambda a, b, s: ht.maximum(a, b) - s,
        lambda a, b, s: ht.where(a > s, a, b),
        lambda a, b, s: a - ht.mean(b) * s,
        lambda a, b, s: ht.cumulative_sum(a, axis=0) + b,
        lambda a, b, s: a[::-1] * b,
    ]
    chosen = data.draw(st.lists(st.sampled_from(ops), min_size=1, max_size=6))
    shape = data.draw(st.sampled_from([(1,), (5,), (3, 4), (0,), (2, 1, 3)]))
    queue = ht.Queue(device)

    def f(a, b, s):
        for op in chosen:
            a, b = op(a, b, s), a
        return a, b

    g = ht.compile(f)
    for seed in range(3):
        random = np.random.default_rng(seed)
        a, b = (ht.asarray(random.standard_normal(shape), queue=queue) for _ in range(2))
        for found, expected in zip(g(a, b, 0.5 + seed), f(a, b, 0.5 + seed), strict=True):
            assert ht.asnumpy(found).tobytes() == ht.asnumpy(expected).tobytes()
    assert g.recordings == 1
