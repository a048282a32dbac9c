"""dpnp.random: functions of one generator, which seed() resets."""

from __future__ import annotations

import operator
import threading
from typing import Any

import numpy as np

import hither
from hither.random import Generator

__all__ = ["rand", "randint", "randn", "seed"]

# NumPy's older names of methods.
_ALSO = {"random_sample": "random", "ranf": "random", "sample": "random"}

_lock = threading.Lock()
_shared = Generator()


def seed(seed: Any = None, **where: Any) -> None:
    """Resets the generator, for every device. The numbers differ from dpnp's for this seed."""
    global _shared
    with _lock:
        _shared = Generator(seed)


def _next(device: Any = None, usm_type: str = "device", sycl_queue: Any = None) -> Generator:
    """A generator whose first draw is the next one of the shared generator."""
    if device is not None and sycl_queue is not None:
        raise hither.InvalidTypeError("device", "and sycl_queue are both given; give one of them")
    queue = device if sycl_queue is None else sycl_queue
    with _lock:
        made = Generator(_shared.seed, queue=queue, usm_type=usm_type)
        made.draw = _shared.draw
        _shared.draw += 1
    return made


def _numbers(shape: tuple[Any, ...]) -> tuple[int, ...] | None:
    return tuple(map(operator.index, shape)) or None


def rand(*shape: Any, **where: Any) -> Any:
    """Uniform numbers in [0, 1)."""
    return _next(**where).random(_numbers(shape))


def randn(*shape: Any, **where: Any) -> Any:
    """Normal numbers of mean 0 and variance 1."""
    return _next(**where).standard_normal(_numbers(shape))


def randint(low: Any, high: Any = None, size: Any = None, dtype: Any = int, **where: Any) -> Any:
    """Integers in [low, high), or in [0, low) without ``high``."""
    return _next(**where).integers(low, high, size, np.dtype(dtype))


def __getattr__(name: str) -> Any:
    """Methods of hither's generator, and other names of hither.random."""
    method = _ALSO.get(name, name)
    if name.startswith("_") or not callable(getattr(Generator, method, None)):
        return getattr(hither.random, name)

    def draw(
        *arguments: Any,
        device: Any = None,
        usm_type: str = "device",
        sycl_queue: Any = None,
        **keywords: Any,
    ) -> Any:
        return getattr(_next(device, usm_type, sycl_queue), method)(*arguments, **keywords)

    draw.__name__ = draw.__qualname__ = name
    globals()[name] = draw
    return draw
