"""Arrays of more than 2**31 elements, whose indices do not fit into 32 bits.

They need 2.2 GB each, and some seconds on many cores: smaller machines leave them out.
"""

import os

import numpy as np
import pytest

import hither as ht

COUNT = 2**31 + 50_000_003
BEYOND = 2**31  # the first index that does not fit into an int32
MARKS = {1: 250, BEYOND + 10: 100, COUNT - 5: 200}
ROWS, COLUMNS = 2**11 + 1, 2**20

pytestmark = pytest.mark.either_mode


def _available() -> int:
    with open("/proc/meminfo") as file:
        fields = dict(line.split(":") for line in file)
    return int(fields["MemAvailable"].split()[0]) << 10


@pytest.fixture
def host():
    if (os.cpu_count() or 1) < 8 or _available() < 64 << 30:
        pytest.skip("needs 8 cores and 64 GiB of memory")
    x = np.zeros(COUNT, np.uint8)
    x[::7] = 3
    x[-10:] = 0
    for index, value in MARKS.items():
        x[index] = value
    return x


@pytest.fixture
def x(host, queue):
    free = ht.memory_info(queue).free
    if free is not None and free < 16 << 30:
        pytest.skip("needs 16 GiB of memory of the device")
    return ht.asarray(host, queue=queue)


def ends(n):
    """Parts of an array: around 2**31, and at its ends."""
    return n[:100], n[BEYOND - 100 : BEYOND + 100], n[-100:]


def same(got, expected):
    for part, wanted in zip(ends(got), ends(expected), strict=True):
        np.testing.assert_array_equal(ht.asnumpy(part), wanted)


def test_elements_and_slices(x, host):
    y = x * 2 + 1
    ht.synchronize(y)
    same(y, host * np.uint8(2) + np.uint8(1))
    same(ht.copy(x[::-1]), host[::-1])
    same(ht.roll(x, 3), np.roll(host, 3))
    same(ht.concat([x[:BEYOND], x[BEYOND:]]), host)
    for part in (
        np.s_[BEYOND + 3 : BEYOND + 1003],
        np.s_[BEYOND - 1 :: -(2**20)],
        np.s_[3 :: 2**20],
    ):
        np.testing.assert_array_equal(ht.asnumpy(x[part] + 1), host[part] + 1)
    assert [int(x[i]) for i in MARKS] == list(MARKS.values())
    assert int(x[-5]) == 200


def test_writes(x, host):
    y = ht.zeros_like(x)
    y[BEYOND + 5 : BEYOND + 10] = 7
    y[BEYOND - 2 :: 2**18] = 3
    y[ht.asarray(list(MARKS), queue=x.queue)] = ht.asarray([1, 2, 4], dtype="uint8", queue=x.queue)
    expected = np.zeros_like(host)
    expected[BEYOND + 5 : BEYOND + 10] = 7
    expected[BEYOND - 2 :: 2**18] = 3
    expected[list(MARKS)] = [1, 2, 4]
    same(y, expected)
    assert int(ht.sum(y)) == int(expected.sum())


def test_reductions(x, host):
    assert int(ht.sum(x)) == int(host.sum(dtype=np.uint64))
    assert int(ht.count_nonzero(x)) == int(np.count_nonzero(host))
    assert (int(ht.max(x)), int(ht.min(x))) == (250, 0)
    assert [int(ht.argmax(x[start:])) + start for start in (0, 2, BEYOND + 11)] == [
        1, COUNT - 5, COUNT - 5,
    ]  # fmt: skip
    assert bool(ht.any(x == 200)) and not bool(ht.any(x == 201))
    rows, matrix = ht.reshape(x[: ROWS * COLUMNS], (ROWS, -1)), host[: ROWS * COLUMNS]
    matrix = matrix.reshape(ROWS, -1)
    np.testing.assert_array_equal(ht.asnumpy(ht.sum(rows, axis=1)), matrix.sum(axis=1))
    np.testing.assert_array_equal(ht.asnumpy(ht.max(rows, axis=0)), matrix.max(axis=0))
    long = ht.sum(ht.reshape(x, (1, COUNT)), axis=1)
    assert int(long[0]) == int(host.sum(dtype=np.uint64))


def test_selections_and_scans(x, host):
    at = np.array([COUNT - 5, BEYOND + 10, 1, 0, COUNT - 1, BEYOND])
    np.testing.assert_array_equal(ht.asnumpy(ht.take(x, ht.asarray(at, queue=x.queue))), host[at])
    assert ht.asnumpy(x[x >= 100]).tolist() == list(MARKS.values())
    assert ht.asnumpy(ht.nonzero(x >= 100)[0]).tolist() == list(MARKS)
    sums = ht.cumulative_sum(x, dtype=ht.uint8)
    same(sums, np.cumsum(host, dtype=np.uint8))


def test_a_transpose_and_a_kernel(x, host):
    rows = ht.reshape(x[: ROWS * COLUMNS], (ROWS, -1))
    expected = host[: ROWS * COLUMNS].reshape(ROWS, -1)
    turned = ht.copy(rows.T)
    np.testing.assert_array_equal(ht.asnumpy(turned[-3:]), expected.T[-3:])
    del turned

    @ht.kernel
    def add_one(a, b):
        i = ht.get_global_id(0)
        b[i] = a[i] + 1

    y = ht.zeros_like(x)
    add_one[ht.Range(COUNT)](x, y)
    same(y, host + 1)
