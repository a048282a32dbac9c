"""Arguments of hither.numpy.random: errors as NumPy's, shapes, dtypes, states."""

from __future__ import annotations

import inspect
import pickle
import threading

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp

# Calls that NumPy refuses with ValueError, and the argument that hither's error names.
REFUSED = [
    ("normal", (0, -1), "scale"), ("lognormal", (0, -1), "sigma"), ("exponential", (-1,), "scale"),
    ("laplace", (0, -1), "scale"), ("logistic", (0, -1), "scale"), ("gumbel", (0, -1), "scale"),
    ("rayleigh", (-1,), "scale"), ("weibull", (-1,), "a"), ("pareto", (0,), "a"),
    ("power", (0,), "a"), ("triangular", (1, 0, 2), "left"), ("triangular", (1, 2, 1.5), "mode"),
    ("triangular", (1, 1, 1), "left"), ("standard_gamma", (-1,), "shape"),
    ("gamma", (-1, 1), "shape"), ("gamma", (1, -1), "scale"), ("beta", (0, 1), "a"),
    ("beta", (1, 0), "b"), ("chisquare", (0,), "df"), ("noncentral_chisquare", (0, 1), "df"),
    ("noncentral_chisquare", (1, -1), "nonc"), ("f", (0, 1), "dfnum"), ("f", (1, 0), "dfden"),
    ("noncentral_f", (1, 1, -1), "nonc"), ("standard_t", (0,), "df"), ("wald", (0, 1), "mean"),
    ("wald", (1, 0), "scale"), ("vonmises", (0, -1), "kappa"), ("poisson", (-1,), "lam"),
    ("poisson", (np.nan,), "lam"), ("poisson", (1e19,), "lam"), ("binomial", (-1, 0.5), "n"),
    ("binomial", (3, 1.5), "p"), ("binomial", (3, np.nan), "p"),
    ("negative_binomial", (0, 0.5), "n"), ("negative_binomial", (1, 0), "p"),
    ("negative_binomial", (1, 1e-30), "n"), ("geometric", (0,), "p"), ("geometric", (1.5,), "p"),
    ("hypergeometric", (10**9, 1, 1), "ngood"), ("hypergeometric", (1, 1, 3), "nsample"),
    ("hypergeometric", (-1, 1, 0), "ngood"), ("zipf", (1,), "a"), ("zipf", (np.nan,), "a"),
    ("logseries", (1,), "p"), ("logseries", (-0.1,), "p"), ("dirichlet", ([-1.0, 1.0],), "alpha"),
    ("multinomial", (3, [0.5, 0.6, 0.7]), "pvals"), ("multinomial", (-3, [0.5, 0.5]), "n"),
    ("multivariate_hypergeometric", ([3, 4], 8), "nsample"),
    ("multivariate_hypergeometric", ([3, -4], 1), "colors"),
    ("multivariate_hypergeometric", ([3, 10**9], 1), "colors"),
    ("multivariate_normal", ([0, 0], [[1.0, 2.0]]), "cov"),
    ("multivariate_normal", ([0], [[1.0, 0], [0, 1]]), "mean"),
    ("integers", (5, 5), "low"), ("uniform", (1, 0), "high"), ("choice", (0,), "a"),
    ("choice", (3, 5, False), "size"), ("choice", (3, 2, True, [0.5, 0.5]), "p"),
    ("choice", (2, 2, True, [0.5, 0.6]), "p"), ("choice", (2, 2, True, [-0.5, 1.5]), "p"),
    ("choice", (3, 3, False, [0, 0.5, 0.5]), "p"),
]  # fmt: skip


ALL = {
    "uniform": (0, 1), "normal": (0, 1), "lognormal": (0, 1), "exponential": (1,),
    "laplace": (0, 1), "logistic": (0, 1), "gumbel": (0, 1), "rayleigh": (1,), "weibull": (2,),
    "pareto": (2,), "power": (2,), "triangular": (0, 1, 2), "standard_gamma": (2,),
    "gamma": (2, 1), "beta": (1, 2), "chisquare": (3,), "noncentral_chisquare": (3, 1),
    "f": (2, 3), "noncentral_f": (3, 5, 1), "standard_t": (3,), "wald": (1, 2),
    "vonmises": (0, 1), "poisson": (3,), "binomial": (5, 0.5), "negative_binomial": (3, 0.5),
    "geometric": (0.5,), "hypergeometric": (5, 5, 3), "zipf": (2,), "logseries": (0.5,),
    "integers": (0, 5),
}  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "argument"), REFUSED)
def test_refused_values(device, name, arguments, argument):
    with pytest.raises(ValueError):
        getattr(np.random.default_rng(1), name)(*arguments)
    with pytest.raises(ht.InvalidValueError, match=rf"\b{argument}\b") as caught:
        getattr(hnp.random.default_rng(1, queue=device.default_queue), name)(*arguments)
    assert name in str(caught.value)


@pytest.mark.parametrize("name", [name for name in ALL if name != "integers"])
def test_parameters_are_real_and_of_any_size(device, name):
    """Complex parameters are refused, as by NumPy; integers beyond int64 are floats."""
    here, there = hnp.random.default_rng(1, queue=device.default_queue), np.random.default_rng(1)
    parameters = inspect.signature(getattr(ht.random.Generator, name)).parameters
    for i, (value, parameter) in enumerate(zip(ALL[name], list(parameters)[1:], strict=False)):
        if parameter in ("n", "ngood", "nbad", "nsample"):
            parameter = rf"\b{parameter}\b"
        for bad in (1j, np.complex64(1j), [1j], np.array([1j])):
            arguments = [bad if i == j else v for j, v in enumerate(ALL[name])]
            with pytest.raises(ht.InvalidTypeError, match=f"{name}: {parameter} is complex"):
                getattr(here, name)(*arguments, size=2)
        given = [2**70 if i == j else v for j, v in enumerate(ALL[name])]
        try:
            getattr(there, name)(*given, size=2)
        except (ValueError, OverflowError) as error:
            with pytest.raises(type(error)):
                getattr(here, name)(*given, size=2)
        else:
            assert getattr(here, name)(*given, size=2).shape == (2,)
        with pytest.raises(OverflowError):
            getattr(here, name)(*[10**400 if i == j else value for j in range(len(given))])


@pytest.mark.parametrize(
    ("name", "arguments"), [("binomial", ["count", 0.3]), ("multinomial", ["count", [0.5, 0.5]]),
                            ("hypergeometric", ["count", 20, 3]),
                            ("hypergeometric", [20, "count", 3]),
                            ("hypergeometric", [20, 30, "count"])],
)  # fmt: skip
def test_counts(device, name, arguments):
    """As in NumPy: numbers lose their fractions, NaN and numbers that do not fit are refused."""
    here, there = hnp.random.default_rng(1, queue=device.default_queue), np.random.default_rng(1)
    for value in (np.nan, np.inf, -np.inf, 2**63, 2.0**63, 2**70, -(2**70), np.uint64(2**63)):
        for count in (value, [float(value)]):
            given = [count if x == "count" else x for x in arguments]
            with pytest.raises((ValueError, OverflowError)) as expected:
                getattr(there, name)(*given)
            with pytest.raises(expected.type, match=name):
                getattr(here, name)(*given)
    for value in (4.75, np.float32(4.75), np.uint64(4), -0.5):
        given = [value if x == "count" else x for x in arguments]
        whole = [int(value) if x == "count" else x for x in arguments]
        draws = here.draw
        x = getattr(here, name)(*given, size=50).tolist()
        here.draw = draws
        assert getattr(here, name)(*whole, size=50).tolist() == x
        getattr(there, name)(*given)


def test_other_sizes_and_parameters_are_named(device):
    random = hnp.random.default_rng(1, queue=device.default_queue)
    for size in (2.5, "a", (2, None)):
        for draw in (random.random, random.normal, random.dirichlet, random.choice):
            given = ([1.0],) if draw == random.dirichlet else (5,) if draw == random.choice else ()
            with pytest.raises(ht.InvalidTypeError, match=r"size: .* an int nor a tuple of ints"):
                draw(*given, size=size)
    with pytest.raises(ht.InvalidTypeError, match="normal: loc is 'a'"):
        random.normal("a")
    with pytest.raises(ht.InvalidTypeError, match="normal: scale is None"):
        random.normal(0, None)
    for dtype in ("float16", "bfloat16"):
        with pytest.raises(ht.InvalidTypeError, match=f"dtype={dtype} is neither float32 nor"):
            random.random(4, dtype=dtype)
    with pytest.raises(ht.InvalidTypeError, match="choice: p is complex128"):
        random.choice(2, 2, p=ht.asarray([0.5, 0.5j], device=device))
    with pytest.raises(ht.InvalidTypeError, match=r"nsample is .*; it must be an integer"):
        random.multivariate_hypergeometric([2, 3], 2.5)


def test_uniform_checks_its_range(device):
    random = hnp.random.default_rng(1, queue=device.default_queue)
    with pytest.raises(OverflowError):
        random.uniform(0, np.inf)
    legacy = hnp.random.RandomState(1, queue=device.default_queue)
    x = ht.asnumpy(legacy.uniform(3, 1, 50))  # as in NumPy
    assert x.min() > 1 and x.max() <= 3


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [("normal", ([0.0], [1.0]), ([0.0], [-1.0])), ("poisson", ([1.0],), ([np.nan],)),
     ("binomial", ([3], [0.5]), ([3], [1.5])), ("gamma", ([1.0],), ([-1.0],)),
     ("hypergeometric", ([3], [3], [3]), ([1], [1], [3]))],
)  # fmt: skip
def test_refused_arrays(device, name, good, bad):
    random = ht.random.Generator(1, queue=device)
    assert getattr(random, name)(*(ht.asarray(v, device=device) for v in good)).shape == (1,)
    with pytest.raises(ht.InvalidValueError):
        getattr(random, name)(*(ht.asarray(v, device=device) for v in bad))


@pytest.mark.either_mode
@pytest.mark.parametrize("name", ALL)
def test_shapes_and_dtypes(device, name):
    """Sizes None, int, tuple and empty; one parameter in an array; as NumPy."""
    here, there = hnp.random.default_rng(1, queue=device.default_queue), np.random.default_rng(1)
    arguments = ALL[name]
    for size in (None, 3, (2, 3), 0, (2, 0), ()):
        x, y = (getattr(g, name)(*arguments, size=size) for g in (here, there))
        if type(y) in (int, float):
            assert type(x) is type(y), size
        else:
            assert (x.shape, x.dtype) == (np.shape(y), np.asarray(y).dtype), size
    for place in range(len(arguments)):
        several = [[[v], [v]] if i == place else v for i, v in enumerate(arguments)]
        for size in (None, (4, 2, 3)):
            x, y = (getattr(g, name)(*several, size=size) for g in (here, there))
            assert (x.shape, x.dtype) == (y.shape, y.dtype), size
        with pytest.raises(ValueError):
            getattr(here, name)(*several, size=(3, 1))


# Draws of one number by the functions of the module, and by NumPy's.
ONE = [
    ("rand", ()), ("randn", ()), ("random", ()), ("random_sample", ()), ("uniform", ()),
    ("uniform", (2, -1.5)), ("normal", ()), ("normal", (np.float64(1), 2)), ("randint", (5,)),
    ("randint", (-3, 2**62)), ("randint", (np.int8(3),)), ("choice", (5,)), ("poisson", (2.0,)),
    ("binomial", (3, 0.5)), ("exponential", ()), ("vonmises", (0, 1)), ("zipf", (2,)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments"), ONE)
def test_one_number_is_a_python_number(device, name, arguments):
    with ht.device_context(device):
        x = getattr(hnp.random, name)(*arguments)
    assert type(x) is type(getattr(np.random, name)(*arguments))


@pytest.mark.parametrize("seed", [0, 5, 2**64 - 1])
def test_one_number_is_what_the_device_draws(device, seed):
    """The first numbers, and those of the block of draws that follows."""
    one, many = (hnp.random.RandomState(seed, queue=device.default_queue) for _ in range(2))
    calls = [
        ("random", ()), ("uniform", (-3, 1e9)), ("uniform", (1, -2)), ("randint", (7,)),
        ("randint", (-5, 2**62 + 12345)), ("randint", (-(2**63), 2**63)), ("randint", (2**32,)),
        ("choice", (2**63,)), ("uniform", (2**53 + 1, 2**53 + 3)), ("choice", (5,)),
    ]  # fmt: skip
    for i in range(40):
        name, arguments = calls[i % len(calls)]
        if i == 20:
            one.seed(seed + 1 & 2**64 - 1), many.seed(seed + 1 & 2**64 - 1)
        x = getattr(one, name)(*arguments)
        (y,) = getattr(many, name)(*arguments, size=1).tolist()
        assert (type(x), x) == (type(y), y), (i, name)


def test_bounds_without_dimensions_are_numbers(device, monkeypatch):
    """They are drawn on the host, without a kernel; the results are those of the device."""
    one, many = (hnp.random.RandomState(3, queue=device.default_queue) for _ in range(2))
    calls = [
        ("randint", (7,), {}), ("randint", (-5, 2**62), {}), ("uniform", (-3.5, 2.0), {}),
        ("integers", (9,), {}), ("integers", (-4, 2**40), {}),
        ("integers", (2, 5), {"endpoint": True}),
    ]  # fmt: skip
    expected = [getattr(many, name)(*given, size=(), **more) for name, given, more in calls]
    monkeypatch.setattr(ht.random.Generator, "_start", None)
    for (name, given, more), number in zip(calls, expected, strict=True):
        x = getattr(one, name)(*(ht.asarray(v, device=device) for v in given), **more)
        assert x == number, name
        if name == "integers":
            assert x.queue == device.default_queue and x.dtype == np.int64
        else:
            assert type(x) is type(number.item())


def test_a_seed_between_two_readings_leaves_no_old_number(device, monkeypatch):
    from hither.numpy import _scalar_draws

    random = hnp.random.RandomState(1, queue=device.default_queue)
    words = _scalar_draws._words_of_one

    def seeded_meanwhile(seed, draw):
        monkeypatch.undo()
        random.seed(2)
        return words(seed, draw)

    monkeypatch.setattr(_scalar_draws, "_words_of_one", seeded_meanwhile)
    random.random_sample()
    assert random.random_sample() == hnp.random.RandomState(2).random_sample()


def test_choices_of_one_number_are_checked(device):
    one, many = (hnp.random.RandomState(1, queue=device.default_queue) for _ in range(2))
    assert one.choice(10, replace=False) == many.choice(10, 1, replace=False).tolist()[0]
    with pytest.raises((OverflowError, ValueError)):
        one.choice(2**64)


def test_one_number_continues_a_state(device):
    random = hnp.random.default_rng(3, queue=device.default_queue)
    first = [random.random() for _ in range(5)]
    state = random.bit_generator.state
    assert pickle.loads(pickle.dumps(random)).random() == random.random()
    random.bit_generator.state = {**state, "draw": 0}
    assert [random.random() for _ in range(5)] == first
    assert random.draw == 5


@pytest.mark.parametrize("name", ["random", "standard_normal", "standard_exponential"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_out(device, name, dtype):
    random = hnp.random.default_rng(1, queue=device.default_queue)
    out = ht.zeros((3, 2), dtype=dtype, device=device)
    assert getattr(random, name)(dtype=dtype, out=out) is out
    assert len(np.unique(ht.asnumpy(out))) == 6
    with pytest.raises(ValueError):
        getattr(random, name)(5, dtype=dtype, out=out)
    with pytest.raises(TypeError):
        getattr(random, name)(dtype="float64" if dtype == "float32" else "float32", out=out)
    for other in ("float16", "int32"):
        with pytest.raises(TypeError):
            getattr(random, name)(3, dtype=other)
    assert random.standard_gamma(2, out=ht.zeros(3, device=device)).shape == (3,)
    assert random.standard_exponential(3, method="inv").shape == (3,)


def test_integers_between_arrays(device):
    random = hnp.random.default_rng(1, queue=device.default_queue)
    low = ht.asarray(np.array([0, 2**64 - 3], np.uint64), device=device)
    high = ht.asarray(np.array([2**64 - 1, 2**64 - 1], np.uint64), device=device)
    x = ht.asnumpy(random.integers(low, high, (300, 2), dtype="uint64", endpoint=True))
    assert x.dtype == np.uint64 and x[:, 0].max() > 2**63
    assert set(x[:, 1].tolist()) == {2**64 - 3, 2**64 - 2, 2**64 - 1}
    x = ht.asnumpy(random.integers([-3, 5], [0, 7], (300, 2), dtype="int8"))
    assert x.dtype == np.int8
    assert set(x[:, 0].tolist()) == {-3, -2, -1} and set(x[:, 1].tolist()) == {5, 6}
    assert set(random.integers([2, 3], size=(300, 2)).tolist()[0]) <= {0, 1, 2}
    assert set(random.integers([0, 0], 2**64, (9, 2), dtype="uint64").ravel().tolist())
    for arguments in (([0, 5], [3, 5]), ([0, 5], [3, 300], None, "uint8")):
        with pytest.raises((ValueError, OverflowError)):
            random.integers(*arguments)
    with pytest.raises((ValueError, OverflowError)):
        random.integers([-1, 5], [3, 9], dtype="uint64")


@pytest.mark.parametrize("name", ["gamma", "poisson", "binomial", "vonmises", "zipf", "beta"])
def test_extreme_parameters_end(device, name):
    """Loops that reject end for all values that NumPy allows."""
    extremes = {
        "gamma": [(0.0, 1.0), (1e-300, 1.0), (1e300, 1.0), (np.inf, 1.0), (np.nan, 1.0)],
        "poisson": [(0.0,), (1e-300,), (9.2e18,)],
        "binomial": [(0, 0.5), (5, 0.0), (5, 1.0), (2**62, 0.5), (2**62, 1e-18), (1, 1e-300)],
        "vonmises": [(0.0, 0.0), (0.0, 1e300), (1e5, 1.0), (0.0, np.nan)],
        "zipf": [(1 + 1e-12,), (1e300,), (np.inf,)],
        "beta": [(1e-300, 1e-300), (1e300, 1e300), (1e-9, 1e9)],
    }
    random = ht.random.Generator(1, queue=device)
    for case in extremes[name]:
        x = ht.asnumpy(getattr(random, name)(*case, size=50))
        if np.isnan(case).any():
            assert np.isnan(x).all()
        elif name in ("poisson", "binomial", "zipf"):
            assert (x >= 0).all()
        else:
            assert not np.isnan(x).any(), case
    if name == "binomial":
        assert set(random.binomial(5, 1.0, 20).tolist()) == {5}
    if name == "vonmises":
        assert np.abs(ht.asnumpy(random.vonmises(3.0, 1.0, 1000))).max() <= np.pi


def test_beta_at_the_ends_of_the_parameters(device):
    """Gamma numbers of such parameters are 0 or infinite."""
    cases = {
        (1e-320, 3e-320): 0.25, (1e-307, 1e-307): 0.5, (5e-324, 1e-300): 0.0, (1e-310, 5.0): 0.0,
        (1e308, 1e308): 0.5, (1.7e308, 1.7e308): 0.5, (1.5e308, 0.5e308): 0.75, (1e308, 1.0): 1.0,
    }  # fmt: skip
    random = ht.random.Generator(3, queue=device)
    a, b = (ht.asarray(list(v), device=device)[:, None] for v in zip(*cases, strict=True))
    together = ht.asnumpy(random.beta(a, b, size=(len(cases), 4000)))
    for row, (case, mean) in zip(together, cases.items(), strict=True):
        for x in (row, ht.asnumpy(random.beta(*case, size=4000))):
            assert np.isfinite(x).all(), case
            assert abs(x.mean() - mean) < 0.04, case
            assert set(x.tolist()) <= {0.0, 1.0} or case[0] > 1, case
    vectors = ht.asnumpy(random.dirichlet([1e-320, 1e-320, 2e-320], size=4000))
    assert np.abs(vectors.mean(axis=0) - [0.25, 0.25, 0.5]).max() < 0.04


def test_a_draw_advances_whether_it_is_read_or_not(device):
    first, second = (hnp.random.default_rng(4, queue=device.default_queue) for _ in range(2))
    for name, arguments in ALL.items():
        getattr(first, name)(*arguments, size=3)
        getattr(second, name)(*arguments, size=3).tolist()
    first.multinomial(3, [0.5, 0.5]), second.multinomial(3, [0.5, 0.5]).tolist()
    first.permutation(5), second.permutation(5).tolist()
    assert first.draw == second.draw == len(ALL) + 2
    assert first.random(4).tolist() == second.random(4).tolist()


def test_states(device):
    random = hnp.random.default_rng(4, queue=device.default_queue)
    random.random(3)
    state = random.bit_generator.state
    expected = random.gamma(2.0, size=3).tolist()
    random.bit_generator.state = state
    assert random.gamma(2.0, size=3).tolist() == expected
    copied = pickle.loads(pickle.dumps(random))
    assert copied.bit_generator.state == random.bit_generator.state
    children = [c.random(2).tolist() for c in random.spawn(2)]
    assert children[0] != children[1]
    assert random.bit_generator.state["streams"] == 2
    assert isinstance(random.seed_seq, np.random.SeedSequence)
    with pytest.raises(ht.InvalidTypeError, match="state"):
        random.bit_generator.state = np.random.RandomState(1).get_state()
    legacy = hnp.random.RandomState(3, queue=device.default_queue)
    kept = legacy.get_state()
    expected = legacy.poisson(3.0, 5).tolist()
    legacy.set_state(kept)
    assert legacy.poisson(3.0, 5).tolist() == expected
    legacy.seed(3)
    assert legacy.poisson(3.0, 5).tolist() == expected
    assert legacy.uniform(3, 1, 5).shape == (5,)


def test_threads_draw_what_one_thread_draws(device):
    """Numbers depend on the draw's number, not on the thread."""
    random = ht.random.Generator(1, queue=device)
    drawn = []
    threads = [
        threading.Thread(target=lambda: drawn.extend(random.gamma(2.0, size=2) for _ in range(10)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    again = ht.random.Generator(1, queue=device)
    expected = [again.gamma(2.0, size=2).tolist() for _ in range(40)]
    assert sorted(x.tolist() for x in drawn) == sorted(expected)


def test_nothing_is_drawn_on_the_host(device):
    random = hnp.random.default_rng(4, queue=device.default_queue)
    with ht.host_fallback("error"):
        for name, arguments in ALL.items():
            getattr(random, name)(*arguments, size=3)
        random.choice(5, 3, p=[0.2] * 5)
        random.permutation(5)
        random.dirichlet([1.0, 2.0])
        random.multinomial(5, [0.5, 0.5])
