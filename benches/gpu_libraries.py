"""Contestants of benches/gpu.py with their own arrays: eager ones, and compilers of functions."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from gpu_peers import installed, jax_on_gpu
from timing import HITHER

import hither as ht


@dataclass(frozen=True)
class Library:
    """One contestant: its namespace, and how to copy arrays to it and back."""

    name: str
    namespace: Any
    erf: Callable[[Any], Any]
    array: Callable[[np.ndarray], Any]
    numpy: Callable[[Any], np.ndarray]
    wait: Callable[[], None]
    start: Callable[..., None] = lambda *results: None
    """Submits pending work, for lazy libraries."""
    compiled: Callable[[Callable], Callable] = lambda function: function

    @property
    def is_torch(self) -> bool:
        return self.namespace.__name__ == "torch"


def libraries(queue: ht.Queue) -> list[Library]:
    """hither, and the libraries that compute one operation after another."""
    hither = Library(
        HITHER, ht, ht.erf, lambda h: ht.asarray(h, queue=queue), ht.asnumpy, queue.wait,
        ht.evaluate,
    )  # fmt: skip
    return [hither, *filter(None, (of_cupy("CuPy"), of_torch("torch")))]


@cache
def compiled_libraries() -> list[Library]:
    """Libraries that compile a whole function. Nothing is compiled yet."""
    found: list[Library | None] = []
    if cupy := installed("cupy"):
        fuse = cupy.fuse(kernel_name="fused")
        found.append(of_cupy("cupy.fuse", lambda function: fuse(lambda *arrays: function(*arrays))))
    if torch := installed("torch"):
        found.append(of_torch("torch.compile", compiler_of_torch(torch)))
    found.append(of_jax())
    return [library for library in found if library]


def of_cupy(name: str, compiled: Callable = lambda function: function) -> Library | None:
    cupy = installed("cupy")
    if cupy is None:
        return None
    special = importlib.import_module("cupyx.scipy.special")
    wait = cupy.cuda.get_current_stream().synchronize
    return Library(
        name, cupy, special.erf, cupy.asarray, cupy.asnumpy, wait, compiled=compiled
    )  # fmt: skip


def of_torch(name: str, compiled: Callable = lambda function: function) -> Library | None:
    torch = installed("torch")
    if torch is None:
        return None
    return Library(
        name, torch, torch.erf, lambda h: torch.from_numpy(h).cuda(), lambda x: x.cpu().numpy(),
        torch.cuda.synchronize, compiled=compiled,
    )  # fmt: skip


def compiler_of_torch(torch: Any) -> Callable[[Callable], Callable]:
    def compiled(function: Callable) -> Callable:
        torch._dynamo.reset()  # or functions beyond the eighth of one place are not compiled
        return torch.compile(lambda *arrays: function(*arrays), dynamic=False)

    return compiled


def of_jax() -> Library | None:
    jax = jax_on_gpu()
    if jax is None:
        return None
    last: list[Any] = [jax.numpy.zeros(1)]

    def remember(*results: Any) -> None:
        last[:] = results

    return Library(
        "JAX jit", jax.numpy, jax.scipy.special.erf, jax.device_put, np.asarray,
        lambda: jax.block_until_ready(last), remember, jax.jit,
    )  # fmt: skip
