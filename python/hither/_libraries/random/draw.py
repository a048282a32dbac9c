"""One draw: the random numbers of one call."""

from __future__ import annotations

import functools
import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._hither import Array, as_elements, iota, reshape
from ...errors import InvalidTypeError, InvalidValueError
from . import operations

if TYPE_CHECKING:
    from ..._compile.draws import DrawPlace
    from ..._hither import Queue

__all__ = [
    "GOLDEN", "Draw", "key_of_seed", "key_of_start", "mixed", "number_of_start", "shape_of",
    "start_of", "start_of_number", "start_of_part",
]  # fmt: skip

_LOW, _ALL = 0xFFFFFFFF, 2**64 - 1
_INTEGERS = 2**52  # the sum with an integer below has it as its last bits
GOLDEN = 0x9E3779B97F4A7C15

# Draws of at least so many elements compute all numbers of a counter at a time, which takes half
# of the time or less, and are stored. Larger ones than the other limit could not be stored.
_FEW, _MANY = 2**12, 2**27


def key_of_seed(seed: Any) -> int:
    """The 64-bit key for a seed: the seed itself if it fits."""
    if isinstance(seed, (int, np.integer)) and 0 <= int(seed) < 2**64:
        return int(seed)
    if not isinstance(seed, np.random.SeedSequence):
        try:
            seed = np.random.SeedSequence(seed)
        except (TypeError, ValueError) as error:
            raise InvalidValueError("seed", f"{seed!r} is not a seed: {error}") from None
    return int(seed.generate_state(1, np.uint64)[0])


def shape_of(size: Any) -> tuple[int, ...]:
    """The shape for an argument `size`: an int, or a sequence or vector of ints."""
    size = size.tolist() if isinstance(size, (Array, np.ndarray)) else size
    extents = size if isinstance(size, (tuple, list)) else (size,)
    try:
        shape = tuple(operator.index(extent) for extent in extents)
    except TypeError:
        raise InvalidTypeError("size", f"{size!r} is neither an int nor a tuple of ints") from None
    if any(extent < 0 for extent in shape):
        raise InvalidValueError("size", f"{size} has a negative extent")
    return shape


def mixed(x: Any) -> Any:
    """A one-to-one function of 64 bits in which each bit depends on all (SplitMix64), of an integer
    or an array of uint64."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _ALL
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _ALL
    return x ^ x >> 31


def start_of(seed: int, number: int) -> int:
    """The state of a draw; mixed() gives its key. The next draw's is GOLDEN more."""
    return mixed(seed + GOLDEN & _ALL) + number * GOLDEN & _ALL


def start_of_part(start: int, index: int) -> int:
    """The state of a part of a draw."""
    return mixed(start ^ (index + 1) * 0xD1342543DE82EF95 & _ALL)


def key_of_start(start: int) -> complex:
    """The key as an operand of operations."""
    key = mixed(start)
    return complex(_INTEGERS + (key & _LOW), _INTEGERS + (key >> 32))


def number_of_start(start: int) -> complex:
    """The state in one number, which has no more than 53 bits in a part."""
    return complex(start & _LOW, start >> 32)


def start_of_number(number: complex) -> int:
    return int(number.real) | int(number.imag) << 32


@functools.cache
def _name_of(dtype: Any) -> str:
    """The dtype's name, which NumPy takes a microsecond to make."""
    return np.dtype(dtype).name


class Draw:
    """One draw: its key, its queue, and the shape of its numbers.

    The key is a function of the seed and the draw's number. Element i depends on the key and i.
    `place` is that of the draw in a function that is recorded, whose runs have other keys.
    """

    _parts: tuple[int, ...] = ()

    def __init__(
        self,
        start: int,
        queue: Queue,
        usm_type: Any,
        shape: tuple[int, ...],
        place: DrawPlace | None = None,
    ) -> None:
        self._start, self._place = start, place
        self.queue, self.usm_type, self.shape = queue, usm_type, shape

    @property
    def _key(self) -> Any:
        key = key_of_start(self._start)
        return key if self._place is None else self._place.number(key, self._parts)

    def part(self, index: int, shape: tuple[int, ...]) -> Draw:
        """Another draw with this number, of another shape."""
        start = start_of_part(self._start, index)
        made = Draw(start, self.queue, self.usm_type, shape, self._place)
        made._parts = (*self._parts, index)
        return made

    def _items(self, count: int) -> Array:
        return iota(count, 0, 1, np.uint64, queue=self.queue, usm_type=self.usm_type)

    def _all_items(self) -> Array:
        return reshape(self._items(math.prod(self.shape)), self.shape)

    def bits(self) -> Array:
        """Random uint64."""
        return operations.bits()(self._all_items(), self._key)

    def below(self, width: Any) -> Array:
        """uint64 below the width, a number or a uint64 array. 0 means 2**64."""
        narrow = isinstance(width, int) and 0 < width <= 2**32
        return operations.scaled_bits(narrow)(self._all_items(), self._key, width)

    def numbers(self, function: str, *parameters: Any, result: str = "float64") -> Array:
        """Numbers of a distribution of the device library."""
        return operations.number(function, result, self._all_items(), self._key, parameters)

    def integers(self, function: str, *parameters: Any) -> Array:
        """Integers of a distribution of the device library."""
        return self.numbers(function, *parameters, result="int64")

    def shared(self, name: str, dtype: Any, a: Any, b: Any) -> Array:
        """uniform, normal or exponential numbers, of which adjacent ones share a counter."""
        kind, count = _name_of(dtype), math.prod(self.shape)
        if not _FEW <= count <= _MANY or isinstance(a, Array) or isinstance(b, Array):
            return operations.of_counter(name, kind, self._all_items(), self._key, a, b)
        per = 4 if kind == "float32" else 2
        # No variable refers to the counters, so that they are never stored.
        made = operations.all_of_counter(name, kind, self._items(-(-count // per)), self._key, a, b)
        return reshape(as_elements(made, dtype)[:count], self.shape)

    def unit(self, dtype: Any = np.float64) -> Array:
        """Uniform numbers in [0, 1)."""
        return self.shared("uniform", dtype, 0.0, 1.0)

    def normal(self, dtype: Any = np.float64) -> Array:
        """Normal numbers of mean 0 and variance 1."""
        return self.shared("normal", dtype, 0.0, 1.0)

    def exponential(self, dtype: Any = np.float64, scale: Any = 1.0) -> Array:
        """Exponential numbers."""
        return self.shared("exponential", dtype, 0.0, scale)
