"""Special functions of large arrays, compared with SciPy, JAX and PyTorch, and CuPy on a GPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special
from gpu_peers import installed
from small import done
from timing import Budget, Effort, Row, contest

import hither as ht
from hither.scipy import special

SIZE = 100_000_000
BEST = Budget(1.05, "best")
# SciPy's names: those of JAX and of PyTorch.
NAMES = {"gammaln": ("gammaln", "lgamma")}


def of_jax(name: str, host: np.ndarray) -> dict[str, Callable[[], Any]]:
    jax, functions = installed("jax"), installed("jax.scipy.special")
    if jax is None or functions is None:
        return {}
    jax.config.update("jax_enable_x64", True)
    function = jax.jit(getattr(functions, NAMES[name][0]))
    x = jax.numpy.asarray(host)
    return {"JAX": lambda: function(x).block_until_ready()}


def of_torch(name: str, host: np.ndarray, on_gpu: bool) -> dict[str, Callable[[], Any]]:
    torch = installed("torch")
    if torch is None or (on_gpu and not torch.cuda.is_available()):
        return {}
    x = torch.from_numpy(host).to("cuda" if on_gpu else "cpu")
    function = getattr(torch, NAMES[name][1])

    def call() -> Any:
        result = function(x)
        if on_gpu:
            torch.cuda.synchronize()
        return result

    return {"torch": call}


def of_cupy(name: str, host: np.ndarray) -> dict[str, Callable[[], Any]]:
    cupy, functions = installed("cupy"), installed("cupyx.scipy.special")
    if cupy is None or functions is None:
        return {}
    x = cupy.asarray(host)

    def call() -> Any:
        result = getattr(functions, name)(x)
        cupy.cuda.get_current_stream().synchronize()
        return result

    return {"CuPy": call}


def on_host(answer: Any) -> np.ndarray:
    """Some elements of a result: to copy all of them takes seconds."""
    part = answer[::97]
    for method in ("get", "cpu"):
        if hasattr(part, method) and not isinstance(part, ht.Array):
            part = getattr(part, method)()
    return ht.asnumpy(part) if isinstance(part, ht.Array) else np.asarray(part)


def compared(case: str, name: str, host: np.ndarray, effort: Effort) -> Row:
    on_gpu = ht.default_queue().device.backend == "cuda"
    x = ht.asarray(host)
    calls: dict[str, Callable[[], Any]] = {
        "SciPy": lambda: getattr(scipy.special, name)(host),
        "hither": lambda: done(getattr(special, name)(x)),
    }
    calls |= of_jax(name, host) | of_torch(name, host, on_gpu)
    calls |= of_cupy(name, host) if on_gpu else {}

    def checked(call: Callable[[], Any]) -> Callable[[], Any]:
        return lambda: on_host(call())

    tolerance = 1e-5 if host.dtype == np.float32 else 1e-11
    shown = {n: checked(call) for n, call in calls.items()}
    return contest(case, shown, effort, BEST, tolerance=tolerance, timed=calls)


def rows(effort: Effort, size: int | None = None) -> list[Row]:
    if size is None:
        size = SIZE if effort.seconds > 1 else SIZE // 100
    positive = np.random.default_rng(1).uniform(0, 20, size)
    number = f"{size:.0e}".replace("+0", "")
    return [
        compared(f"gammaln, {number} float64", "gammaln", positive, effort),
        compared(f"gammaln, {number} float32", "gammaln", positive.astype("f"), effort),
    ]
