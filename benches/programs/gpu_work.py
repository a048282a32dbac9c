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
    """Blocks that are copied to the device while another one is computed.

    The peer takes the longer of the times of all copies and of all computations.
    """
    n, count = spec.sizes
    host = ht.empty(n, dtype=spec.dtype, usm_type="host", queue=spec.queue)
    host[:] = 0.5
    host.synchronize()
    copies, work = (ht.Queue(spec.device) for _ in range(2))
    resident = ht.ones(n, dtype=spec.dtype, queue=work)

    def computed(x: Any) -> Any:
        for _ in range(16):
            x = ht.sin(x) + 1
        return ht.sum(x)

    def copy_all() -> None:
        for _ in range(count):
            host.copy_to(copies)
        copies.wait()

    def compute_all() -> None:
        for _ in range(count):
            ht.evaluate(computed(resident))
        work.wait()

    def both() -> np.ndarray:
        found = []
        following = host.copy_to(copies)
        for k in range(count):
            block, following = following, host.copy_to(copies) if k + 1 < count else None
            found.append(computed(block.copy_to(work)))
            ht.evaluate(found[-1])
        work.wait()
        return np.array([float(x) for x in found])

    def expected() -> np.ndarray:
        x = np.full(1000, 0.5, spec.dtype)
        for _ in range(16):
            x = np.sin(x) + 1
        return np.full(count, x.mean(dtype=np.float64) * n)

    contestants = {
        HITHER: Contestant(both, lambda: None, both),
        "copies": Contestant(copy_all, lambda: None),
        "computations": Contestant(compute_all, lambda: None),
    }
    return Work(contestants, expected, 1e-3, longer_of=("copies", "computations"))
