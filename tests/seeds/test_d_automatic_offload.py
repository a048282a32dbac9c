"""Requirements D: automatic offload of Numba functions."""

from __future__ import annotations

import asyncio
import threading

import numba
import numpy as np
import pytest

import hither as ht

pytestmark = pytest.mark.either_mode  # the arguments are NumPy arrays


def axpy(x, y):
    return 0.5 * x + y


@pytest.fixture
def arrays():
    return np.arange(1000.0), np.ones(1000)


def regions_of(call, *arguments):
    """The number of parallel regions that a call runs as kernels."""
    before = ht.counters()["offloaded_regions"]
    call(*arguments)
    return ht.counters()["offloaded_regions"] - before


def test_d01_outside_a_context_a_function_is_plain_numba(device, arrays):
    f = numba.njit(axpy)
    with ht.device_context(device):
        f(*arrays)
    before = ht.counters()
    np.testing.assert_array_equal(f(*arrays), axpy(*arrays))
    assert ht.counters() == before
    assert ht.offload_report(f).plain_versions == 1
    assert "parallel" not in f.targetoptions


def test_d02_each_region_runs_on_the_device_of_its_context(two_devices, arrays):
    f = numba.njit(axpy)
    for device in two_devices:
        with ht.device_context(device):
            f(*arrays)
    (parfor,) = ht.offload_report(f).parfors
    assert [use.device for use in parfor.uses] == two_devices
    assert parfor.line == axpy.__code__.co_firstlineno + 1
    assert two_devices[1].filter_string in str(parfor)


def test_d03_functions_decorated_before_need_no_change(device, arrays):
    from numba import jit

    @jit
    def f(x, y):
        return x + y

    f(*arrays)
    with ht.device_context(device):
        assert regions_of(f, *arrays) == 1


def test_d04_versions_are_made_once_and_equivalent_contexts_share_them(two_devices, arrays):
    f = numba.njit(axpy)
    f(*arrays)
    with ht.device_context(two_devices[0]):
        f(*arrays)
    with ht.device_context(two_devices[1]):
        f(*arrays)
    report = ht.offload_report(f)
    assert report.plain_versions == 1  # outside
    assert len(report.versions) == 1  # host code in contexts
    assert len(report.parfors[0].uses) == 2  # kernels, a device each
    before = ht.counters()["compiles"]
    for device in two_devices:
        with ht.device_context(ht.Queue(device)):
            f(*arrays)
    assert ht.counters()["compiles"] == before
    assert len(ht.offload_report(f).versions) == 1


def test_d05_get_context_is_falsy_outside(device):
    assert not ht.get_context()
    with ht.device_context(device) as queue:
        assert ht.get_context()
        assert ht.get_context().queue == queue
    assert not ht.get_context()


def test_d06_parallel_true_is_not_needed(device, arrays):
    with ht.device_context(device):
        assert regions_of(numba.njit(axpy), *arrays) == 1
        assert regions_of(numba.njit(parallel=True)(axpy), *arrays) == 1


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.sin(x) + x * 2,
        lambda x: x.sum() + np.prod(x[:5]) + x.min() + x.max(),
        lambda x: x.argmin() + x.argmax(),
        lambda x: x.mean() + x.var() + x.std(),
        lambda x: np.dot(x, x),
        lambda x: np.zeros(10) + np.ones(10) + np.arange(10) + np.full(10, 2.0),
    ],
)
def test_d07_operations_documented_by_numba_as_parallel_are_offloaded(device, function, arrays):
    f = numba.njit(function)
    expected = f(arrays[0])
    with ht.device_context(device, keep_below=0):
        assert regions_of(lambda: np.testing.assert_allclose(f(arrays[0]), expected)) > 0
    assert not [p for p in ht.offload_report(f).parfors if p.reason]


def test_d07_d23_the_report_lists_regions_and_serial_loops(two_devices, arrays):
    @numba.njit
    def f(x, y):
        z = x + y
        for i in numba.prange(z.size):
            if z[i] < 0:
                break
            z[i] += 1
        return np.sum(z)

    @numba.njit
    def g(x):
        for i in numba.prange(1, x.size):
            x[i] = x[i - 1]

    first = f.py_func.__code__.co_firstlineno
    device = two_devices[1]
    with ht.device_context(device, keep_below=0), pytest.warns(ht.PerformanceWarning):
        f(*arrays)
        g(arrays[1])
    report = ht.offload_report(f)
    regions = [p for p in report.parfors if p.kernel]
    (serial,) = (p for p in report.parfors if not p.kernel)
    assert [p.line for p in regions] == [first + 2, first + 7]
    assert [[use.device for use in p.uses] for p in regions] == [[device], [device]]
    assert (serial.line, serial.kind) == (first + 3, "prange")
    assert "has an early exit: break" in serial.reason
    assert f"line {first + 3} (prange): on the host: it has an early exit" in str(report)
    (loop,) = ht.offload_report(g).parfors
    assert loop.kernel is None and "may access the same element of x" in loop.reason
    assert f"line {g.py_func.__code__.co_firstlineno + 3} writes" in loop.reason


def test_d08_explicit_parallel_false_conflicts_unless_the_context_says_otherwise(device, arrays):
    f = numba.njit(parallel=False)(axpy)
    with ht.device_context(device), pytest.raises(numba.errors.UnsupportedError, match="on_serial"):
        f(*arrays)
    with ht.device_context(device, on_serial="ignore"):
        assert regions_of(f, *arrays) == 1
    with ht.device_context(device, on_serial="host"):
        assert regions_of(f, *arrays) == 0
    with ht.device_context(device, on_serial="single_task"):
        assert regions_of(f, *arrays) == 1
        np.testing.assert_array_equal(f(*arrays), axpy(*arrays))
    with pytest.raises(ValueError, match="on_serial"):
        ht.device_context(device, on_serial="sometimes")


def test_d09_several_regions_run_in_order(device, arrays):
    @numba.njit
    def f(x, y):
        z = x + y
        for i in numba.prange(z.size):
            z[i] *= 2
        total = z.sum()
        return z / total

    with ht.device_context(device):
        found = f(*arrays)
    z = (arrays[0] + arrays[1]) * 2
    np.testing.assert_allclose(found, z / z.sum())
    assert len(ht.offload_report(f).parfors) == 4


def test_d10_serial_statements_and_functions_run_on_the_host(device, arrays):
    @numba.njit
    def no_region(n):
        values = []
        for i in range(n):
            values.append(i * i)
        return values[-1]

    with ht.device_context(device):
        assert regions_of(lambda: no_region(5)) == 0
        assert no_region(5) == 16

    @numba.njit
    def mixed(x):
        total = 0.0
        for i in range(x.size):  # iterations depend on each other
            total = 0.5 * total + x[i]
        y = x * 2
        return total, y

    x = np.arange(1000.0)
    expected = mixed(x)
    with ht.device_context(device, keep_below=0):
        assert regions_of(mixed, x) == 1
        total, y = mixed(x)
    assert total == expected[0] and np.array_equal(y, expected[1])
    (region,) = ht.offload_report(mixed).parfors
    assert [use.device for use in region.uses] == [device]


def test_d11_the_range_is_the_loop_nest(device):
    @numba.njit
    def f(a):
        return a * 2

    with ht.device_context(device, keep_below=0):
        for shape in [(7,), (2, 3), (2, 3, 4), (2, 3, 4, 5), (2, 3, 1, 4, 5)]:
            ht.clear_kernel_history()
            np.testing.assert_array_equal(f(np.ones(shape)), np.full(shape, 2.0))
            assert ht.kernel_history()[-1].items == np.prod(shape)


def test_d12_a_call_returns_after_its_regions_have_run(device):
    @numba.njit
    def f(x):
        for i in numba.prange(x.size):
            x[i] = i

    queue = ht.Queue(device, in_order=False)
    x = np.empty(1_000_000)
    with ht.device_context(queue):
        f(x)
        np.testing.assert_array_equal(x, np.arange(x.size))


def test_d13_host_code_sees_what_regions_wrote(device, arrays):
    @numba.njit
    def another_serial_processing(y):
        total = 0.0
        for i in range(y.size):
            total += y[i]
        y[0] = -total

    @numba.njit
    def foo(x, y):
        a = 0.5
        y = a * x + y
        another_serial_processing(y)
        return np.sum(y)

    expected = foo(*arrays)
    with ht.device_context(device):
        assert foo(*arrays) == pytest.approx(expected)


MOVED = """
import numba
import numpy as np
import hither as ht
from seeds import printed

names = {"some_serial_preprocessing": numba.njit(lambda x: x[0])}
printed.run("rfc_3_2", names)
foo, x, y = names["foo"], np.arange(1000.0), np.ones(1000)
with ht.device_context(ht.Device()):
    foo(x, y)
    before = ht.counters()
    total = foo(x, y)
    after = ht.counters()
assert np.isclose(total, np.sum(0.5 * x + y)), total
print(*(after[k] - before[k] for k in ("bytes_to_device", "bytes_to_host")))
"""


def test_d14_arrays_move_once_if_the_host_does_not_use_them(strictly):
    to_device, to_host = map(int, strictly(MOVED).splitlines()[-1].split())
    assert 2 * 8000 <= to_device < 2 * 8000 + 1000  # x and y once, and small data
    assert to_host < 1000  # the sum


def test_d15_arguments_and_results_are_on_the_host_afterwards(device, arrays):
    @numba.njit
    def f(x):
        x += 1
        return x * 2

    x = arrays[0].copy()
    with ht.device_context(device):
        result = f(x)
    assert type(result) is np.ndarray
    np.testing.assert_array_equal(x, arrays[0] + 1)
    np.testing.assert_array_equal(result, x * 2)


def test_d20_functions_called_by_functions_are_offloaded(device, arrays):
    @numba.njit
    def inner(x):
        return np.cos(x)

    @numba.njit
    def outer(x):
        return inner(x)[0]

    with ht.device_context(device, keep_below=0):
        assert regions_of(outer, arrays[0]) == 1
    (region,) = ht.offload_report(inner).parfors
    assert [use.device for use in region.uses] == [device]


def test_d21_contexts_nest_and_belong_to_a_thread_or_task(two_devices, arrays):
    f = numba.njit(axpy)
    first, second = two_devices

    def used():
        uses = [use for p in ht.offload_report(f).parfors for use in p.uses]
        return [sum(u.launches for u in uses if u.device == d) for d in two_devices]

    with ht.device_context(first):
        f(*arrays)
        with pytest.raises(ZeroDivisionError), ht.device_context(second):
            f(*arrays)
            raise ZeroDivisionError
        f(*arrays)
        thread = threading.Thread(target=f, args=arrays)  # outside of all contexts
        thread.start()
        thread.join()
        assert used() == [2, 1]

    async def task(device):
        with ht.device_context(device):
            for _ in range(3):
                f(*arrays)
                await asyncio.sleep(0)

    async def both():
        await asyncio.gather(task(first), task(second))

    asyncio.run(both())
    f(*arrays)
    assert used() == [5, 4]


def test_d22_kernels_are_no_offloaded_regions(device, arrays):
    @ht.kernel
    def double(x):
        x[ht.get_global_id(0)] *= 2

    x = arrays[0].copy()
    with ht.device_context(device):
        assert regions_of(double, x) == 0
    np.testing.assert_array_equal(x, arrays[0] * 2)


def test_d23_the_report_lists_small_regions_that_stay_on_the_host(two_devices, arrays):
    used = {}
    for limit in (0, arrays[0].size + 1):
        compiled = numba.njit(axpy)
        with ht.device_context(two_devices[1], keep_below=limit):
            np.testing.assert_array_equal(compiled(*arrays), axpy(*arrays))
        uses = [use for parfor in ht.offload_report(compiled).parfors for use in parfor.uses]
        used[limit] = [(use.device.filter_string, use.launches) for use in uses]
    assert used[0] != used[arrays[0].size + 1], used
