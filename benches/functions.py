"""Functions of hither.numpy that NumPy's programs use, compared with NumPy's and PyTorch's.

Each is called with an array of about a million elements.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import batches
import numba
import numpy as np
from batches import Contestant
from gpu_libraries import Library
from gpu_peers import installed
from small import done
from timing import HITHER, Budget, Effort, Row, contest

import hither as ht
import hither.numpy as hnp

BUDGET = Budget(1.05, "best")
# The arrays of `samples`: v and w are vectors, i indices, k small integers, m a square matrix,
# p points (rows of three), c an image of bytes, f five integers.
CALLS: dict[str, Callable[[Any, dict[str, Any]], Any]] = {
    "every second element": lambda np, x: x["v"][::2] * 2.0,
    "stack of columns": lambda np, x: np.stack([x["v"], x["w"]], axis=1),
    "grey values of an image": lambda np, x: np.mean(x["c"], axis=2),
    "take": lambda np, x: x["v"][x["i"]],
    "mask": lambda np, x: x["v"][x["v"] > 0.5],
    "where": lambda np, x: np.where(x["v"] > 0.5, x["v"], x["w"]),
    "isin, 5 integers": lambda np, x: np.isin(x["k"], x["f"]),
    "isin, 1000 integers": lambda np, x: np.isin(x["i"], x["i"][:1000]),
    "bincount": lambda np, x: np.bincount(x["k"]),
    "histogram": lambda np, x: np.histogram(x["v"], bins=100)[0],
    "digitize": lambda np, x: np.digitize(x["v"], np.linspace(0, 1, 50)),
    "searchsorted": lambda np, x: np.searchsorted(np.linspace(0, 1, 1000), x["v"]),
    "interp": lambda np, x: np.interp(x["v"], np.linspace(0, 1, 100), np.linspace(1, 2, 100)),
    "convolve, 100 factors": lambda np, x: np.convolve(x["v"], x["w"][:100], "same"),
    "cumsum, axis 1": lambda np, x: np.cumsum(x["m"], axis=1),
    "diff": lambda np, x: np.diff(x["v"]),
    "gradient": lambda np, x: np.gradient(x["m"])[0],
    "trapezoid": lambda np, x: np.trapezoid(x["m"], axis=1),
    "roll": lambda np, x: np.roll(x["m"], 1, axis=0),
    "pad, edge": lambda np, x: np.pad(x["m"], 1, mode="edge"),
    "tile": lambda np, x: np.tile(x["m"], (2, 2)),
    "repeat": lambda np, x: np.repeat(x["v"], 3),
    "median": lambda np, x: np.median(x["v"]),
    "percentile": lambda np, x: np.percentile(x["v"], [5, 50, 95]),
    "std, axis 0": lambda np, x: np.std(x["p"], axis=0),
    "norms of points": lambda np, x: np.linalg.norm(x["p"], axis=1),
    "cross": lambda np, x: np.cross(x["p"], x["p"][::-1]),
    "einsum of rows": lambda np, x: np.einsum("ij,ij->i", x["p"], x["p"]),
    "cov": lambda np, x: np.cov(x["m"][:100]),
    "add.at": lambda np, x: _counted(np, x["k"]),
    "unique with inverse": lambda np, x: np.unique(x["k"], return_inverse=True)[1],
    "complex exponentials": lambda np, x: np.abs(np.exp(x["v"] * 1j)),
}


def _counted(np: Any, indices: Any) -> Any:
    counts = np.zeros(100)
    np.add.at(counts, indices, 1.0)
    return counts


# The same calls for PyTorch, which has other names and arguments.
TORCH: dict[str, Callable[[Any, dict[str, Any]], Any]] = {
    "every second element": lambda t, x: x["v"][::2] * 2.0,
    "stack of columns": lambda t, x: t.stack([x["v"], x["w"]], 1),
    "grey values of an image": lambda t, x: t.mean(x["c"], 2, dtype=t.float64),
    "take": lambda t, x: x["v"][x["i"]],
    "mask": lambda t, x: x["v"][x["v"] > 0.5],
    "where": lambda t, x: t.where(x["v"] > 0.5, x["v"], x["w"]),
    "isin, 5 integers": lambda t, x: t.isin(x["k"], x["f"]),
    "isin, 1000 integers": lambda t, x: t.isin(x["i"], x["i"][:1000]),
    "bincount": lambda t, x: t.bincount(x["k"]),
    "digitize": lambda t, x: t.bucketize(x["v"], _torch_line(t, x, 0, 1, 50), right=True),
    "searchsorted": lambda t, x: t.searchsorted(_torch_line(t, x, 0, 1, 1000), x["v"]),
    "cumsum, axis 1": lambda t, x: t.cumsum(x["m"], 1),
    "diff": lambda t, x: t.diff(x["v"]),
    "gradient": lambda t, x: t.gradient(x["m"], dim=0)[0],
    "trapezoid": lambda t, x: t.trapezoid(x["m"], dim=1),
    "roll": lambda t, x: t.roll(x["m"], 1, 0),
    "pad, edge": lambda t, x: t.nn.functional.pad(x["m"][None], (1, 1, 1, 1), "replicate")[0],
    "tile": lambda t, x: t.tile(x["m"], (2, 2)),
    "repeat": lambda t, x: t.repeat_interleave(x["v"], 3),
    "std, axis 0": lambda t, x: t.std(x["p"], 0, correction=0),
    "norms of points": lambda t, x: t.linalg.vector_norm(x["p"], dim=1),
    "cross": lambda t, x: t.linalg.cross(x["p"], t.flip(x["p"], (0,))),
    "einsum of rows": lambda t, x: t.einsum("ij,ij->i", x["p"], x["p"]),
    "cov": lambda t, x: t.cov(x["m"][:100]),
    "add.at": lambda t, x: x["v"].new_zeros(100).index_add_(0, x["k"], t.ones_like(x["v"])),
    "unique with inverse": lambda t, x: t.unique(x["k"], return_inverse=True)[1],
    "complex exponentials": lambda t, x: t.abs(t.exp(x["v"] * 1j)),
}


def _torch_line(t: Any, x: dict[str, Any], start: float, stop: float, count: int) -> Any:
    return t.linspace(start, stop, count, dtype=t.float64, device=x["v"].device)


def _numba_calls(x: dict[str, np.ndarray]) -> dict[str, Callable[[], Any]]:
    """Compiled loops of NumPy's functions that Numba has."""
    bins, line, values = np.linspace(0, 1, 50), np.linspace(0, 1, 1000), np.linspace(1, 2, 100)
    points = np.linspace(0, 1, 100)
    functions: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
        "where": (lambda v, w: np.where(v > 0.5, v, w), (x["v"], x["w"])),
        "mask": (lambda v: v[v > 0.5], (x["v"],)),
        "take": (lambda v, i: v[i], (x["v"], x["i"])),
        "bincount": (lambda k: np.bincount(k), (x["k"],)),
        "histogram": (lambda v: np.histogram(v, 100)[0], (x["v"],)),
        "digitize": (lambda v, bins: np.digitize(v, bins), (x["v"], bins)),
        "searchsorted": (lambda v, line: np.searchsorted(line, v), (x["v"], line)),
        "interp": (lambda v, a, b: np.interp(v, a, b), (x["v"], points, values)),
        "diff": (lambda v: np.diff(v), (x["v"],)),
        "repeat": (lambda v: np.repeat(v, 3), (x["v"],)),
        "median": (lambda v: np.median(v), (x["v"],)),
    }
    return {
        name: partial(numba.njit(function), *arguments)
        for name, (function, arguments) in functions.items()
    }


def samples() -> dict[str, np.ndarray]:
    random = np.random.default_rng(0)
    count = 1_000_000
    return {
        "v": random.random(count), "w": random.random(count),
        "i": random.integers(0, count, count), "k": random.integers(0, 100, count),
        "m": random.random((1000, 1000)), "p": random.random((count // 3, 3)),
        "c": random.integers(0, 256, (600, 600, 3), dtype=np.uint8),
        "f": np.array([1, 5, 7, 50, 80]),
    }  # fmt: skip


def rows(effort: Effort) -> list[Row]:
    host = samples()
    own = {name: hnp.asarray(x) for name, x in host.items()}
    torch, compiled = installed("torch"), _numba_calls(host)
    tensors = {name: torch.from_numpy(x) for name, x in host.items()} if torch else {}
    result = []
    for name, call in CALLS.items():
        contestants = {
            "NumPy": lambda call=call: call(np, host),
            "hither": lambda call=call: done(call(hnp, own)),
        }
        if name in compiled:
            contestants["Numba"] = compiled[name]
        if torch and name in TORCH:
            contestants["torch"] = lambda call=TORCH[name]: call(torch, tensors).numpy()
        result.append(contest(name, contestants, effort, BUDGET, tolerance=1e-9))
    return result


def rows_on_gpu(effort: Effort, queue: ht.Queue, libraries: list[Library]) -> list[Row]:
    """The same calls on a GPU, compared with CuPy and PyTorch."""
    host = samples()
    calls: dict[str, dict[str, Contestant]] = {name: {} for name in CALLS}
    for library in libraries:
        arrays = {name: library.array(x) for name, x in host.items()}
        namespace = hnp if library.name == HITHER else library.namespace
        for name, call in (TORCH if library.is_torch else CALLS).items():

            def start(call=call, library=library, namespace=namespace, arrays=arrays) -> Any:
                result = call(namespace, arrays)
                library.start(result)
                return result

            calls[name][library.name] = Contestant(
                start, library.wait, lambda start=start, library=library: library.numpy(start())
            )
    with ht.device_context(queue):
        return [
            batches.contest(name, contestants, effort, BUDGET, tolerance=1e-9)
            for name, contestants in calls.items()
        ]
