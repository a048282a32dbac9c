"""Compiled functions that change more than arrays, or store the numbers of a call."""

import json
import random

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp

COUNT = 0


class Counter:
    n = 0


def counts_in_a_global():
    global COUNT
    COUNT = 0

    def f(x):
        global COUNT
        COUNT += 1
        return x + COUNT

    return f


def counts_in_a_cell():
    n = 0

    def f(x):
        nonlocal n
        n += 1
        return x + n

    return f


def counts_in_a_class():
    Counter.n = 0

    def f(x):
        Counter.n += 1
        return x + Counter.n

    return f


def counts_in_a_default():
    def f(x, count=[0]):  # noqa: B006
        count[0] += 1
        return x + count[0]

    return f


def counts_in_an_attribute():
    def f(x):
        f.n += 1
        return x + f.n

    f.n = 0
    return f


def consumes_a_list():
    numbers = [4, 3, 2, 1]
    return lambda x: x + numbers.pop()


@pytest.mark.parametrize("make", [counts_in_a_global, counts_in_a_cell, counts_in_a_class,
                                  counts_in_a_default, counts_in_an_attribute,
                                  consumes_a_list])  # fmt: skip
def test_variables_that_the_function_changes(queue, make):
    f = ht.compile(make())
    x = ht.zeros(1, queue=queue)
    assert [float(f(x)[0]) for _ in range(4)] == [1, 2, 3, 4]
    assert "changes a variable" in f.refusal
    step = make()
    x = ht.fori_loop(4, lambda i, x: step(x), x)
    assert float(x[0]) == 10


def test_defaults_functions_and_classes_have_values_of_their_own(queue):
    def scale(x, factor=2.0):
        return x * factor * scale.own

    scale.own = 1
    f = ht.compile(lambda x: scale(x) + Counter.n)
    x = ht.ones(1, queue=queue)
    Counter.n = 0
    assert float(f(x)[0]) == 2
    scale.__defaults__ = (3.0,)
    assert float(f(x)[0]) == 3
    scale.own = 5
    assert float(f(x)[0]) == 15
    Counter.n = 1
    assert float(f(x)[0]) == 16
    assert f.recordings == 4 and f.refusal == ""


def test_stored_numbers_are_plain_numbers(queue):
    log, kept = [], {}

    class Clock:
        t = 0.0

    clock = Clock()

    @ht.compile
    def step(clock, x, dt):
        clock.t = clock.t + dt
        log.append((dt, [2 * dt]))
        log.append(dt)
        if "first" not in kept:
            kept["first"] = dt * 2
        return x * kept["first"] + dt

    x = ht.ones(2, queue=queue)
    for n in range(4):
        assert float(step(clock, x, n + 0.5)[0]) == n + 1.5
    assert type(clock.t) is float and clock.t == 8.0
    assert type(kept["first"]) is float and type(log[1]) is float
    assert json.loads(json.dumps(log[1::2])) == [0.5, 1.5, 2.5, 3.5]
    assert float(log[0][1][0] + log[1]) == 1.5


def test_numbers_stored_out_of_reach(queue):
    kept = iter([[], None])
    store = next(kept)  # the function reaches the list through a method only
    add = store.append

    @ht.compile
    def f(x, t, keep):
        keep(t + 1)
        return x + t

    x = ht.ones(2, queue=queue)
    assert float(f(x, 2, add)[0]) == 3 and store == [3]
    g = ht.compile(lambda x, t, old: x * t + old * 2)
    for t in (5, 6):
        assert float(g(x, t, store[0])[0]) == t + 6


@pytest.mark.parametrize("convert", [np.sin, lambda t: np.asarray(t) * 1.0, np.array([1.0, 2]).dot])
def test_failures_with_traced_numbers_have_no_effects(queue, convert):
    class Model:
        def __init__(self):
            self.n, self.u = 0, ht.zeros(2, queue=queue)

    log = []

    @ht.compile
    def f(model, x, t):
        model.n += 1
        model.u = model.u + 1
        log.append("called")
        x += 1
        return x * float(np.sum(convert(t)))

    model, x = Model(), ht.zeros(2, queue=queue)
    expected = float(np.sum(convert(1.5)))
    for n in range(1, 4):
        assert float(f(model, x, 1.5)[0]) == n * expected
        assert model.n == n and float(model.u[0]) == n and float(x[0]) == n
    assert len(log) <= 3


def test_exceptions_leave_one_effect(queue):
    log = []

    @ht.compile
    def f(x, log, t):
        log.append("before")
        if t > 2:
            raise KeyError("too large")
        return x + t

    @ht.compile
    def g(x, t):
        log.append("before")
        raise KeyError("always")

    x = ht.ones(2, queue=queue)
    with pytest.raises(KeyError):
        f(x, log, 3)
    with pytest.raises(KeyError):
        g(x, 3)
    assert log == ["before"] * 2


def test_exceptions_of_numbers_that_the_function_handles(queue):
    def body(i, x):
        try:
            return x + 1 / (i - 3)
        except ZeroDivisionError:
            return x * 2

    expected = ht.ones(3, queue=queue)
    for i in range(7):
        expected = body(i, expected)
    for _ in range(2):
        result = ht.fori_loop(7, body, ht.ones(3, queue=queue))
        assert np.array_equal(ht.asnumpy(result), ht.asnumpy(expected))


def test_random_numbers_of_the_host_advance(queue):
    draw = np.random.default_rng(3).random
    own = random.Random(3).random
    functions = [lambda x: x + np.random.random(), lambda x: x + random.random(),
                 lambda x: x + draw(), lambda x: x + own()]  # fmt: skip
    x = ht.zeros(1, queue=queue)
    for function in functions:
        f = ht.compile(function)
        drawn = {float(f(x)[0]) for _ in range(3)}
        assert len(drawn) == 3 and f.refusal


def test_more_steps_than_an_int64(queue):
    with pytest.raises(ZeroDivisionError):
        ht.fori_loop(2**70, lambda i, x: x + 1 / (3 - i), ht.ones(1, queue=queue))
    assert float(ht.fori_loop(-(2**70), lambda i, x: x + 1, ht.ones(1, queue=queue))[0]) == 1


def test_inherited_and_own_attributes_change(queue):
    class Base:
        total = 0.0

    class Sub(Base):
        pass

    @ht.compile
    def add(model, x, t):
        Base.total = Base.total + t
        return x + model.total

    @ht.compile
    def count(x):
        count.n += 1
        return x + count.n

    count.n = 0
    x = ht.zeros(1, queue=queue)
    for n in range(1, 5):
        assert float(add(Sub(), x, 1.0)[0]) == n and float(count(x)[0]) == n
    assert "total" not in vars(Sub) and type(Base.total) is float


def test_random_numbers_of_any_name(queue):
    def inner(x):
        import random as source

        return x + source.random()

    closed = random
    x = ht.zeros(1, queue=queue)
    for function in (inner, lambda x: x + closed.random(), lambda x: x + random.choice(range(999))):
        f = ht.compile(function)
        assert len({float(f(x)[0]) for _ in range(6)}) > 1 and "random numbers" in f.refusal


def test_calls_that_always_change_become_plain(queue, recwarn):
    state = {"n": 0}

    @ht.compile
    def f(x):
        state["n"] += 1
        return x + state["n"]

    x = ht.zeros(1, queue=queue)
    assert [float(f(x)[0]) for _ in range(70)] == list(range(1, 71))
    assert not recwarn.list and "changes a variable" in f.refusal


def test_lists_in_tuples_stay_the_same(queue):
    shared: list = []
    pair = (shared, 0)

    @ht.compile
    def step(x, dt):
        pair[0].append(dt)
        return x + dt

    x = ht.zeros(1, queue=queue)
    for dt in (0.5, 1.5):
        assert float(step(x, dt)[0]) == dt
    assert pair[0] is shared and all(type(dt) is float for dt in shared)


def test_powers_with_a_modulus(queue):
    f = ht.compile(lambda x, t: x + pow(t, 2, 5))
    x = ht.zeros(1, queue=queue)
    assert [float(f(x, t)[0]) for t in (3, 4, 6)] == [4, 1, 1]


def test_interrupted_calls_leave_plain_numbers(queue):
    kept = []

    @ht.compile
    def f(x, own, t):
        own.append(t)
        kept.append(t * 2)
        raise KeyboardInterrupt

    own = [1.0]
    with pytest.raises(KeyboardInterrupt):
        f(ht.zeros(1, queue=queue), own, 2.5)
    assert own == [1.0, 2.5] and type(own[1]) is float
    assert kept == [5.0] and type(kept[0]) is float


FUNCTIONS_OF_A_NUMBER = {
    "clip": lambda x, n: hnp.clip(x, -1, n),
    "fmod": hnp.fmod,
    "divmod": lambda x, n: hnp.divmod(x, n)[1],
    "heaviside": hnp.heaviside,
    "select": lambda x, n: hnp.select([x > 1], [x], n),
    "trapezoid": lambda x, n: hnp.trapezoid(x, dx=n),
    "outer": lambda x, n: hnp.multiply.outer(x, n),
    "isclose": lambda x, n: hnp.isclose(x, 1, atol=n),
    "add with out": lambda x, n: hnp.add(x, n, out=hnp.zeros_like(x)),
    "add.at": lambda x, n: (hnp.add.at(x, slice(1), n), x)[1],
}


@pytest.mark.parametrize("name", FUNCTIONS_OF_A_NUMBER)
@pytest.mark.parametrize("dtype", ["float16", "float32", "int8"])
def test_numbers_take_the_dtype_of_the_arrays(queue, name, dtype):
    function, number = FUNCTIONS_OF_A_NUMBER[name], 0.7 if dtype[0] == "f" else 3
    host = np.array([0.3, 1, 7]).astype(dtype)
    compiled = ht.compile(function)
    for _ in range(3):
        plain, found = (f(ht.asarray(host, queue=queue), number) for f in (function, compiled))
        assert plain.dtype == found.dtype
        assert ht.asnumpy(plain).tobytes() == ht.asnumpy(found).tobytes()
