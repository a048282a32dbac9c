"""hither.benchmark(). The tests check what is counted, not how long it takes."""

import pytest

import hither as ht


def test_it_waits_for_the_returned_arrays(queue):
    x = ht.ones(1000, queue=queue)
    made = []

    def double(y):
        made.append(y + y)
        return {"result": (made[-1], [made[-1]])}

    result = ht.benchmark(double, x, seconds=1e-3)
    assert result.device == queue.device.filter_string
    assert result.calls >= 5
    assert len(made) >= result.calls + 2  # it warms up
    assert result.on_device is None
    for times in (result.host, result.total):
        low, high = times.quartiles
        assert 0 < times.least <= low <= times.median <= high <= times.greatest
    assert result.host.least <= result.total.least


def test_a_queue_with_profiling_gives_times_of_the_device(device):
    queue = ht.Queue(device, enable_profiling=True)
    x = ht.ones(1000, queue=queue)
    result = ht.benchmark(lambda: ht.sum(x * x), seconds=1e-3, queue=queue)
    assert result.on_device is not None
    assert result.on_device.greatest >= result.on_device.least >= 0
    assert "device" in repr(result)


def test_functions_without_arrays_are_measured_too(queue):
    result = ht.benchmark(sum, [1, 2, 3], seconds=1e-3, queue=queue)
    assert result.name == "sum"
    assert result.device == queue.device.filter_string


def test_it_stops_warming_up_when_nothing_is_compiled(queue):
    x = ht.ones(16, queue=queue)
    calls = []

    def triple(y):
        calls.append(None)
        return y * 3

    before = ht.counters()["compiles"]
    triple(x)
    result = ht.benchmark(triple, x, seconds=1e-6)
    assert result.calls == 5
    assert 8 <= len(calls) <= 16
    compiled = ht.counters()["compiles"]
    assert compiled >= before
    ht.benchmark(triple, x, seconds=1e-6)
    assert ht.counters()["compiles"] == compiled


def test_it_prints_the_times_with_their_spread(queue):
    from hither._tools.benchmark import Benchmark, Times

    times = Times.of([0.001, 0.002, 0.003, 0.004, 0.005])
    shown = repr(Benchmark("f", "native_cpu:cpu:0", 5, times, times, None))
    assert shown.splitlines() == [
        "f on native_cpu:cpu:0, 5 calls",
        "  host    3 ms (half of the calls 2 ms to 4 ms, all 1 ms to 5 ms)",
        "  total   3 ms (half of the calls 2 ms to 4 ms, all 1 ms to 5 ms)",
    ]


def test_errors_of_the_function_are_raised(queue):
    x = ht.ones(3, queue=queue)
    with pytest.raises(ht.InvalidValueError, match="broadcast"):
        ht.benchmark(lambda: x + ht.ones(2, queue=queue))
    with pytest.raises(ht.InvalidTypeError, match="not the result of a call"):
        ht.benchmark(x + x)
