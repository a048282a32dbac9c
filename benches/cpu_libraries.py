"""Contestants with their own arrays on CPUs: NumPy, JAX's jit and PyTorch."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import scipy.special
from compiled import jax_on_cpu
from gpu_libraries import Library, compiled_libraries, libraries
from gpu_peers import installed
from timing import HITHER

import hither as ht


def of_numpy() -> Library:
    return Library("NumPy", np, scipy.special.erf, lambda h: h, lambda x: x, lambda: None)


def of_jax_on_cpu() -> Library | None:
    jax = jax_on_cpu()
    if jax is None:
        return None
    last: list[Any] = []

    def remember(*results: Any) -> None:
        last[:] = results

    return Library(
        "JAX jit", jax.numpy, jax.scipy.special.erf, jax.numpy.asarray, np.asarray,
        lambda: jax.block_until_ready(last), remember, jax.jit,
    )  # fmt: skip


def of_torch_on_cpu() -> Library | None:
    torch = installed("torch")
    if torch is None:
        return None
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    return Library(
        "torch", torch, torch.erf, torch.from_numpy, lambda x: x.numpy(), lambda: None
    )  # fmt: skip


def array_libraries(queue: ht.Queue, peers: tuple[str, ...]) -> list[Library]:
    """hither and the peers of these names that are installed, on the queue's device or its like."""
    if queue.device.backend == "cuda":
        found = [*libraries(queue), *compiled_libraries()]
    else:
        hither = Library(
            HITHER, ht, ht.erf, lambda h: ht.asarray(h, queue=queue), ht.asnumpy, queue.wait,
            ht.evaluate,
        )  # fmt: skip
        more = (of_jax_on_cpu, of_torch_on_cpu)
        wanted = [make() for make, name in zip(more, ("JAX jit", "torch"), strict=True)
                  if name in peers]  # fmt: skip
        found = [hither, of_numpy(), *filter(None, wanted)]
    return [library for library in found if library.name in (HITHER, *peers)]
