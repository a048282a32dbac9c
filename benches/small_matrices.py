"""Stacks of small matrices, compared with NumPy, JAX and PyTorch, and CuPy on a GPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from gpu_peers import installed
from small import done
from timing import Budget, Effort, Row, contest

import hither as ht

BEST = Budget(1.05, "best")


# The result by which contestants are compared. Vectors have no common sign, nor have QR factors.
COMPARED = {"eigh": 0, "svd": 1, "qr": 1}


def of_jax(name: str, host: list[np.ndarray]) -> dict[str, Callable[[], Any]]:
    jax = installed("jax")
    if jax is None:
        return {}
    jax.config.update("jax_enable_x64", True)
    namespace = jax.numpy if name == "matmul" else jax.numpy.linalg
    function = jax.jit(getattr(namespace, name))
    arrays = [jax.numpy.asarray(x) for x in host]
    return {"JAX": lambda: jax.block_until_ready(function(*arrays))}


def of_torch(name: str, host: list[np.ndarray], on_gpu: bool) -> dict[str, Callable[[], Any]]:
    torch = installed("torch")
    if torch is None or (on_gpu and not torch.cuda.is_available()):
        return {}
    function = getattr(torch if name == "matmul" else torch.linalg, name)
    arrays = [torch.from_numpy(x).to("cuda" if on_gpu else "cpu") for x in host]

    def call() -> Any:
        result = function(*arrays)
        if on_gpu:
            torch.cuda.synchronize()
        return result

    return {"torch": call}


def of_cupy(name: str, host: list[np.ndarray]) -> dict[str, Callable[[], Any]]:
    cupy = installed("cupy")
    if cupy is None:
        return {}
    function = getattr(cupy if name == "matmul" else cupy.linalg, name)
    arrays = [cupy.asarray(x) for x in host]

    def call() -> Any:
        result = function(*arrays)
        cupy.cuda.get_current_stream().synchronize()
        return result

    return {"CuPy": call}


def on_host(answer: Any) -> np.ndarray:
    for method in ("get", "cpu"):
        if hasattr(answer, method) and not isinstance(answer, ht.Array):
            answer = getattr(answer, method)()
    return ht.asnumpy(answer) if isinstance(answer, ht.Array) else np.asarray(answer)


def to_compare(name: str, answer: Any) -> np.ndarray:
    found = on_host(answer[COMPARED[name]] if name in COMPARED else answer)
    return np.abs(found) if name == "qr" else found


def complete(answer: Any) -> Any:
    done(answer[-1] if isinstance(answer, tuple) else answer)
    return answer


def compared(name: str, host: list[np.ndarray], effort: Effort) -> Row:
    on_gpu = ht.default_queue().device.backend == "cuda"
    arrays = [ht.asarray(x) for x in host]
    numpys = getattr(np if name == "matmul" else np.linalg, name)
    own = getattr(ht.linalg, name)
    calls: dict[str, Callable[[], Any]] = {
        "NumPy": lambda: numpys(*host),
        "hither": lambda: complete(own(*arrays)),
    }
    calls |= of_jax(name, host) | of_torch(name, host, on_gpu)
    calls |= of_cupy(name, host) if on_gpu else {}

    def checked(call: Callable[[], Any]) -> Callable[[], Any]:
        return lambda: to_compare(name, call())

    count, side = host[0].shape[0], host[0].shape[-1]
    number = f"{count:.0e}".replace("+0", "")
    shown = {n: checked(call) for n, call in calls.items()}
    case = f"{name}, {number} of {side} x {side} float64"
    return contest(case, shown, effort, BEST, tolerance=1e-8, timed=calls)


def rows(effort: Effort) -> list[Row]:
    part = 1 if effort.seconds > 1 else 100
    random = np.random.default_rng(1)
    result = []
    for count, side in ((100_000, 8), (1_000_000, 3), (10_000, 32)):
        a = random.random((count // part, side, side)) + side * np.eye(side)
        b, spd = random.random((count // part, side, 1)), a @ a.swapaxes(-1, -2)
        given = {"matmul": [a, a], "solve": [a, b], "inv": [a], "det": [a], "cholesky": [spd]}
        if side == 8:  # in rows.def
            del given["solve"]
        if side > 3:
            given |= {"eigh": [spd], "svd": [a], "qr": [a]}
        result += [compared(name, host, effort) for name, host in given.items()]
    return result
