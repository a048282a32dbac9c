"""Random numbers, compared with NumPy, PyTorch, JAX and CuPy where these are installed.

The contestants draw different numbers, so that their means are compared. On an NVIDIA GPU, CuPy's
generator is cuRAND's (Philox), and PyTorch and JAX draw on the GPU, too.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from small import done
from timing import Budget, Effort, Row, contest

import hither as ht

CPU_COUNT, GPU_COUNT = 10_000_000, 100_000_000
# The row's name, the method, its arguments and keywords, and what divides the count.
CASES = (
    ("uniform float32", "random", (), {"dtype": "float32"}, 1),
    ("uniform float64", "random", (), {}, 1),
    ("normal float32", "standard_normal", (), {"dtype": "float32"}, 1),
    ("normal float64", "standard_normal", (), {}, 1),
    ("exponential float64", "standard_exponential", (), {}, 1),
    ("integers below 1000", "integers", (0, 1000), {}, 1),
    ("gamma(2)", "standard_gamma", (2.0,), {}, 10),
    ("poisson(30)", "poisson", (30.0,), {}, 10),
    ("permutation", "permutation", None, {}, 10),
)  # fmt: skip

Draw = Callable[[], Any]


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _torch(torch: Any, name: str, count: int, options: dict[str, Any], device: str) -> Draw | None:
    """PyTorch's function, which waits for a GPU."""
    dtype = getattr(torch, options.get("dtype", "float64"))
    place = {"device": device, "dtype": dtype}
    empty = torch.empty(count, **place)
    functions: dict[str, Draw] = {
        "random": lambda: torch.rand(count, **place),
        "standard_normal": lambda: torch.randn(count, **place),
        "standard_exponential": lambda: empty.exponential_(),
        "integers": lambda: torch.randint(0, 1000, (count,), device=device),
        "poisson": lambda: torch.poisson(torch.full((count,), 30.0, **place)),
        "permutation": lambda: torch.randperm(count, device=device),
    }
    if name not in functions:
        return None

    def draw() -> Any:
        made = functions[name]()
        if device == "cuda":
            torch.cuda.synchronize()
        return made

    return draw


def _jax(jax: Any, name: str, count: int, options: dict[str, Any]) -> Draw | None:
    """JAX's function, compiled. Only float32, because JAX's other dtypes are an option."""
    keys = iter(jax.random.split(jax.random.key(1), 4096))
    functions = {
        "random": lambda key: jax.random.uniform(key, (count,)),
        "standard_normal": lambda key: jax.random.normal(key, (count,)),
    }
    if name not in functions or options.get("dtype") != "float32":
        return None
    compiled = jax.jit(functions[name])
    return lambda: compiled(next(keys)).block_until_ready()


def _cupy(
    cupy: Any, name: str, count: int, arguments: tuple[Any, ...], options: dict[str, Any]
) -> Draw | None:
    generator = cupy.random.Generator(cupy.random.Philox4x3210(1))
    options = {k: np.dtype(v) for k, v in options.items()}

    def draw() -> Any:
        if name == "permutation":
            made = cupy.random.permutation(count)
        else:
            made = getattr(generator, name)(*arguments, size=count, **options)
        cupy.cuda.get_current_stream().synchronize()
        return made

    return draw


def _mean(draw: Draw) -> Callable[[], float]:
    def mean() -> float:
        made = draw()
        return float((made.double() if hasattr(made, "double") else made).mean())

    return mean


def _row(
    effort: Effort, gpu: bool, case: str, name: str, arguments: Any, options: dict[str, Any],
    part: int,
) -> Row:  # fmt: skip
    count = (GPU_COUNT if gpu else CPU_COUNT) // part
    sized = {} if arguments is None else {"size": count}
    given = (count,) if arguments is None else arguments
    own, numpys = ht.random.default_rng(1), np.random.default_rng(1)
    timed: dict[str, Draw] = {
        "NumPy": lambda: getattr(numpys, name)(*given, **sized, **options),
        "hither": lambda: done(getattr(own, name)(*given, **sized, **options)),
    }
    torch, jax = _module("torch"), _module("jax")
    cupy = _module("cupy") if gpu else None
    others = {
        "torch": _torch(torch, name, count, options, "cuda" if gpu else "cpu") if torch else None,
        "JAX": _jax(jax, name, count, options) if jax else None,
        "CuPy": _cupy(cupy, name, count, given, options) if cupy else None,
    }
    timed |= {peer: draw for peer, draw in others.items() if draw is not None}
    checked = {peer: _mean(draw) for peer, draw in timed.items()}
    return contest(
        f"{case}, {count // 1_000_000}M", checked, effort, Budget(1.2 if gpu else 0.8, "best"),
        tolerance=1e-2, timed=timed,
    )  # fmt: skip


def rows(effort: Effort) -> list[Row]:
    """A row for each case, on the default device."""
    gpu = ht.default_queue().device.device_type == "gpu"
    return [_row(effort, gpu, *case) for case in CASES]
