"""fori_loop: the steps that a recording runs in one call, compared with calls of the plain body."""

import functools
import gc
import pickle
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hither as ht
from property_tests import examples


def leaves(state):
    if isinstance(state, dict):
        state = list(state.values())
    if isinstance(state, (list, tuple)):
        return [x for part in state for x in leaves(part)]
    return [state]


def same_state(a, b):
    a, b = leaves(a), leaves(b)
    assert len(a) == len(b)
    for x, y in zip(a, b, strict=True):
        assert type(x) is type(y)
        if isinstance(x, ht.Array):
            assert x.shape == y.shape and x.dtype == y.dtype and x.strides == y.strides
            x, y = ht.asnumpy(x), ht.asnumpy(y)
            assert x.tobytes() == y.tobytes()
        else:
            assert x == y


def plainly(n, body, state):
    for i in range(n):
        state = body(i, state)
    return state


def agree(n, body, make):
    """Compares both from equal states, and that the first states have not changed."""
    first, kept = make(), [ht.asnumpy(x) for x in leaves(make()) if isinstance(x, ht.Array)]
    found = ht.fori_loop(n, body, first)
    same_state(found, plainly(n, body, make()))
    for x, y in zip([x for x in leaves(first) if isinstance(x, ht.Array)], kept, strict=True):
        assert ht.asnumpy(x).tobytes() == y.tobytes()


STEPS = [0, 1, 2, 3, 64, 65, 66, 67, 131, 200]


def arrays(queue, *shapes, dtype="float64"):
    random = np.random.default_rng(5)
    return [ht.asarray(random.random(s).astype(dtype), queue=queue) for s in shapes]


@pytest.mark.parametrize("steps", STEPS)
def test_every_number_of_steps(queue, steps):
    def body(i, state):
        x, v = state
        return x + 0.1 * v, v - 0.1 * x + ht.sum(x * v) * 1e-3

    agree(steps, body, lambda: tuple(arrays(queue, 7, 7)))


@pytest.mark.parametrize("shape", [0, 1, (), 1000, (3, 0), (33, 5)])
@pytest.mark.parametrize("dtype", ["float32", "int64", "bool", "complex64"])
def test_shapes_and_dtypes(queue, shape, dtype):
    def body(i, state):
        x, y = state
        return ht.where(x == y, y, x), x & y if dtype == "bool" else x * 3 - y

    agree(90, body, lambda: tuple(arrays(queue, shape, shape, dtype=dtype)))


def test_what_stays_the_same(queue):
    (outer,) = arrays(queue, 5)
    agree(150, lambda i, s: (s[0] * outer + s[1], s[1]), lambda: tuple(arrays(queue, 5, 5)))
    agree(150, lambda i, s: {"x": s["x"] * 0.9 + s["c"], "c": s["c"], "k": 3}, lambda: {
        "x": arrays(queue, 4)[0], "c": 0.5, "k": 3,
    })  # fmt: skip


def test_constant_numbers_in_the_state(queue):
    def body(i, state):
        return state[0] + state[1], 5.0

    def named(i, state):
        return {"x": state["x"] * state["a"], "a": 1}

    for start in (3.0, 5.0, 3.0):
        agree(100, body, lambda start=start: (arrays(queue, 3)[0], start))
    for start in (3, 1, 3):
        agree(100, named, lambda start=start: {"x": arrays(queue, 3)[0], "a": start})


def test_what_is_also_the_first_state(queue):
    (outer,) = arrays(queue, 6)

    def body(i, x):
        return x * 0.5 + outer

    def reverse(i, x):
        return x * 0.5 + outer[::-1]

    def pair(i, state):
        return state[0] * 0.5 + state[1], state[1]

    for function in (body, reverse):
        ht.fori_loop(1, function, outer)
        same_state(ht.fori_loop(100, function, outer), plainly(100, function, outer))
    ht.fori_loop(1, pair, (outer, outer))
    same_state(ht.fori_loop(100, pair, (outer, outer)), plainly(100, pair, (outer, outer)))
    same_state(ht.fori_loop(100, body, outer[::-1]), plainly(100, body, outer[::-1]))


class Decay:
    def step(self, i, x):
        return x * 0.5 + i


def test_bodies_that_are_no_functions(queue):
    for body in (Decay().step, functools.partial(Decay.step, None), ht.compile(plainly_decayed)):
        agree(70, body, lambda: arrays(queue, 3)[0])
    assert ht.fori_loop(3, lambda i, state: state, None) is None
    with pytest.raises(ht.InvalidTypeError, match="5 is not callable"):
        ht.fori_loop(3, 5, None)


def plainly_decayed(i, x):
    return x * 0.5 + i


def test_states_that_change_places_or_share_elements(queue):
    agree(151, lambda i, s: (s[1], s[0] + s[1]), lambda: tuple(arrays(queue, 4, 4)))
    agree(150, lambda i, s: (s[1], s[0]), lambda: tuple(arrays(queue, 4, 4)))

    def shared(i, state):
        y = state[0] * 0.5 + state[1]
        return y, y

    agree(150, shared, lambda: tuple(arrays(queue, 4, 4)))
    agree(150, lambda i, s: (s[0] + 1, s[0][::-1]), lambda: tuple(arrays(queue, 6, 6)))
    agree(150, lambda i, x: (x * 0.5)[::-1], lambda: arrays(queue, 6)[0])
    agree(150, lambda i, x: (x * 0.5).T, lambda: arrays(queue, (5, 5))[0])
    agree(30, lambda i, x: x[1:], lambda: arrays(queue, 40)[0])


def test_bodies_that_copy_and_write(queue):
    def copied(i, u):
        v = ht.asarray(u, copy=True)
        v[1:-1] = u[1:-1] + 0.1 * (u[2:] + u[:-2] - 2 * u[1:-1])
        return v

    agree(150, copied, lambda: arrays(queue, 100)[0])

    def in_place(i, x):
        x += 1
        return x

    x = arrays(queue, 5)[0]
    expected = ht.asnumpy(x).copy()
    for _ in range(150):
        expected += 1
    assert ht.fori_loop(150, in_place, x) is x
    assert np.array_equal(ht.asnumpy(x), expected)


def test_numbers(queue):
    def adam(i, state):
        x, m, t = state
        t = t + 1
        m = 0.9 * m + 0.1 * x
        return x - 1e-3 * m / (1 - 0.9**t), m, t

    agree(150, adam, lambda: (*arrays(queue, 5, 5), 0))
    agree(150, lambda i, s: (s[0] * s[1] + i, s[1] * 0.99), lambda: (arrays(queue, 5)[0], 0.7))
    agree(150, lambda i, x: x + i if i < 90 else x - i, lambda: arrays(queue, 5)[0])
    agree(150, lambda i, x: x + 1 / (200 - i), lambda: arrays(queue, 5)[0])
    agree(70, lambda i, s: (s[0] + s[1], s[1] * 2), lambda: (arrays(queue, 5)[0], 1))
    agree(
        30, lambda i, x: ht.sum(x, axis=i % 2, keepdims=True) + x, lambda: arrays(queue, (3, 4))[0]
    )


def test_an_exception_of_a_number(queue):
    with pytest.raises(ZeroDivisionError):
        ht.fori_loop(200, lambda i, x: x + 1 / (100 - i), arrays(queue, 3)[0])


def test_a_body_handles_numbers_that_fit_no_dtype(queue):
    def body(i, state):
        try:
            return state + 100 * i
        except OverflowError:
            return state // 2

    x = ht.arange(3, dtype=ht.int8, queue=queue)
    same_state(ht.fori_loop(8, body, x), plainly(8, body, x))
    with pytest.raises(OverflowError, match="180 does not fit int8"):
        ht.fori_loop(8, lambda i, state: state + 60 * i, x)


def test_launches_are_counted_and_kept(queue):
    def launches(steps):
        before = ht.counters()["launches"]
        ht.fori_loop(steps, body, arrays(queue, 5)[0]).synchronize()
        return ht.counters()["launches"] - before

    def body(i, x):
        return ht.sum(x) * 1e-3 + x

    body = ht.compile(body)
    launches(9)  # both kernels are one from now on
    assert launches(300) == 300 * launches(1) == 300
    assert len(ht.kernel_history()) == 256


def test_other_queues(queue):
    other = ht.Queue(queue.device, in_order=False)
    agree(150, lambda i, s: (s[0] + s[1], s[1] * 0.5), lambda: tuple(arrays(other, 9, 9)))
    timed = ht.Queue(queue.device, enable_profiling=True)
    agree(150, lambda i, s: (s[0] + s[1], s[1] * 0.5), lambda: tuple(arrays(timed, 9, 9)))


def test_the_body_is_not_kept(queue):
    (outer,) = arrays(queue, 5)
    function = lambda i, x: x + outer  # noqa: E731
    ht.fori_loop(3, function, arrays(queue, 5)[0])
    cloudpickle = pytest.importorskip("cloudpickle")
    assert pickle.loads(cloudpickle.dumps(function))(0, 1.0).shape == (5,)
    alive = weakref.ref(function)
    del function
    gc.collect()
    assert alive() is None


def test_threads(queue):
    def body(i, x):
        return x * 0.99 + i

    expected = ht.asnumpy(plainly(300, body, arrays(queue, 50)[0]))

    def agree(_):
        runs = (ht.fori_loop(300, body, arrays(queue, 50)[0]) for _ in range(20))
        return all(np.array_equal(ht.asnumpy(x), expected) for x in runs)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(agree, range(4)))


OPERATIONS = [
    lambda a, b, t: a * 0.5 + b,
    lambda a, b, t: a - t,
    lambda a, b, t: ht.sum(a, axis=0) * 0.1 + b,
    lambda a, b, t: b[::-1] * 0.25 + a,
    lambda a, b, t: ht.concat([a[1:], b[:1]]),
    lambda a, b, t: ht.where(a > b, a, b) - t * 0.5,
    lambda a, b, t: ht.cumulative_sum(a, axis=0) * 0.01,
    lambda a, b, t: ht.asarray(a, copy=True),
    lambda a, b, t: a,
]


@settings(
    max_examples=examples(20),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.lists(st.integers(0, len(OPERATIONS) - 1), min_size=2, max_size=3),
       st.sampled_from([1, 5, 130]), st.sampled_from([1, 6, 400]))  # fmt: skip
def test_random_steps(queue, chosen, steps, size):
    if queue.backend == "opencl":  # whose compiler takes up to a second for each kernel of a step
        chosen, steps = chosen[:2], min(steps, 5)

    def body(i, state):
        *own, t = state
        made = [OPERATIONS[k](own[j], own[(j + 1) % len(own)], t) for j, k in enumerate(chosen)]
        return (*made, t * 0.9)

    agree(steps, body, lambda: (*arrays(queue, *[size] * len(chosen)), 1.0))


# Steps whose numbers C++ computes, and those for which it needs Python in between: an integer of
# more than 64 bits, a subnormal float, and a division by zero that the body handles.
ARITHMETIC = {
    "floats": (lambda t: (t * 1.01 + 0.25) / 1.5 - 0.1, 0.3),
    "powers": (lambda t: 0.9**t + t**0.5, 2),
    "ints": (lambda t: (t + 3) * 7 - t, 1),
    "ratio of ints": (lambda t: t / 7 + 1, 3),
    "large ints": (lambda t: t * 5 - 2, 1),
    "subnormal": (lambda t: t / 1e10 / 1e10, 1e300),
    "negative base": (lambda t: (t - 40) ** 3.0 * 1e-9 + 1, 50.0),
    "two signs": (lambda t: -t + 1, 0.75),
    "remainder": (lambda t: (t + 5) % 11, 2),
    "comparison": (lambda t: t + 1 if t < 70 else t - 60, 0),
    "a constant": (lambda t: 2.5, 1.5),
    "an index": (lambda t: t, 1.5),
}


@pytest.mark.parametrize("case", ARITHMETIC)
def test_numbers_are_those_of_python(case, queue):
    next_of, first = ARITHMETIC[case]

    def body(i, state):
        x, t = state
        t = next_of(t)
        return x * 0.5 + t * i / 3.0, t

    agree(70, body, lambda: (arrays(queue, 3)[0], first))


def test_an_error_of_numbers_is_handled(queue):
    def body(i, state):
        x, t = state
        try:
            scale = 1 / (t - 30)
        except ZeroDivisionError:
            scale = 5.0
        return x * 0.5 + scale, t + 1

    agree(100, body, lambda: (arrays(queue, 3)[0], 0))


@settings(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    first=st.integers(-(2**62), 2**62) | st.integers(-9, 9) | st.floats(-1e3, 1e3),
    operations=st.lists(
        st.tuples(
            st.sampled_from(["+", "-", "*", "/", "**"]),
            st.integers(-3, 3) | st.floats(-2, 2) | st.just("i"),
            st.booleans(),
        ),
        min_size=1,
        max_size=4,
    ),
)
def test_numbers_of_any_arithmetic(queue, first, operations):
    text = "t"
    for symbol, other, swaps in operations:
        other = "i" if other == "i" else f"({other!r})"
        text = f"({other} {symbol} {text})" if swaps else f"({text} {symbol} {other})"
    if any(symbol == "**" for symbol, _, _ in operations):
        first = float(first)  # powers of integers would have millions of digits
    scope = {}
    exec(f"def body(i, state):\n    x, t = state\n    return x + 1.0, {text}", scope)
    body = scope["body"]
    outcomes = []
    for run in (plainly, lambda n, f, s: ht.fori_loop(n, f, s)):
        try:
            outcomes.append(leaves(run(9, body, (ht.zeros(2, queue=queue), first))))
        except (ArithmeticError, TypeError, ht.Error) as error:
            outcomes.append(type(error))
    plain, looped = outcomes
    if isinstance(plain, type) or isinstance(looped, type):
        assert plain == looped
        return
    assert type(plain[1]) is type(looped[1]) and repr(plain[1]) == repr(looped[1])
    same_state(plain[0], looped[0])
