"""Random numbers inside kernels."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht

# Random123's known answers for philox4x32-10: counter, key, result
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]
N = 200_000


@ht.kernel
def philox(counter, key, result):
    i = ht.get_global_id(0)
    x = ht.random.philox4x32(
        counter[i, 0], counter[i, 1], counter[i, 2], counter[i, 3], key[i, 0], key[i, 1]
    )
    for k in range(4):
        result[i, k] = x[k]


def test_known_answers(queue):
    counter, key, expected = (np.array(v, np.uint32) for v in zip(*KNOWN, strict=True))
    result = ht.zeros((3, 4), dtype=ht.uint32, queue=queue)
    philox[3](ht.asarray(counter, queue=queue), ht.asarray(key, queue=queue), result)
    assert np.array_equal(ht.asnumpy(result), expected)


def drawn(function, queue, dtype, seed=1, range_=N):
    @ht.kernel
    def draw(seed, result):
        i = ht.get_global_linear_id()
        result[i] = function(seed, i)

    result = ht.zeros(N, dtype=dtype, queue=queue)
    draw[range_](seed, result)
    return ht.asnumpy(result)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_uniform(queue, dtype):
    x = drawn(getattr(ht.random, f"uniform_{dtype}"), queue, dtype)
    assert x.min() >= 0 and x.max() < 1
    assert abs(x.mean(dtype="f8") - 0.5) < 4 / np.sqrt(12 * N)
    counts = np.histogram(x, 64, (0, 1))[0]
    assert ((counts - N / 64) ** 2 / (N / 64)).sum() < 63 + 5 * np.sqrt(2 * 63)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_normal(queue, dtype):
    x = drawn(getattr(ht.random, f"normal_{dtype}"), queue, dtype).astype("f8")
    assert abs(x.mean()) < 4 / np.sqrt(N) and abs(x.var() - 1) < 4 * np.sqrt(2 / N)
    assert abs((x**3).mean()) < 0.05 and abs((x**4).mean() - 3) < 0.1


def test_the_same_seed_and_item_give_the_same_number(queue):
    uniform = ht.random.uniform_float64
    one = drawn(uniform, queue, "float64")
    assert np.array_equal(one, drawn(uniform, queue, "float64", range_=(400, 500)))
    assert not np.array_equal(one, drawn(uniform, queue, "float64", seed=2))


def test_draws_differ(queue):
    @ht.kernel
    def several(result):
        i = ht.get_global_id(0)
        for k in range(3):
            result[k, i] = ht.random.uniform_float32(9, i, k)

    result = ht.zeros((3, 1000), queue=queue)
    several[1000](result)
    assert np.abs(np.corrcoef(ht.asnumpy(result)) - np.eye(3)).max() < 0.15
