"""Recordings whose small kernels run as one: compared with calls of the plain function."""

import contextlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hither as ht
from hither._hither import join_recordings_after
from property_tests import IS_EAGER, examples


@pytest.fixture(autouse=True)
def join_at_once():
    before = join_recordings_after(1)
    yield
    join_recordings_after(before)


def arrays(queue, *shapes, dtype="float64"):
    random = np.random.default_rng(7)
    return [ht.asarray((random.random(s) * 9).astype(dtype), queue=queue) for s in shapes]


def launches_of(call):
    before = ht.counters()["launches"]
    result = call()
    return result, ht.counters()["launches"] - before


def same(a, b):
    a, b = ((x,) if isinstance(x, ht.Array) else x for x in (a, b))
    for x, y in zip(a, b, strict=True):
        assert x.dtype == y.dtype and x.strides == y.strides
        assert ht.asnumpy(x).tobytes() == ht.asnumpy(y).tobytes()


def agrees(function, *arguments, launches=None):
    """Compares the second call of the compiled function, which runs joined kernels."""
    compiled = ht.compile(function)
    compiled(*arguments)
    assert compiled.refusal == ""
    result, count = launches_of(lambda: compiled(*arguments))
    same(result, function(*arguments))
    if launches is not None:
        assert count == launches
    return compiled


def chain(x, y):
    s = ht.sum(x * y, axis=0)
    t = ht.max(s[:, None] * s[None, :] + 1, axis=1)
    return x / (t + s), y - t


def test_several_kernels_are_one_launch(queue):
    compiled = agrees(chain, *arrays(queue, (3, 5), (3, 5)), launches=1)
    assert "one kernel, after a few runs, for the next" in ht.explain(compiled)


def test_they_are_joined_after_a_few_runs(queue):
    join_recordings_after(3)
    compiled, own = ht.compile(chain), arrays(queue, (4, 6), (4, 6))
    counts = [launches_of(lambda: compiled(*own))[1] for _ in range(6)]
    assert counts[1] == counts[2] > 1 and counts[3:] == [1, 1, 1]


@pytest.mark.parametrize("dtype", ["float32", "int8", "uint16", "bool", "complex64", "complex128"])
@pytest.mark.parametrize("shape", [1, 7, (3, 0), (5, 1), (9, 33), (2, 3, 4), (2, 1, 3, 2, 2)])
def test_dtypes_and_shapes(queue, dtype, shape):
    def steps(x, y):
        if dtype == "bool":
            z = ht.sum(x & y, axis=-1, keepdims=True) > 1
            return (x ^ z)[..., ::-1], ~z | y
        z = ht.sum(x * y, axis=-1, keepdims=True).astype(x.dtype)
        return (x - z)[..., ::-1] + y, ht.conj(z + y)

    agrees(steps, *arrays(queue, shape, shape, dtype=dtype))


def test_copies_of_any_number_of_bytes(queue):
    def steps(x, y, z):
        a, b, c = ht.copy(x), ht.copy(y), ht.copy(z)
        a[1:] += x[:-1]
        b[::2] = 3
        c[1:2] = x[:1]
        return a, b, c

    x, y, z = arrays(queue, 13, 31, 5, dtype="int8")
    agrees(steps, x, y, z.astype("float64"))
    agrees(steps, x[1:], y[3:], z[:4])


def test_functions_without_work(queue):
    compiled = ht.compile(lambda: ())
    assert [compiled() for _ in range(4)] == [()] * 4
    (x,) = arrays(queue, 3)
    agrees(lambda x: (x,), x)


def test_arguments_that_are_written(queue):
    def step(x, v):
        x += v * 0.5
        v[1:-1] -= x[2:] - x[:-2]
        x *= 2

    own, plain = arrays(queue, 40, 40), arrays(queue, 40, 40)
    compiled = ht.compile(step)
    for _ in range(5):
        compiled(*own)
        step(*plain)
    same(own, plain)


@pytest.mark.parametrize("count", [1023, 1024, 1025, 4096, 4097, 20000])
def test_around_the_largest_size(queue, count):
    def steps(x, y):
        s = ht.sum(x.reshape(1, -1), axis=0) + y
        t = ht.roll(s, 3) * x
        return ht.roll(t, -1) - s

    agrees(steps, *arrays(queue, count, count))


def test_large_kernels_between_small_ones(queue):
    def steps(x, big):
        y = ht.flip(x + 1) * 2
        z = ht.flip(big + y[0]) - big
        return ht.flip(y * z[:9]), ht.flip(z) + 1

    agrees(steps, *arrays(queue, 9, 50000))


@pytest.mark.skipif(IS_EAGER, reason="other operations are kernels of their own")
@pytest.mark.parametrize("shapes", [((8, 50_000), (8, 50_000)), ((600, 1), (1, 600))])
def test_few_items_that_walk_long_rows_stay_launches(queue, shapes):
    """They use more than one thread."""

    def steps(x, y):
        s = ht.sum(x * y + y, axis=1)
        t = ht.max(x - y, axis=1)
        return ht.sum(x * y * 2, axis=1) + ht.flip(s) * t

    own = arrays(queue, *shapes)
    counts = []
    for runs in (10**9, 1):
        join_recordings_after(runs)
        compiled = agrees(steps, *own)
        counts.append(launches_of(lambda compiled=compiled: compiled(*own))[1])
    small = arrays(queue, (8, 3), (8, 3))
    assert counts[0] - counts[1] <= 1  # at most the last two, which are small
    agrees(steps, *small, launches=1)


def test_more_kernels_than_one_launch_takes(queue):
    def steps(*own):
        parts = []
        for x in own:
            for _ in range(3):
                x = ht.cumulative_prod(ht.flip(x * 0.1)) + 1
                x = ht.sum(x[:, None] * x[None, :], axis=0) * 0.1
            parts.append(x)
        return parts

    agrees(steps, *arrays(queue, *[4] * 40))


def test_numbers_that_change(queue):
    def steps(x, n, factor):
        y = ht.flip(x) * factor
        return ht.flip(y + n) * factor

    (x,) = arrays(queue, 11)
    compiled = ht.compile(steps)
    for n in range(6):
        same(compiled(x, n, n / 7), steps(x, n, n / 7))
    assert compiled.recordings == 1


def test_libraries_between_them(queue):
    def steps(a, b):
        y = ht.flip(a) * 2 + ht.flip(b)
        z = ht.flip(y @ b) - ht.sum(y, axis=0)
        return ht.flip(z) / 3, ht.sum(z, axis=1) + 1

    agrees(steps, *arrays(queue, (6, 6), (6, 6)))


def test_a_loop_of_steps(queue):
    def body(i, state):
        x, v = state
        d = x[:, None] - x[None, :]
        pull = ht.sum(d / (ht.sum(d * d, axis=-1, keepdims=True) + 0.1), axis=1)
        return x + 0.01 * v, v - 0.01 * pull * (1 + i)

    start = tuple(arrays(queue, (5, 2), (5, 2)))
    plain = start
    for i in range(75):
        plain = body(i, plain)
    same(ht.fori_loop(75, body, start), plain)


def test_threads_use_one_recording(queue):
    compiled, own = ht.compile(chain), arrays(queue, (3, 5), (3, 5))
    expected = [ht.asnumpy(x).tobytes() for x in chain(*own)]

    def agree(_):
        calls = [compiled(*own) for _ in range(50)]
        return all([ht.asnumpy(x).tobytes() for x in made] == expected for made in calls)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(agree, range(4)))


@ht.kernel
def _refuse(x):
    i = ht.get_global_id(0)
    if x[i] >= 0:
        raise ValueError("not negative")
    x[i] = 0


def test_an_error_of_one_argument_is_not_that_of_other_results():
    """On the built-in CPU device, which knows of the error before the next call."""
    queue = ht.Queue("native_cpu")

    def steps(a, b):
        return ht.flip(a) * 2, ht.sum(b, axis=0) + 1

    compiled = ht.compile(steps)
    a, b = arrays(queue, 5, (3, 7), dtype="int64")
    for _ in range(3):
        compiled(a, b)
    with contextlib.suppress(ht.KernelError):
        _refuse[5](a)
    wrong, right = compiled(a, b)
    np.testing.assert_array_equal(ht.asnumpy(right), ht.asnumpy(b).sum(0) + 1)
    with pytest.raises(ht.KernelError, match="not negative"):
        ht.asnumpy(wrong)


OPERATIONS = [
    lambda x, y: ht.flip(x + y),
    lambda x, y: ht.sin(ht.roll(x, 1)) * y,
    lambda x, y: ht.sum(x, axis=0, keepdims=True) + y * 0,
    lambda x, y: ht.max(y, axis=-1, keepdims=True) - x,
    lambda x, y: (x.T / (abs(y.T) + 1)).T if x.ndim == 2 and x.shape == y.shape else y,
    lambda x, y: ht.where(x > y, ht.exp(-abs(x)), ht.cumulative_sum(y, axis=-1)),
    lambda x, y: ht.concat([x[:1], y[1:]]),
    lambda x, y: ht.mean(x) + ht.var(y) * x,
]


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 9), st.integers(0, 9)),
                min_size=2, max_size=12),
       st.sampled_from([(1,), (5,), (70,), (3, 4), (17, 9), (40, 40)]),
       st.sampled_from(["float32", "float64"]))  # fmt: skip
@settings(max_examples=examples(25), deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
def test_random_programs(queue, program, shape, dtype):
    def steps(*own):
        values = list(own)
        for which, a, b in program:
            values.append(OPERATIONS[which](values[-1 - a % len(values)],
                                            values[-1 - b % len(values)]))  # fmt: skip
        return values[len(own) :]

    agrees(steps, *arrays(queue, shape, shape, dtype=dtype))
