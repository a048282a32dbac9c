"""Draws of one number, which NumPy's generators return as Python numbers.

They are made on the host, because a device would first end the work before them; they are the
numbers that a device draws. Other distributions are kernels for the CPU device. Uniform numbers and
integers are computed here (hither._kernel.language.random describes the generator); programs that
draw one after another get the numbers of many draws from one computation.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .._checked_call import checked
from .._hither import Array, default_queue, refuse_recording
from .._libraries.random.draw import GOLDEN, mixed, start_of

__all__: list[str] = []

_LOW = 2**32 - 1
_MULTIPLY = (0xD2511F53, 0xCD9E8D57)
_WEYL = (0x9E3779B9, 0xBB67AE85)
_BLOCK = 256  # draws that are computed at a time


def _words(key: Any, zero: Any) -> tuple[Any, Any, Any, Any]:
    """Philox 4x32-10 of the counter 0 and a key: an integer, or an array of uint64."""
    a, b = key & _LOW, key >> 32
    x0 = x1 = x2 = x3 = zero
    for _ in range(10):
        p, q = x0 * _MULTIPLY[0], x2 * _MULTIPLY[1]
        x0, x1, x2, x3 = q >> 32 ^ x1 ^ a, q & _LOW, p >> 32 ^ x3 ^ b, p & _LOW
        a, b = a + _WEYL[0] & _LOW, b + _WEYL[1] & _LOW
    return x0, x1, x2, x3


def _words_of_one(seed: int, draw: int) -> tuple[int, int, int, int]:
    return _words(mixed(start_of(seed, draw)), 0)


def _words_of_many(seed: int, first: int) -> list[tuple[int, int, int, int]]:
    """The words of _BLOCK draws from `first` on."""
    starts = np.arange(_BLOCK, dtype=np.uint64) * np.uint64(GOLDEN)
    key = mixed(starts + np.uint64(start_of(seed, first)))
    return list(zip(*(w.tolist() for w in _words(key, np.zeros_like(key))), strict=True))


class ScalarDraws:
    """The next number of a generator, as a Python number. Thread-safe."""

    _any_bounds: bool
    _next_draw: Callable[[], tuple[int, int]]
    # The seed, the number of the first draw, and the words of some draws.
    _known: tuple[int, int, list[tuple[int, int, int, int]]] = (0, 0, [])

    def _next_words(self) -> tuple[int, int, int, int]:
        """The four words of the next draw."""
        refuse_recording("random numbers are drawn")
        seed, number = self._next_draw()
        known, first, words = self._known
        place = number - first if known == seed else -1
        if 0 <= place < len(words):
            return words[place]
        follows = place == len(words) > 0
        words = _words_of_many(seed, number) if follows else [_words_of_one(seed, number)]
        self._known = seed, number, words
        return words[0]

    def _unit(self) -> float:
        """A uniform number in [0, 1), a multiple of 2**-53."""
        x = self._next_words()
        return ((x[0] >> 5) * 67108864.0 + (x[1] >> 6)) * 2.0**-53

    def _between(self, low: float, high: float) -> float | None:
        """A uniform number in [low, high), or None if the bounds have to be checked."""
        low, high = float(low), float(high)
        width = high - low
        if not (math.isfinite(width) and (width >= 0 or self._any_bounds)):
            return None
        return low + width * self._unit()

    def _integer(self, low: int, width: int) -> int:
        """An integer in [low, low + width)."""
        x = self._next_words()
        if width <= 2**32:
            return low + ((x[3] << 64 | x[2] << 32 | x[1]) * width >> 96)
        return low + ((x[3] << 96 | x[2] << 64 | x[1] << 32 | x[0]) * width >> 128)


@functools.cache
def _host() -> Any:
    return default_queue("native_cpu")


def alone(started: tuple[Any, ...], size: Any) -> tuple[Any, ...]:
    """A draw and its parameters; the draw is on the host if it is one number without arrays."""
    draw, *parameters = started
    if size is None and not any(isinstance(p, Array) for p in parameters):
        refuse_recording("a number is drawn")
        draw.queue, draw.usm_type = _host(), "device"
    return started


def as_number(method: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a method that draws: results without dimensions become Python numbers, as in NumPy,
    unless size=() asks for an array."""
    method = checked(method)

    @functools.wraps(method)
    def draw(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = method(self, *args, **kwargs)
        is_given = any(x is result for x in (*args, *kwargs.values()))  # as out
        if type(result) is not Array or result.ndim or is_given:
            return result
        if any(type(size) in (tuple, list) for size in (kwargs.get("size"), *args)):
            return result
        refuse_recording("a number is drawn")
        return result.item()

    return draw
