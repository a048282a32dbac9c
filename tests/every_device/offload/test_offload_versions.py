"""The version of a Numba function that a call in a device context uses."""

from __future__ import annotations

import itertools
import sys

import numba
import numpy as np
import pytest
from numba import prange

import hither as ht
from hither._offload.region import RegionSource

pytestmark = pytest.mark.either_mode  # the arguments are NumPy arrays

IDENTITIES = itertools.count(7)  # a program remembers its regions


def test_a_helper_takes_types_that_come_later(queue):
    half = numba.njit(lambda v: v * 0.5)

    @numba.njit
    def halved(x):
        r = np.empty(x.size)
        for i in prange(x.size):
            r[i] = half(x[i])
        return r

    assert half(3) == 1.5
    halved(np.arange(4))
    with ht.device_context(queue, keep_below=0):
        np.testing.assert_array_equal(halved(np.arange(4)), np.arange(4) / 2)
        np.testing.assert_array_equal(halved(np.arange(4) + 0.5), (np.arange(4) + 0.5) / 2)


def test_explicit_signatures_of_callees_hold(queue):
    third = numba.njit("float32(float32)")(lambda v: v / 3)

    @numba.njit
    def thirds(x):
        r = np.empty(x.size)
        for i in prange(x.size):
            r[i] = third(x[i])
        return r

    plain = thirds(np.arange(5.0))
    with ht.device_context(queue, keep_below=0):
        np.testing.assert_allclose(thirds(np.arange(5.0)), plain, rtol=1e-6)
    assert plain[1] != 1 / 3


def test_a_recursive_function_with_a_signature(queue):
    @numba.njit("f8(f8)")
    def factorial(n):
        if n <= 1:
            return 1.0
        return n * factorial(n - 1)

    with ht.device_context(queue, keep_below=0):
        assert factorial(5.0) == 120


@pytest.mark.parametrize("on_serial", ["ignore", "single_task", "host"])
def test_contexts_of_several_kinds_share_a_function_with_signatures(queue, on_serial):
    plus_one = numba.njit("f8[:](f8[:])")(lambda x: x + 1)
    with ht.device_context(queue, keep_below=0):
        np.testing.assert_array_equal(plus_one(np.arange(3.0)), [1, 2, 3])
    with ht.device_context(queue, on_serial=on_serial):
        np.testing.assert_array_equal(plus_one(np.arange(3.0)), [1, 2, 3])


def test_booleans_of_an_iteration(queue):
    @numba.njit
    def ones(r):
        for i in prange(r.size):
            seen = np.zeros(4, np.bool_)
            seen[i % 4] = True
            r[i] = seen.sum()

    r = np.zeros(7)
    with ht.device_context(queue, keep_below=0):
        ones(r)
    np.testing.assert_array_equal(r, np.ones(7))


def test_a_kernel_that_is_told_where_to_put_a_result_writes(queue):
    @ht.kernel
    def added(x, out):
        i = ht.get_global_id(0)
        np.add(x[i], 1.0, out[i])

    out = np.zeros((4, 1))
    with ht.device_context(queue, keep_below=0):
        added[ht.Range(4)](np.ones((4, 1)), out)
    np.testing.assert_array_equal(out, np.full((4, 1), 2.0))


FACTOR = 2.0


@numba.njit
def scaled(v):
    return v * FACTOR


@numba.njit
def each_scaled(x):
    r = np.empty(x.size)
    for i in prange(x.size):
        r[i] = scaled(x[i])
    return r.sum() * FACTOR


@numba.stencil
def before_and_after(a):
    return a[-1] + a[1]


@numba.njit(parallel=False)
def serial_stencil(x):
    return before_and_after(x)


def test_stencils_of_functions_that_are_compiled_without_parallel_passes(queue):
    @numba.njit
    def calls_a_serial_one(x):
        return serial_stencil(x) + x

    @numba.njit
    def conflicting(x):
        s = 1.0
        for i in prange(x.size):
            s += x[i]
            s *= 0.5
        return before_and_after(x) + s

    x = np.arange(10.0)
    expected = calls_a_serial_one(x), conflicting(x)
    with ht.device_context(queue, on_serial="host"):
        np.testing.assert_array_equal(calls_a_serial_one(x), expected[0])
        with pytest.warns(ht.PerformanceWarning, match="conflicting"):
            np.testing.assert_array_equal(conflicting(x), expected[1])


def test_recompiled_functions_know_what_globals_are_now(queue, monkeypatch):
    x = np.ones(10)
    with ht.device_context(queue, keep_below=0):
        assert each_scaled(x) == 40
        monkeypatch.setattr(sys.modules[__name__], "FACTOR", 3.0)
        assert each_scaled(x) == 40  # as in Numba, until they are compiled again
        each_scaled.recompile()
        assert each_scaled(x) == 60  # the callee is as it was
        scaled.recompile()
        each_scaled.recompile()
        assert each_scaled(x) == 90
    assert each_scaled(x) == 90
    monkeypatch.undo()
    for function in (scaled, each_scaled):
        function.recompile()
    with ht.device_context(queue, keep_below=0):
        assert each_scaled(x) == 40


def test_a_region_never_runs_as_another_that_has_its_id(queue, monkeypatch):
    identity = next(IDENTITIES)
    monkeypatch.setattr(RegionSource, "id", property(lambda self: identity))
    first = numba.njit(lambda x: x + 1)
    second = numba.njit(lambda x: x * 3)
    x = np.arange(5.0)
    with ht.device_context(queue, keep_below=0):
        for _ in range(2):
            np.testing.assert_array_equal(first(x), x + 1)
            np.testing.assert_array_equal(second(x), x * 3)
    (parfor,) = ht.offload_report(second).parfors
    assert "hash" in parfor.reason
    assert ht.offload_report(first).parfors[0].reason is None


def test_functions_that_host_loops_call_have_no_regions(queue):
    @numba.njit
    def shift(x, value):
        x[:-1] = x[1:]
        x[-1] = value

    @numba.njit
    def shift_rows(x):
        for i in prange(x.shape[0]):
            values = [1.0, 2.0]  # kernels have no lists
            for value in values:
                shift(x[i], value)
        return x

    expected = shift_rows(np.arange(12.0).reshape(3, 4))
    with ht.device_context(queue, keep_below=0):
        np.testing.assert_array_equal(shift_rows(np.arange(12.0).reshape(3, 4)), expected)
        own = np.arange(4.0)
        shift(own, 7.0)
    assert own.tolist() == [1, 2, 3, 7]
    (region,) = ht.offload_report(shift).parfors
    assert sum(use.launches for use in region.uses) == 1


def test_cached_functions_of_a_namespace_without_a_name(queue, tmp_path):
    # exec() gives functions no __module__ if its namespace has no __name__.
    file = tmp_path / "generated.py"
    file.write_text(
        "import numba\n"
        "@numba.njit(cache=True)\n"
        "def shifted(v):\n"
        "    return 2 * v + 1\n"
        "@numba.njit(cache=True)\n"
        "def filled(x, y):\n"
        "    for i in numba.prange(x.size):\n"
        "        y[i] = shifted(x[i])\n"
    )
    namespace = {}
    exec(compile(file.read_text(), str(file), "exec"), namespace)
    x, y = np.arange(5.0), np.zeros(5)
    with ht.device_context(queue, keep_below=0):
        namespace["filled"](x, y)
    np.testing.assert_array_equal(y, 2 * x + 1)
    (parfor,) = ht.offload_report(namespace["filled"]).parfors
    assert sum(use.launches for use in parfor.uses) == 1
