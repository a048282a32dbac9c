"""Several GPUs in one process: copies between them, placement, threads, other libraries."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

import hither as ht

DEVICES = [d.filter_string for d in ht.devices() if d.filter_string.startswith("cuda:")]
pytestmark = pytest.mark.skipif(
    len(DEVICES) < 2, reason=f"needs two NVIDIA GPUs; there are {len(DEVICES)}"
)
LARGE = 1 << 27  # elements


def test_arrays_go_from_gpu_to_gpu():
    n = np.arange(1_000_003, dtype=np.float64)
    x = ht.asarray(n, device=DEVICES[0]) * 2
    there = x.to_device(DEVICES[1])
    assert there.device == ht.Device(DEVICES[1]) and x.device == ht.Device(DEVICES[0])
    there += 1
    back = (there * 1).to_device(DEVICES[0])
    np.testing.assert_array_equal(ht.asnumpy(back), 2 * n + 1)
    np.testing.assert_array_equal(ht.asnumpy(x), 2 * n)
    np.testing.assert_array_equal(
        ht.asnumpy(x[::3].to_device(DEVICES[1])), (2 * n)[::3]
    )  # fmt: skip


def reach_each_other() -> bool:
    try:
        ht.Context([ht.Device(d) for d in DEVICES[:2]])
    except ht.UnsupportedError:
        return False
    return True


def test_copies_between_gpus_are_fast():
    """At least the speed of a bus; a link between the GPUs is several times faster. Copies do not
    pass through the host if the GPUs can access each other."""
    x = ht.ones(LARGE, dtype=np.float64, device=DEVICES[0])
    x.synchronize()
    before = ht.counters()
    times = []
    for _ in range(5):
        started = time.perf_counter()
        x.to_device(DEVICES[1]).synchronize()
        times.append(time.perf_counter() - started)
    rate = x.nbytes / min(times) / 1e9
    print(f"{rate:.0f} GB/s from GPU to GPU")
    assert rate > 8
    by_host = ht.counters()["bytes_to_device"] - before["bytes_to_device"]
    assert by_host == (0 if reach_each_other() else 5 * x.nbytes)


def test_gpus_do_not_mix_without_being_told():
    x, y = (ht.ones(4, device=d) for d in DEVICES[:2])

    @ht.kernel
    def add(a, b):
        a[ht.get_global_id(0)] += b[ht.get_global_id(0)]

    for use in (lambda: x + y, lambda: add(x, y), lambda: ht.concat([x, y]), lambda: x @ y):
        with pytest.raises(ht.PlacementError, match="cuda:gpu:"):
            use()
    with pytest.raises(ht.PlacementError):
        x.queue.submit_native(lambda *_: None, reads=[y])
    assert float(ht.sum(x + y.to_device(x.device))) == 8
    assert (x.collocate(y) + y).device == y.device


def test_one_context_of_several_gpus():
    gpus = [ht.Device(d) for d in DEVICES[:2]]
    try:
        context = ht.Context(gpus)
    except ht.UnsupportedError as error:
        pytest.skip(str(error))
    queues = [ht.Queue(context, gpu) for gpu in gpus]
    x = ht.arange(1000, dtype=np.float32, queue=queues[0]) * 1
    x.synchronize()
    seen = ht.asarray(x, queue=queues[1])
    np.testing.assert_array_equal(ht.asnumpy(seen * 2), 2 * np.arange(1000))


def test_threads_drive_gpus_side_by_side():
    results: dict[str, float] = {}
    spans: dict[str, tuple[float, float]] = {}
    gate = threading.Barrier(2)

    def drive(device: str) -> None:
        with ht.device_context(device):
            x = ht.ones(1 << 24, dtype=np.float32)
            a = ht.ones((512, 512), dtype=np.float32)
            x.synchronize()
            gate.wait()
            started = time.perf_counter()
            for _ in range(200):
                x = x * 1.0 + 1
                a = a @ a * (1 / 512)
                x.evaluate()
            results[device] = float(x[-1]) + float(a[3, 4])
            spans[device] = started, time.perf_counter()

    threads = [threading.Thread(target=drive, args=(d,)) for d in DEVICES[:2]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == dict.fromkeys(DEVICES[:2], 202.0)
    assert max(s[0] for s in spans.values()) < min(s[1] for s in spans.values())


@pytest.mark.parametrize("which", [0, 1])
def test_memory_of_others_names_its_gpu(which):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    tensor = torch.arange(10.0, device=f"cuda:{which}")
    array = ht.from_dlpack(tensor)
    assert array.device == ht.Device(DEVICES[which])
    assert array.__dlpack_device__() == (2, which)
    array += 1
    assert torch.from_dlpack(array).device.index == which
    np.testing.assert_array_equal(tensor.cpu().numpy(), np.arange(1.0, 11))
    moved = ht.asarray(tensor, device=DEVICES[1 - which])
    np.testing.assert_array_equal(ht.asnumpy(moved), np.arange(1.0, 11))


def test_libraries_work_on_each():
    rng = np.random.default_rng(3)
    a = rng.standard_normal((50, 50)) + 50 * np.eye(50)
    for device in DEVICES[:2]:
        x = ht.asarray(a, device=device)
        np.testing.assert_allclose(ht.asnumpy(ht.linalg.inv(x) @ x), np.eye(50), atol=1e-10)
        np.testing.assert_allclose(ht.asnumpy(ht.fft.fft(x)), np.fft.fft(a), atol=1e-9)
