"""hither.compile: methods, changed containers, and loops of compiled steps."""

import numpy as np
import pytest

import hither as ht


@pytest.fixture
def queue(device):
    return ht.Queue(device)


def same(a, b):
    return np.array_equal(ht.asnumpy(a), ht.asnumpy(b), equal_nan=True)


class Model:
    def __init__(self, queue):
        self.weights = [ht.ones(3, queue=queue), ht.ones(3, queue=queue)]
        self.rate = 0.5

    @ht.compile
    def step(self, x):
        for w in self.weights:
            w -= self.rate * x
        return self.total()

    def total(self):
        return ht.sum(self.weights[0] + self.weights[1])


def test_methods(queue):
    model, x = Model(queue), ht.arange(3.0, queue=queue)
    first = [float(model.step(x)) for _ in range(3)]
    assert first == [3.0, 0.0, -3.0]
    model.weights[1] = ht.zeros(3, queue=queue)
    assert float(model.step(x)) == -4.5
    model.rate = 0.0
    assert float(model.step(x)) == -4.5


@pytest.mark.either_mode
@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda f: ht.fori_loop(2.5, f, 0), r"fori_loop: n is 2\.5; pass an int"),
        (lambda f: ht.fori_loop(0, 3, f, 0), "The call is fori_loop"),
        (lambda f: ht.while_loop(f, f), "The call is while_loop"),
        (lambda f: ht.compile(f, static=True), "The call is compile"),
        (lambda f: ht.compile(3), "3 is not callable"),
        (lambda f: ht.explain(), "The call is explain"),
    ],
)
def test_calls_with_wrong_arguments(call, text):
    with pytest.raises(ht.InvalidTypeError, match=text):
        call(lambda i, x: x)


def test_fori_loop(queue):
    x = ht.zeros(3, queue=queue)
    assert np.array_equal(ht.asnumpy(ht.fori_loop(10, lambda i, x: x + i, x)), [45.0] * 3)
    assert ht.fori_loop(0, lambda i, x: x + i, x) is x

    def body(i, state):
        x, count = state
        return x * 0.5 + i, count + 1

    n = np.zeros(3)
    for i in range(100):
        n = n * 0.5 + i
    found, count = ht.fori_loop(100, body, (x, 0))
    assert np.array_equal(ht.asnumpy(found), n) and count == 100


def test_while_loop(queue):
    found = ht.while_loop(
        lambda s: ht.max(s[0]) < 1000, lambda s: (s[0] * 2, s[1] + 1), (ht.ones(2, queue=queue), 0)
    )
    assert np.array_equal(ht.asnumpy(found[0]), [1024.0] * 2) and found[1] == 10


@ht.compile
def by_type(x, t):
    return x * t if type(t) is int else x + t


def test_types_of_numbers_and_results_of_none(queue):
    x = ht.ones(3, queue=queue)
    for t in (3, 3.0, 4, 2.5):
        assert same(by_type(x, t), x * t if type(t) is int else x + t)
    f = ht.compile(lambda x: x.__setitem__(slice(1, None), x[:-1] + 1))
    for _ in range(3):
        assert f(x) is None and f.refusal == ""
    assert np.array_equal(ht.asnumpy(x), [1.0, 2.0, 3.0])


def test_functions_that_change_containers_run_as_themselves(queue):
    @ht.compile
    def f(p, kept, t):
        p["a"] = p["a"] * 2
        p["t"] = p["t"] + t
        kept.append(p["a"])
        return kept[-1] + 1

    p, kept = {"a": ht.ones(2, queue=queue), "t": 0}, []
    for n in range(1, 4):
        assert float(f(p, kept, 2)[0]) == 2**n + 1
        assert p["t"] == 2 * n and len(kept) == n and float(p["a"][0]) == 2**n

    class Body:
        def __init__(self):
            self.u, self.n = ht.ones(2, queue=queue), 0

        @ht.compile
        def step(self):
            self.u = self.u * 2
            self.n += 1

    body = Body()
    for n in range(1, 4):
        body.step()
        assert float(body.u[0]) == 2**n and body.n == n
    assert "changes a container" in Body.step.refusal


def test_libraries_and_loops_that_read_run_as_the_plain_function(queue):
    x = ht.ones(4, queue=queue)
    loop = ht.compile(lambda x: ht.while_loop(lambda x: ht.max(x) < 10, lambda x: x * 2, x))
    solve = ht.compile(lambda x: ht.linalg.solve(ht.eye(4, queue=queue), x) + ht.fft.fft(x).real)
    for _ in range(2):
        assert np.array_equal(ht.asnumpy(loop(x)), [16.0] * 4)
        assert np.array_equal(ht.asnumpy(solve(x)), [5.0, 1.0, 1.0, 1.0])
    empty = ht.compile(lambda x: (x.__setitem__(x > 0, 0), x)[1])
    assert empty(ht.ones(0, queue=queue)).shape == (0,)


class Settings:
    rate = 2.0
    offset = None

    @property
    def doubled(self):
        return self.rate * factor

    @ht.compile
    def apply(self, x):
        return x * self.doubled + self.offset


factor = 1.0


def test_class_attributes_and_properties_are_looked_up(queue, monkeypatch):
    global factor
    monkeypatch.setattr(Settings, "offset", ht.ones(2, queue=queue))
    settings, x = Settings(), ht.ones(2, queue=queue)
    for rate in (2.0, 3.0, 2.0):
        monkeypatch.setattr(Settings, "rate", rate)
        for factor in (1.0, 5.0, 1.0):
            assert float(settings.apply(x)[0]) == rate * factor + 1
    monkeypatch.setattr(Settings, "offset", ht.zeros(2, queue=queue))
    assert float(settings.apply(x)[0]) == 2.0 and settings.apply.refusal == ""


def test_results_that_share_a_value_are_independent(queue):
    """`v[...] = w` gives both arrays one value; the next call writes one of them."""

    @ht.compile
    def share(v):
        w = v * v
        v[...] = w[...]
        return v, w

    @ht.compile
    def add(v, x, w):
        copied = ht.copysign(x, w)
        v[::2] += x
        return copied

    x = ht.asarray(-4.0, queue=queue) * 1
    for _ in range(4):
        v, w = share(ht.zeros(3, queue=queue))
        assert same(add(v, x, w), [4.0, 4.0, 4.0])
        assert same(v, [-4.0, 0.0, -4.0]) and same(w, [0.0, 0.0, 0.0])
    assert all(": 1 recording\n" in ht.explain(f) for f in (share, add))


@pytest.mark.parametrize("write", ["v", "w", "both"])
def test_arguments_that_share_a_value_are_written(queue, write):
    @ht.compile
    def step(v, w, view):
        if write != "w":
            v += 1.0
        if write != "v":
            w *= 3.0
        return view + 0.0

    for shared in (True, False, True, False):
        v = ht.ones(3, queue=queue) + 1.0
        w = ht.empty(3, queue=queue)
        w[...] = v if shared else ht.ones(3, queue=queue) * 2.0
        result = step(v, w, v[1:])
        assert same(v, [2.0 + (write != "w")] * 3)
        assert same(w, [2.0 * 3 ** (write != "v")] * 3)
        assert same(result, v[1:])
