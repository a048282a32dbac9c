"""print() in compiled kernels."""

from __future__ import annotations

import concurrent.futures
import io
import sys
import threading
import warnings

import numba
import numpy as np
import pytest

import hither as ht


@pytest.fixture
def wait(queue):
    """Waits for the launches, whose output the wait shows."""
    return queue.wait


def lines_of(capfd) -> list[str]:
    return capfd.readouterr().out.splitlines()


def test_values_of_all_types(queue, wait, capfd):
    @ht.kernel
    def prints(i8, u8, i64, u64, f4, yes, c16):
        print("i8", i8[0], "u8", u8[0], "i64", i64[0], "u64", u64[0])
        print(f4[0], yes[0], c16[0], None, (1, f4[1]), "ä\n'b'")
        print()

    values = [
        np.array([-128], np.int8),
        np.array([255], np.uint8),
        np.array([-(2**63)], np.int64),
        np.array([2**64 - 1], np.uint64),
        np.array([0.1, np.inf], np.float32),
        np.array([True]),
        np.array([1 - 2j], np.complex64),
    ]
    prints[1](*(ht.asarray(v, queue=queue) for v in values))
    wait()
    assert lines_of(capfd) == [
        "i8 -128 u8 255 i64 -9223372036854775808 u64 18446744073709551615",
        "0.1 True (1-2j) None (1, inf) ä",
        "'b'",
        "",
    ]


def test_float64(queue, wait, capfd):
    if not queue.device.has_aspect("fp64"):
        pytest.skip("the device has no float64")

    @ht.kernel
    def prints(x):
        for i in range(x.size):
            print(x[i])

    values = [0.1, 1 / 3, -0.0, np.nan, np.inf, 1e300, 5e-324, 2.0]
    prints[1](ht.asarray(values, queue=queue))
    wait()
    assert lines_of(capfd) == [str(v) for v in values]


def test_each_item_prints_once(queue, wait, capfd):
    @numba.njit
    def shown(i, j):
        if (i + j) % 3 == 0:
            print("item", i, j)
        return i + j

    @ht.kernel
    def prints(y):
        i, j = ht.get_global_id(0), ht.get_global_id(1)
        y[i, j] = shown(i, j)

    y = ht.zeros((41, 7), dtype=ht.int32, queue=queue)
    prints[41, 7](y)
    wait()
    expected = [f"item {i} {j}" for i in range(41) for j in range(7) if (i + j) % 3 == 0]
    assert sorted(lines_of(capfd)) == sorted(expected)
    assert np.array_equal(ht.asnumpy(y), np.add.outer(np.arange(41), np.arange(7)))


def test_groups_with_barriers(queue, wait, capfd):
    @ht.kernel
    def prints(x):
        i, k = ht.get_local_id(0), ht.get_group_id(0)
        shared = ht.local.array(8, ht.int32)
        shared[i] = x[ht.get_global_id(0)]
        ht.barrier()
        if i == 0:
            print("group", k, "begins with", shared[0], "and ends with", shared[7])
        ht.barrier()
        if shared[7 - i] == 19:
            print("found by", ht.get_global_id(0))

    prints[ht.NdRange(32, 8)](ht.arange(32, dtype=ht.int32, queue=queue))
    wait()
    groups = [f"group {k} begins with {8 * k} and ends with {8 * k + 7}" for k in range(4)]
    assert sorted(lines_of(capfd)) == sorted([*groups, "found by 20"])


def test_reads_of_results_show_it(queue, capfd):
    @ht.kernel
    def prints(y):
        y[0] = 5
        print("value", y[0])

    y = ht.zeros(1, dtype=ht.int32, queue=queue)
    for _ in range(200):  # more launches than have buffers
        prints[1](y)
    assert int(y[0]) == 5
    assert lines_of(capfd) == ["value 5"] * 200


def test_a_wait_returns_after_what_another_thread_is_showing(queue, monkeypatch):
    is_writing, may_write, shown = threading.Event(), threading.Event(), []

    class Slow(io.StringIO):
        def write(self, text: str) -> int:
            is_writing.set()
            may_write.wait()
            shown.append(text)
            return len(text)

    @ht.kernel
    def prints(y):
        print("line", y[0])

    def launch():
        prints[1](y)
        queue.wait()

    y = ht.ones(1, queue=queue, dtype=ht.int32)
    monkeypatch.setattr(sys, "stdout", Slow())
    with concurrent.futures.ThreadPoolExecutor() as threads:
        one = threads.submit(launch)
        assert is_writing.wait(60)
        other = threads.submit(lambda: (queue.wait(), list(shown)))
        with pytest.raises(TimeoutError):
            other.result(timeout=0.3)
        may_write.set()
        assert "".join(other.result(60)[1]).startswith("line 1")
        one.result(60)


def test_numpy_arrays(queue, capfd):
    @ht.kernel
    def prints(y):
        y[0] = 7
        print(y[0])

    y = np.zeros(1, np.int32)
    prints[1](y, queue=queue)
    assert lines_of(capfd) == ["7"]
    assert y[0] == 7


def test_output_is_bounded(queue, wait, capfd):
    @ht.kernel
    def prints(y):
        print(ht.get_global_id(0))

    prints[100_000](ht.zeros(1, queue=queue, dtype=ht.int32))
    wait()
    out, err = capfd.readouterr()
    numbers = out.split()
    assert 0 < len(numbers) == len(set(numbers)) < 100_000
    assert f"{100_000 - len(numbers)} more calls of print in kernel prints" in err


def test_a_kernel_that_fails_has_printed(queue, capfd):
    @ht.kernel(debug=True)
    def prints(y):
        print("before")
        y[y.size] = 1

    prints[1](ht.zeros(3, queue=queue, dtype=ht.int32))
    with pytest.raises(ht.errors.KernelError):
        queue.wait()
    assert lines_of(capfd) == ["before"]


def test_compiled_functions_run_as_they_are(queue, wait, capfd):
    @ht.kernel
    def prints(y):
        y[0] += 1
        print(y[0])

    @ht.compile
    def step(y):
        prints[1](y)
        return y + 1

    y = ht.zeros(1, queue=queue, dtype=ht.int32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(3):
            step(y)
    wait()
    assert lines_of(capfd) == ["1", "2", "3"]


def test_loops_of_numba_print_on_the_host(queue, capfd):
    @numba.njit(parallel=True)
    def f(x):
        for i in numba.prange(x.size):
            x[i] = i
            print("at", i)

    x = np.zeros(5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with ht.device_context(queue, keep_below=0):
            f(x)
    # Numba's threads may print between the words of each other.
    assert sorted(capfd.readouterr().out) == sorted("".join(f"at {i}\n" for i in range(5)))
    assert np.array_equal(x, np.arange(5))


def test_functions_of_arrays_cannot_print(queue):
    @ht.vectorize
    def shown(x):
        print(x)
        return x

    with pytest.raises(ht.errors.CompileError, match="shown prints, which only kernels can"):
        shown(ht.ones(3, queue=queue))


@pytest.mark.parametrize("wrong", ["array", "text"])
def test_what_cannot_be_printed(queue, wrong):
    if wrong == "array":

        @ht.kernel
        def prints(y):
            print(y)
    else:

        @ht.kernel
        def prints(y):
            print(("a", y[0]))

    with pytest.raises(ht.errors.CompileError, match="print takes numbers"):
        prints[1](ht.ones(1, queue=queue))


def test_without_stdout(queue, wait, monkeypatch):
    @ht.kernel
    def prints():
        print("nowhere")

    ignored: list = []
    monkeypatch.setattr(sys, "unraisablehook", ignored.append)
    monkeypatch.setattr(sys, "stdout", None)
    prints[1](queue=queue)
    wait()
    assert not ignored
