"""hither.random: the same numbers on every device, with the right distributions."""

from __future__ import annotations

import os
import pickle
import threading

import numpy as np
import pytest

import hither as ht

N = 100_000


def test_known_answers(device):
    """Random123's known answer for philox4x32-10 with a counter and a key of 0."""
    from hither._libraries.random.operations import bits, scaled_bits

    items = ht.zeros(3, dtype=ht.uint64, device=device)
    assert int(bits()(items, 0j)[1]) == 0xE169C58D_6627E8D5
    assert int(scaled_bits(False)(items, 0j, 0)[1]) == 0x9B00DBD8_BC57AC4C


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
        lambda g: g.permuted(ht.reshape(ht.arange(40, queue=g.queue), (5, 8)), axis=1),
        lambda g: g.choice(30, 7, replace=False),
        lambda g: g.choice(20_000, 7, replace=False),
        lambda g: g.choice(3, 30, p=[0.2, 0.3, 0.5]),
        lambda g: g.choice(4, 2, False, p=[0.2, 0.3, 0.4, 0.1]),
        lambda g: g.multinomial(20, [0.2, 0.3, 0.5], 6),
        lambda g: g.multivariate_hypergeometric([3, 4, 5], 6, 6),
        lambda g: g.normal(2, 3, 100),
        lambda g: g.standard_normal(5000, dtype="float32"),
    ):
        np.testing.assert_array_equal(ht.asnumpy(draw(here)), ht.asnumpy(draw(there)))


def test_integers_are_products_of_random_bits(device):
    """Of 128 random bits and the width, or of 96 bits if the width has at most 32."""
    from hither._libraries.random.operations import scaled_bits

    drawn = 0x9B00DBD8_BC57AC4C_E169C58D_6627E8D5  # Random123's answer above
    widths = [1, 2, 3, 10, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1, 10**15 + 7, 2**63, 2**64 - 1]
    items, wide = (
        ht.asarray(np.array(v, np.uint64), device=device) for v in ([0] * len(widths), widths)
    )
    found = scaled_bits(False)(items, 0j, wide).tolist()
    assert found == [drawn * width >> 128 for width in widths]
    narrow = scaled_bits(True)(items[:7], 0j, wide[:7]).tolist()
    assert narrow == [(drawn >> 32) * width >> 96 for width in widths[:7]]


@pytest.mark.parametrize("width", [1, 7, 2**32, 2**32 + 1, 3 * 2**62, 2**64 - 1, 2**64])
def test_integers_of_any_range(device, width):
    random = ht.random.Generator(6, queue=device)
    x = ht.asnumpy(random.integers(0, width, N, dtype="uint64"))
    assert int(x.max()) < width
    signed = ht.asnumpy(random.integers(-(2**63), width - 2**63, N))
    if width > 7:
        for values in (x.astype(object), signed.astype(object) + 2**63):
            level = np.array([(int(v) + 0.5) / width for v in values[:10_000]])
            level.sort()
            distance = np.abs(level - (np.arange(len(level)) + 0.5) / len(level)).max()
            assert distance * np.sqrt(len(level)) < 2
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


def test_memory_is_taken_over_by_whole_arrays_only(queue):
    x = ht.arange(6.0, queue=queue)
    words = ht._hither.as_elements(x + 0, "uint32")
    np.testing.assert_array_equal(ht.asnumpy(words), np.arange(6.0).view("uint32"))
    for part in (x[:4], x[::2], ht.reshape(x, (2, 3))):
        with pytest.raises(ht.InvalidValueError, match="a whole array of one dimension"):
            ht._hither.as_elements(part, "uint32")
    with pytest.raises(ht.InvalidValueError, match="no elements of complex128"):
        ht._hither.as_elements(ht.ones(3, queue=queue), "complex128")
