"""Work of GPUs only: kernels with shared memory in one text with numba-cuda, and copies."""

from __future__ import annotations

from typing import Any

import gpu_kernels
import numpy as np
from batches import Contestant
from row_specs import Spec, Work
from timing import HITHER

import hither as ht


def of_case(spec: Spec, kernel: str) -> Work:
    """A case of gpu_kernels, whose sizes are those of the row."""
    case = next(c for c in gpu_kernels.cases(1) if c.kernel == kernel)

    def contestant(c: gpu_kernels.Contender) -> Contestant:
        def answer() -> Any:
            c.call()
            c.wait()
            return case.read(c.answer())

        return Contestant(c.call, c.wait, answer if kernel != "histogram" else None)

    found = gpu_kernels.contenders(case, spec.queue)
    expected = case.expected()
    if kernel == "histogram":  # its counts grow with each call, so that only the first is compared
        found = {n: c for n, c in found.items() if gpu_kernels.is_right(case, c, expected)}
    return Work({n: contestant(c) for n, c in found.items()}, lambda: expected, case.tolerance)


def attract(spec: Spec) -> Work:
    return of_case(spec, "attract")


def histogram(spec: Spec) -> Work:
    return of_case(spec, "histogram")


def double_buffering(spec: Spec) -> Work:
    """Blocks that are copied to the device, computed and copied back, all three at the same time.

    The peer takes the longer of the times of all copies and of all computations.
    """
    n, count = spec.sizes
    sent = ht.full(n, 0.5, dtype=spec.dtype, usm_type="host", queue=spec.queue)
    sent.synchronize()
    uploads, work, downloads = (ht.Queue(spec.device) for _ in range(3))
    resident = ht.ones(n, dtype=spec.dtype, queue=work)
    resident.synchronize()
    received = [
        np.asarray(ht.empty(n, dtype=spec.dtype, usm_type="host", queue=downloads)) for _ in "ab"
    ]

    def upload() -> ht.Array:
        return sent.copy_to(uploads, usm_type="device")

    def download(x: ht.Array, k: int) -> ht.Event:
        return ht.asnumpy(x.to_device(downloads), received[k % 2], wait=False)

    def computed(x: Any, xp: Any = ht) -> Any:
        for _ in range(16):
            x = xp.sin(x) + 1
        return x

    def copy_all() -> None:
        for k in range(count):
            upload()
            download(resident, k)
        uploads.wait()
        downloads.wait()

    def compute_all() -> None:
        for _ in range(count):
            ht.evaluate(computed(resident))
        work.wait()

    def both() -> np.ndarray:
        ends: list[ht.Event] = []
        following = upload()
        for k in range(count):
            block, following = following, upload() if k + 1 < count else None
            y = computed(block.to_device(work))
            if k >= 2:
                ends[k - 2].wait()
            ends.append(download(y, k))
        for end in ends:
            end.wait()
        return received[(count - 1) % 2][:1000].copy()

    def expected() -> np.ndarray:
        return computed(np.full(1000, 0.5, spec.dtype), np)

    contestants = {
        HITHER: Contestant(both, lambda: None, both),
        "copies": Contestant(copy_all, lambda: None),
        "computations": Contestant(compute_all, lambda: None),
    }
    return Work(contestants, expected, 1e-3, longer_of=("copies", "computations"))
