"""hither.dask.local_cluster(): processes of dask.distributed that have one device each."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import hither as ht

da = pytest.importorskip("dask.array", reason="Dask is not installed")
distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
cloudpickle = pytest.importorskip("cloudpickle")

import dask  # noqa: E402

import hither.dask  # noqa: E402

cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers cannot import it

pytestmark = [
    pytest.mark.either_mode,
    pytest.mark.usefixtures("cpu_by_default"),
    pytest.mark.filterwarnings("ignore::UserWarning:distributed"),
]
KERNEL_ERRORS = ht.KernelError, ht.DeviceError


def cluster_of(devices: Any, **options: Any) -> Any:
    options = {"silence_logs": logging.CRITICAL, "memory_limit": "1 GiB"} | options
    return hither.dask.local_cluster(devices, **options)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """A client of two workers, each with a part of the CPU."""
    cpu = ht.Device("cpu")
    half = cpu.max_compute_units // 2
    parts = cpu.create_sub_devices(partition=[half, half]) if half else ["cpu", "cpu"]
    patience = {"distributed.deploy.lost-worker-timeout": "120s"}  # of the cluster, for restarts
    with (
        dask.config.set(patience),
        cluster_of(parts) as cluster,
        distributed.Client(cluster) as found,
    ):
        yield found


def workers_of(client: Any) -> set[str]:
    """The addresses of the workers. A worker that has restarted has another one."""
    return set(client.scheduler_info()["workers"])


def test_chunks_are_computed_on_the_devices_of_the_workers(client):
    host = np.random.default_rng(0).random((60, 40))
    x = da.from_array(host, chunks=(10, 20)).to_backend("hither")
    found = ((x + x.mean(axis=0)) @ x.T).compute()
    assert isinstance(found, ht.Array) and found.queue == ht.default_queue()
    np.testing.assert_allclose(ht.asnumpy(found), (host + host.mean(axis=0)) @ host.T)


def test_arrays_travel(client):
    host = np.arange(12.0).reshape(3, 4)
    sent = client.scatter(ht.asarray(host, usm_type="shared"))
    back = client.submit(lambda x: (x.T * 2, x.usm_type), sent, pure=False).result()
    np.testing.assert_array_equal(ht.asnumpy(back[0]), host.T * 2)
    assert back[0].queue == ht.default_queue() and back[1] == "shared"


def test_each_worker_has_one_device(client):
    def of_task(number):
        made, read = ht.ones(3), ht.asarray(np.ones(3))
        assert made.queue == read.queue
        return made.queue.device.filter_string, os.getpid()

    found = set(client.gather(client.map(of_task, range(20), pure=False)))
    assert len({pid for _, pid in found}) == len(found) <= 2
    if ht.Device("cpu").max_compute_units > 1:
        assert all("[" in name for name, _ in found)  # a sub-device


def test_random_numbers_and_other_functions(client):
    with dask.config.set({"array.backend": "hither"}):
        x = da.random.default_rng(1).random((300, 200), chunks=100)
    count, _ = da.histogram(x, bins=4, range=(0, 1))
    assert int(count.sum().compute()) == 60_000
    overlapped = x.map_overlap(lambda b: b * 2, depth=1, boundary="none").sum()
    assert float(overlapped.compute()) == pytest.approx(2 * float(x.sum().compute()))


def test_faults_belong_to_their_tasks(client):
    """Out of memory, a launch that the device refuses and an error in a kernel: each in one task of
    100. The other tasks have their results, and the failed ones succeed when they are repeated."""

    @ht.kernel
    def refuses(a):
        i = ht.get_global_id(0)
        if a[i] > 50:
            raise ValueError("too large")

    @ht.kernel
    def refuses_and_writes(a):
        i = ht.get_global_id(0)
        if a[i] > 50:
            raise ValueError("too large")
        a[i] += 1

    faults = {37: "allocate", 40: "launch", 51: "kernel", 60: "array"}

    def task(number, faults=faults):
        x = ht.ones(100) * number
        fault = faults.get(number)
        if fault == "kernel":
            refuses(x)  # writes nothing: only its queue tells
        elif fault == "array":
            refuses_and_writes(x)  # the array and the queue tell
        elif fault is not None:
            ht._hither._inject_fault(fault, 1)
        return x + 1

    futures = client.map(task, range(100), pure=False)
    distributed.wait(futures)
    failed = {i: f.exception() for i, f in enumerate(futures) if f.status == "error"}
    assert set(failed) == set(faults)
    assert isinstance(failed[37], ht.OutOfMemoryError) and isinstance(failed[37], MemoryError)
    assert isinstance(failed[40], ht.DeviceError)
    for number in (51, 60):
        assert isinstance(failed[number], ht.KernelError) and "too large" in str(failed[number])
    for i, future in enumerate(futures):
        if i not in faults:
            np.testing.assert_array_equal(ht.asnumpy(future.result()), np.full(100, i + 1.0))
    again = client.map(lambda n: task(n, faults={}), sorted(faults), pure=False)
    assert [float(x[0]) for x in client.gather(again)] == [38, 41, 52, 61]


def test_a_fault_that_passes_is_repeated(client, tmp_path):
    def task(number):
        mark = tmp_path / str(number)
        if number % 7 == 3 and not mark.exists():
            mark.touch()
            ht._hither._inject_fault("allocate", 1)
        return ht.sum(ht.ones(50) * number)

    futures = client.map(task, range(20), retries=1, pure=False)
    assert [float(x) for x in client.gather(futures)] == [50.0 * i for i in range(20)]


def test_a_task_ends_with_its_elements(client):
    def task():
        x = ht.ones(1000) + 1
        return x, {"a": [x * 2]}

    ready = client.submit(task, pure=False)
    distributed.wait(ready)
    launches = client.submit(
        lambda made: [ht.counters()["launches"], [ht.asnumpy(m) for m in made[1]["a"]],
                      ht.counters()["launches"]], ready, pure=False,
    ).result()  # fmt: skip
    assert launches[0] == launches[2]


def test_small_views_do_not_keep_large_arrays(client):
    part = client.submit(lambda: ht.ones(100_000)[:10], pure=False)
    assert client.submit(lambda x: x.base is None, part, pure=False).result()


def test_a_killed_workers_results_are_computed_again(client):
    parts = client.map(lambda i: ht.ones(1000) * i, range(10), pure=False)
    distributed.wait(parts)
    victim = next(iter(client.scheduler_info()["workers"]))
    process = client.run(os.getpid, workers=[victim])[victim]
    assert process != os.getpid()
    os.kill(process, 9)
    total = client.submit(lambda *xs: sum(float(ht.sum(x)) for x in xs), *parts)
    assert total.result(timeout=200) == 45_000
    client.wait_for_workers(2, timeout=200)


def test_a_worker_whose_device_has_failed_restarts(client, tmp_path):
    """After a fault some contexts refuse all work: the task reports, the worker restarts."""
    before = workers_of(client)

    def task(number):
        if number == 5 and not (tmp_path / "failed").exists():
            (tmp_path / "failed").touch()
            from hither.dask import _worker

            _worker.works = lambda queue: False
            raise ht.DeviceError("queue", "the device is lost", 700)
        return os.getpid()

    alone = client.submit(task, 5, pure=False)
    assert isinstance(alone.exception(), ht.DeviceError)
    found = client.gather(client.map(task, range(20), pure=False, retries=1))
    assert len(found) == 20
    deadline = time.monotonic() + 200
    while not (len(workers_of(client)) == 2 and len(workers_of(client) & before) == 1):
        assert time.monotonic() < deadline, (before, workers_of(client))
        time.sleep(0.1)


def test_more_elements_than_memory():
    """A worker of 500 MiB that keeps at most 150 MiB holds 320 MB of chunks."""
    limits = {"target": 0.3, "spill": False, "pause": False, "terminate": False}
    options = {f"distributed.worker.memory.{name}": value for name, value in limits.items()}
    with (
        dask.config.set(options),
        cluster_of("cpu", memory_limit="500 MiB") as cluster,
        distributed.Client(cluster) as client,
        dask.config.set({"array.backend": "hither"}),
    ):
        x = da.ones((40, 1_000_000), chunks=(2, 1_000_000)) * 3
        x = x.persist()
        distributed.wait(x, timeout=120)
        spilled = client.run(lambda dask_worker: len(dask_worker.data.slow))
        assert sum(spilled.values()) > 5
        assert float(x.sum().compute()) == 120e6


class Unable(distributed.WorkerPlugin):
    """A worker with it does not start."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def setup(self, worker: Any) -> None:
        time.sleep(self.seconds)
        raise ht.DeviceError("queue", "the device is lost", 700)


@pytest.mark.parametrize(
    ("seconds", "patience", "text"),
    [(0, "300s", "the device is lost"), (600, "15s", "it took longer than 15s")],
)
def test_workers_that_do_not_start(seconds, patience, text):
    started = time.monotonic()
    with pytest.raises(ht.DeviceError, match=f"did not start: .*{text}"):
        cluster_of(["cpu", "cpu"], plugins=(Unable(seconds),), death_timeout=patience)
    assert time.monotonic() - started < 300


@pytest.mark.parametrize(
    ("devices", "error", "text"),
    [
        (0, ValueError, "pass 1 or more"),
        (10_000, ValueError, "compute units|GPUs"),
        (True, TypeError, "pass a number, or devices"),
        ([], ValueError, "name at least one device"),
        (2.5, TypeError, "pass a number, a device or a sequence"),
        ("no_such_device", ValueError, "no_such_device"),
    ],
)
def test_wrong_devices(devices, error, text):
    with pytest.raises(error, match=text):
        hither.dask.local_cluster(devices)
