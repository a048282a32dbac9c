"""hither.random: the same numbers on every device, with the right distributions."""

from __future__ import annotations

import os
import pickle
import threading

import numpy as np
import pytest

import hither as ht

N = 100_000
# Random123's known answers for philox4x32-10: counter, key, words.
KNOWN = [
    (0, 0, 0, (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    (
        0x85A308D3_243F6A88,
        0x03707344_13198A2E,
        0x299F31D0_A4093822,
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]
# Drawn on the device, with an inverse distribution function of u in (0, 1).
MADE = {
    "uniform": ((2.0, 5.0), lambda u: 2 + 3 * u),
    "exponential": ((2.0,), lambda u: -2 * np.log1p(-u)),
    "laplace": ((1.0, 2.0), lambda u: 1 - 2 * np.sign(u - 0.5) * np.log(1 - 2 * abs(u - 0.5))),
    "logistic": ((1.0, 2.0), lambda u: 1 + 2 * np.log(u / (1 - u))),
    "gumbel": ((1.0, 2.0), lambda u: 1 - 2 * np.log(-np.log(u))),
    "rayleigh": ((3.0,), lambda u: 3 * np.sqrt(-2 * np.log1p(-u))),
    "weibull": ((2.0,), lambda u: np.sqrt(-np.log1p(-u))),
    "pareto": ((3.0,), lambda u: (1 - u) ** (-1 / 3) - 1),
    "power": ((2.0,), np.sqrt),
    "standard_cauchy": ((), lambda u: np.tan(np.pi * (u - 0.5))),
}
# Drawn by NumPy.
TAKEN = {"poisson": (3.0,), "gamma": (2.0, 1.5), "beta": (1.0, 2.0), "binomial": (10, 0.3),
         "chisquare": (3.0,), "standard_t": (4.0,), "geometric": (0.4,), "vonmises": (0.0, 1.0),
         "multinomial": (5, [0.2, 0.3, 0.5]), "dirichlet": ([1.0, 2.0],)}  # fmt: skip


def one_sample(x, inverse):
    """The largest distance of the distribution functions, times the root of the count."""
    level = np.searchsorted(inverse((np.arange(2000) + 0.5) / 2000), x) / 2000
    level.sort()
    return np.abs(level - (np.arange(len(x)) + 0.5) / len(x)).max() * np.sqrt(len(x))


@pytest.mark.parametrize(("item", "draw", "key", "words"), KNOWN)
def test_known_answers(device, item, draw, key, words):
    from hither._libraries.random.philox import random_operation

    items = ht.full(3, item, dtype=ht.uint64, device=device)
    low, high = (int(random_operation("uint64", half)(items, key, draw)[1]) for half in (0, 1))
    assert (low, high) == (words[0] | words[1] << 32, words[2] | words[3] << 32)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_kernels_draw_the_same_numbers(queue, dtype):
    uniform = getattr(ht.random, f"uniform_{dtype}")
    normal = getattr(ht.random, f"normal_{dtype}")

    @ht.kernel
    def draw(seed, number, u, z):
        i = ht.get_global_linear_id()
        u[i] = uniform(seed, i, number)
        z[i] = normal(seed, i, number + 1)

    u, z = (ht.zeros(1000, dtype=dtype, queue=queue) for _ in range(2))
    random = ht.random.Generator(2**40 + 5, queue=queue)
    random.draw = 7
    draw[1000](2**40 + 5, 7, u, z)
    np.testing.assert_array_equal(ht.asnumpy(random.random(1000, dtype=dtype)), ht.asnumpy(u))
    np.testing.assert_allclose(
        ht.asnumpy(random.standard_normal(1000, dtype=dtype)),
        ht.asnumpy(z),
        rtol=1e-5 if dtype == "float32" else 1e-12,
        atol=1e-5 if dtype == "float32" else 1e-12,
    )


def test_every_device_draws_the_same_bits(device):
    here, there = (ht.random.Generator(5, queue=d) for d in (device, "native_cpu"))
    for draw in (
        lambda g: g.random((30, 4)),
        lambda g: g.random(50, dtype="float32"),
        lambda g: g.integers(-5, 1000, 100),
        lambda g: g.integers(0, 2**63 + 5, 100, dtype="uint64"),
        lambda g: g.poisson(4.0, 20),
        lambda g: g.permutation(40),
    ):
        np.testing.assert_array_equal(ht.asnumpy(draw(here)), ht.asnumpy(draw(there)))
    np.testing.assert_allclose(
        ht.asnumpy(here.normal(size=100)),
        ht.asnumpy(there.normal(size=100)),
        rtol=1e-12,
        atol=1e-14,
    )


@pytest.mark.parametrize("name", MADE)
def test_distributions(device, name):
    arguments, inverse = MADE[name]
    x = getattr(ht.random.Generator(3, queue=device), name)(*arguments, size=N)
    assert (x.dtype, x.queue) == (ht.float64, device.default_queue)
    assert np.isfinite(ht.asnumpy(x)).all()
    assert one_sample(ht.asnumpy(x), inverse) < 2


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_normal_numbers(device, dtype):
    from statistics import NormalDist

    x = ht.random.Generator(4, queue=device).normal(1, 3, N, dtype=dtype)
    assert x.dtype == dtype
    quantiles = np.vectorize(NormalDist(1, 3).inv_cdf)
    assert one_sample(ht.asnumpy(x).astype("float64"), quantiles) < 2


def test_a_triangle(device):
    x = ht.asnumpy(ht.random.Generator(4, queue=device).triangular(-1, 0.5, 2, N))
    reference = np.random.default_rng(1).triangular(-1, 0.5, 2, N)
    levels = np.linspace(0.01, 0.99, 50)
    np.testing.assert_allclose(np.quantile(x, levels), np.quantile(reference, levels), atol=0.03)


@pytest.mark.parametrize("name", TAKEN)
def test_distributions_that_numpy_draws(device, name):
    random = ht.random.Generator(3, queue=device)
    x = getattr(random, name)(*TAKEN[name], size=20_000)
    reference = getattr(np.random.default_rng(9), name)(*TAKEN[name], size=20_000)
    assert (x.shape, x.dtype, x.queue) == (reference.shape, reference.dtype, device.default_queue)
    spread = reference.std(axis=0)
    assert (np.abs(ht.asnumpy(x).mean(axis=0) - reference.mean(axis=0)) < spread / 20).all()
    again = getattr(random, name)(*TAKEN[name], size=20_000)
    assert (ht.asnumpy(again) != ht.asnumpy(x)).any()


@pytest.mark.parametrize("width", [1, 7, 2**32, 2**32 + 1, 3 * 2**62, 2**64 - 1, 2**64])
def test_integers_of_any_range(device, width):
    random = ht.random.Generator(6, queue=device)
    x = ht.asnumpy(random.integers(0, width, N, dtype="uint64"))
    assert int(x.max()) < width
    signed = ht.asnumpy(random.integers(-(2**63), width - 2**63, N))
    if width > 7:
        for values in (x.astype(object), signed.astype(object) + 2**63):
            level = np.array([(int(v) + 0.5) / width for v in values[:10_000]])
            assert one_sample(level, lambda u: u) < 2
    if width == 7:
        counts = np.bincount(x.astype("int64"), minlength=7)
        assert ((counts - N / 7) ** 2 / (N / 7)).sum() < 6 + 5 * np.sqrt(12)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int32", "uint16", "int64"])
def test_integers_fill_their_dtype(device, dtype):
    least, most = (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    x = ht.random.Generator(1, queue=device).integers(least, most, N, dtype=dtype, endpoint=True)
    assert x.dtype == dtype
    host = ht.asnumpy(x).astype("float64")
    assert abs(host.mean() - (least + most) / 2) < (most - least + 1) / 100
    if most - least < 256:
        assert (host.min(), host.max()) == (least, most)


def test_parameters_may_be_arrays(device):
    random = ht.random.Generator(2)
    loc = ht.asarray([0.0, 1000.0], device=device)
    x = random.normal(loc, 1.0, (500, 2))
    assert x.queue == loc.queue
    assert np.abs(ht.asnumpy(x).mean(axis=0) - [0, 1000]).max() < 0.5
    assert random.normal(loc).shape == (2,)
    low, high = (ht.asarray(v, device=device) for v in ([0, -(2**63)], [3, 2**63 - 1]))
    chosen = ht.asnumpy(random.integers(low, high, (1000, 2), endpoint=True))
    assert set(chosen[:, 0]) == {0, 1, 2, 3}
    assert chosen[:, 1].min() < -(2**61) and chosen[:, 1].max() > 2**61
    rate = random.poisson(ht.asarray([1.0, 100.0], device=device), (400, 2))
    assert rate.queue == loc.queue
    assert np.abs(ht.asnumpy(rate).mean(axis=0) - [1, 100]).max() < 3


def test_order(device):
    random = ht.random.Generator(8, queue=device)
    x = ht.reshape(ht.arange(12, device=device), (4, 3))
    host = ht.asnumpy(x)
    for axis in (0, 1, -1):
        moved = ht.asnumpy(random.permutation(x, axis=axis))
        assert sorted(moved.T.tolist() if axis else moved.tolist()) == sorted(
            host.T.tolist() if axis else host.tolist()
        )
    assert sorted(ht.asnumpy(random.permuted(x)).reshape(-1)) == list(range(12))
    rows = ht.asnumpy(random.permuted(x, axis=1))
    assert (np.sort(rows, axis=1) == host).all()
    view = x[1:]
    random.shuffle(view)
    assert sorted(ht.asnumpy(x).tolist()) == host.tolist()
    assert ht.asnumpy(x)[0].tolist() == [0, 1, 2]
    assert sorted(random.permutation(20).tolist()) == list(range(20))


def test_choices(device):
    random = ht.random.Generator(8, queue=device)
    x = ht.arange(6, device=device) * 10
    assert set(random.choice(x, 200).tolist()) == set(range(0, 60, 10))
    assert sorted(random.choice(x, 6, replace=False).tolist()) == list(range(0, 60, 10))
    assert random.choice(x).shape == ()
    assert random.choice(5, (2, 3)).shape == (2, 3)
    assert random.choice(3, 50, p=[0, 1, 0]).tolist() == [1] * 50
    table = ht.reshape(x, (3, 2))
    assert random.choice(table, (4, 2), axis=1).shape == (3, 4, 2)
    assert len(random.bytes(11)) == 11


def test_draws_and_streams():
    random = ht.random.default_rng(11)
    first, second = random.random(5).tolist(), random.random(5).tolist()
    assert first != second
    assert random.random(0).shape == (0,)
    random.draw = 1
    assert random.random(5).tolist() == second
    assert ht.random.default_rng(random) is random
    copied = pickle.loads(pickle.dumps(random))
    assert copied.random(3).tolist() == random.random(3).tolist()
    streams = [random.stream(i).random(3).tolist() for i in range(3)]
    assert len({tuple(s) for s in [*streams, first[:3]]}) == 4
    assert [g.random(3).tolist() for g in random.spawn(2)] == streams[:2]
    assert random.spawn(1)[0].random(3).tolist() == streams[2]
    wide = ht.random.Generator([1, 2, 3])
    assert wide.seed == ht.random.Generator(np.random.SeedSequence([1, 2, 3])).seed
    assert ht.random.Generator(2**70).seed != ht.random.Generator(2**71).seed
    assert ht.random.Generator().seed != ht.random.Generator().seed


@pytest.mark.skipif(
    os.environ.get("HITHER_EAGER", "0") not in ("", "0"), reason="eager operations do not fuse"
)
def test_numbers_fuse_into_what_reads_them(device):
    words = ht.explain(ht.sum(ht.random.Generator(1, queue=device).normal(size=1000) * 2 + 1))
    assert words.count("kernel") == 1


def test_threads_take_draws_of_their_own():
    random = ht.random.Generator(1)
    drawn = []
    threads = [
        threading.Thread(
            target=lambda: drawn.extend(random.random(2).tolist()[0] for _ in range(50))
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert random.draw == 200
    assert len(set(drawn)) == 200
