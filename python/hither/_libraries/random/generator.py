"""The class Generator, which makes arrays of random numbers on the device."""

from __future__ import annotations

import functools
import importlib
import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _hither
from ..._checked_call import check_calls
from ..._hither import Array, default_queue, expm1, iota, log, log1p, reshape, sqrt, where
from ...errors import InvalidTypeError, InvalidValueError
from ..host_call import has_memory, place
from .host_draws import HostDraws
from .philox import random_operation
from .scaled_integers import integers_below

if TYPE_CHECKING:
    from ..._hither import Queue

__all__ = ["Generator", "default_rng"]


def _key_of(seed: Any) -> int:
    """The 64-bit key for a seed: the seed itself if it fits."""
    if isinstance(seed, (int, np.integer)) and 0 <= int(seed) < 2**64:
        return int(seed)
    if not isinstance(seed, np.random.SeedSequence):
        try:
            seed = np.random.SeedSequence(seed)
        except (TypeError, ValueError) as error:
            raise InvalidValueError("seed", f"{seed!r} is not a seed: {error}") from None
    return int(seed.generate_state(1, np.uint64)[0])


def _shape_of(size: Any) -> tuple[int, ...]:
    extents = size if isinstance(size, (tuple, list)) else (size,)
    shape = tuple(operator.index(extent) for extent in extents)
    if any(extent < 0 for extent in shape):
        raise InvalidValueError("size", f"{size} has a negative extent")
    return shape


@functools.cache
def _name_of(dtype: Any) -> str:
    """The dtype's name, which NumPy takes a microsecond to make."""
    return np.dtype(dtype).name


class _Draw:
    """One draw: its number, its queue, and the shape of its numbers."""

    def __init__(self, key: int, number: int, queue: Queue, usm_type: Any, shape: tuple) -> None:
        self._scalars = key, number
        count = math.prod(shape)
        items = iota(count, 0, 1, np.uint64, queue=queue, usm_type=usm_type)
        self._items = reshape(items, shape)

    def bits(self, half: int = 0) -> Array:
        """Random uint64."""
        return random_operation("uint64", half)(self._items, *self._scalars)

    def unit(self, dtype: Any = np.float64) -> Array:
        """Uniform numbers in [0, 1)."""
        return random_operation(_name_of(dtype))(self._items, *self._scalars)

    def units(self, dtype: Any = np.float64) -> tuple[Array, Array]:
        """Two uniform numbers in [0, 1) for each element. The first is unit()."""
        pair = random_operation(_name_of(np.result_type(dtype, np.complex64)))(
            self._items, *self._scalars
        )
        return _hither.real(pair), _hither.imag(pair)

    def inner_unit(self) -> Array:
        """Uniform numbers in (0, 1), for functions that are infinite at 0."""
        return _hither.maximum(self.unit(), 2.0**-54)

    def exponential(self, dtype: Any = np.float64) -> Array:
        """Exponential numbers of scale 1."""
        return -log1p(-self.unit(dtype))

    def normal(self, dtype: Any = np.float64) -> Array:
        """Normal numbers of mean 0 and variance 1, by Box and Muller's method."""
        first, second = self.units(dtype)
        return sqrt(-2.0 * log(1.0 - first)) * _hither.cos(math.tau * second)


class Generator(HostDraws):
    """A generator of random arrays with the methods of numpy.random.Generator.

    ``seed`` is an int, a sequence of ints, a numpy.random.SeedSequence, or None for a seed from the
    system. An int below 2**64 gives the same numbers as this seed in kernels. ``queue`` is the
    queue, device or filter string for all draws. By default they are made on the queue of the
    parameters that are arrays, else the device context's, else the default device's.

    Methods take numbers or arrays that are broadcast. ``size`` is None (the parameters' shape), an
    int or a tuple. Results are arrays, possibly 0-dimensional. The methods of this class are lazy
    and fuse with their readers. NumPy draws on the host for the methods that :class:`HostDraws`
    lists. Thread-safe; each call is the next draw. A pickle continues the draws, without a queue.

    Raises InvalidValueError and InvalidTypeError at the call.
    """

    def __init__(self, seed: Any = None, *, queue: Any = None, usm_type: str = "device") -> None:
        super().__init__(_key_of(seed), None if queue is None else default_queue(queue), usm_type)
        self._streams = 0

    def stream(self, index: int, *, queue: Any = None) -> Generator:
        """The generator for this seed and ``index``, which is independent of all others.

        Programs with several devices or threads use one stream for each.
        """
        sequence = np.random.SeedSequence(self._seed, spawn_key=(operator.index(index),))
        where_ = self._queue if queue is None else queue
        return Generator(sequence, queue=where_, usm_type=self._usm_type)

    def spawn(self, n_children: int) -> list[Generator]:
        """The next ``n_children`` streams."""
        with self._lock:
            first = self._streams
            self._streams += operator.index(n_children)
        return [self.stream(first + i) for i in range(n_children)]

    def _start(self, function: str, size: Any, *parameters: Any) -> tuple[Any, ...]:
        """A draw for these parameters, and the parameters on its queue."""
        arrays = tuple(p for p in parameters if has_memory(p))
        queue, usm_type = self.queue, self._usm_type
        if arrays:
            queue, usm_type, arrays = place(function, arrays, self._queue)
            moved = iter(arrays)
            parameters = tuple(next(moved) if has_memory(p) else p for p in parameters)
        for p in parameters:
            if not isinstance(p, (Array, int, float, np.number)):
                raise InvalidTypeError(function, f"takes numbers and arrays, not {p!r}")
        needed = _hither.broadcast_shapes(*(x.shape for x in arrays)) if arrays else ()
        shape = needed if size is None else _shape_of(size)
        # Parameters are broadcast to the size, but the size is not broadcast.
        stretched = zip(needed[::-1], shape[::-1], strict=False)
        if len(needed) > len(shape) or any(n not in (1, given) for n, given in stretched):
            raise InvalidValueError(function, f"size={size}, but the parameters' shape is {needed}")
        return _Draw(self._seed, self._next_draw(), queue, usm_type, shape), *parameters

    def random(self, size: Any = None, dtype: Any = np.float64) -> Array:
        """Uniform numbers in [0, 1): multiples of 2**-53, or of 2**-24 for float32."""
        return self._start("random", size)[0].unit(_floating("random", dtype))

    def uniform(
        self, low: Any = 0.0, high: Any = 1.0, size: Any = None, dtype: Any = np.float64
    ) -> Array:
        """Uniform numbers in [low, high)."""
        draw, low, high = self._start("uniform", size, low, high)
        return low + (high - low) * draw.unit(_floating("uniform", dtype))

    def integers(
        self,
        low: Any,
        high: Any = None,
        size: Any = None,
        dtype: Any = np.int64,
        endpoint: bool = False,
    ) -> Array:
        """Integers in [low, high), or [low, high] with ``endpoint``, or [0, low) without ``high``.

        Their probabilities are equal to within 2**-32.
        """
        if high is None:
            low, high = 0, low
        draw, low, high = self._start("integers", size, low, high)
        return integers_below(draw, low, high, np.dtype(dtype), endpoint)

    def standard_normal(self, size: Any = None, dtype: Any = np.float64) -> Array:
        """Normal numbers of mean 0 and variance 1."""
        draw = self._start("standard_normal", size)[0]
        return draw.normal(_floating("standard_normal", dtype))

    def normal(
        self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None, dtype: Any = np.float64
    ) -> Array:
        """Normal numbers of mean ``loc`` and standard deviation ``scale``."""
        draw, loc, scale = self._start("normal", size, loc, scale)
        _check_sign("normal", "scale", scale)
        return loc + scale * draw.normal(_floating("normal", dtype))

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Array:
        """The exponentials of normal numbers."""
        draw, mean, sigma = self._start("lognormal", size, mean, sigma)
        _check_sign("lognormal", "sigma", sigma)
        return _hither.exp(mean + sigma * draw.normal())

    def standard_exponential(self, size: Any = None, dtype: Any = np.float64) -> Array:
        """Numbers of density exp(-x)."""
        draw = self._start("standard_exponential", size)[0]
        return draw.exponential(_floating("standard_exponential", dtype))

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Array:
        """Exponential numbers of mean ``scale``."""
        draw, scale = self._start("exponential", size, scale)
        _check_sign("exponential", "scale", scale)
        return scale * draw.exponential()

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Array:
        """Numbers of density exp(-|x - loc| / scale) / (2 scale)."""
        draw, loc, scale = self._start("laplace", size, loc, scale)
        _check_sign("laplace", "scale", scale)
        first, second = draw.units()
        distance = -log1p(-first)
        return loc + scale * where(second < 0.5, -distance, distance)

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Array:
        """Numbers of distribution function 1 / (1 + exp(-(x - loc) / scale))."""
        draw, loc, scale = self._start("logistic", size, loc, scale)
        _check_sign("logistic", "scale", scale)
        u = draw.inner_unit()
        return loc + scale * (log(u) - log1p(-u))

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Array:
        """Numbers of distribution function exp(-exp(-(x - loc) / scale))."""
        draw, loc, scale = self._start("gumbel", size, loc, scale)
        _check_sign("gumbel", "scale", scale)
        return loc - scale * log(-log(draw.inner_unit()))

    def rayleigh(self, scale: Any = 1.0, size: Any = None) -> Array:
        """The length of a vector of two normal numbers of standard deviation ``scale``."""
        draw, scale = self._start("rayleigh", size, scale)
        _check_sign("rayleigh", "scale", scale)
        return scale * sqrt(2.0 * draw.exponential())

    def weibull(self, a: Any, size: Any = None) -> Array:
        """Numbers of distribution function 1 - exp(-x ** a)."""
        draw, a = self._start("weibull", size, a)
        _check_sign("weibull", "a", a, zero=False)
        return draw.exponential() ** (1.0 / a)

    def pareto(self, a: Any, size: Any = None) -> Array:
        """Numbers of density a / (1 + x) ** (a + 1)."""
        draw, a = self._start("pareto", size, a)
        _check_sign("pareto", "a", a, zero=False)
        return expm1(draw.exponential() / a)

    def power(self, a: Any, size: Any = None) -> Array:
        """Numbers of density a x ** (a - 1) in [0, 1]."""
        draw, a = self._start("power", size, a)
        _check_sign("power", "a", a, zero=False)
        return draw.unit() ** (1.0 / a)

    def standard_cauchy(self, size: Any = None) -> Array:
        """Numbers of density 1 / (pi (1 + x ** 2))."""
        return _hither.tan(math.pi * (self._start("standard_cauchy", size)[0].inner_unit() - 0.5))

    def triangular(self, left: Any, mode: Any, right: Any, size: Any = None) -> Array:
        """Numbers of a density that rises linearly from ``left`` to ``mode`` and falls linearly to
        ``right``."""
        draw, left, mode, right = self._start("triangular", size, left, mode, right)
        _check_sign("triangular", "mode - left", mode - left)
        _check_sign("triangular", "right - mode", right - mode)
        _check_sign("triangular", "right - left", right - left, zero=False)
        u = draw.unit()
        rising = left + sqrt(u * ((right - left) * (mode - left)))
        falling = right - sqrt((1.0 - u) * ((right - left) * (right - mode)))
        return where(u * (right - left) < mode - left, rising, falling)

    def __getstate__(self) -> dict[str, Any]:
        return {"seed": self._seed, "draw": self._draw, "streams": self._streams,
                "usm_type": self._usm_type}  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["seed"], usm_type=state["usm_type"])  # type: ignore[misc]
        self._draw, self._streams = state["draw"], state["streams"]

    def __repr__(self) -> str:
        return f"<hither.random.Generator of seed {self._seed} at draw {self._draw}>"


def _floating(function: str, dtype: Any) -> np.dtype:
    wanted = np.dtype(dtype)
    if wanted not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise InvalidTypeError(function, f"dtype={wanted} is neither float32 nor float64")
    return wanted


def _check_sign(function: str, name: str, value: Any, *, zero: bool = True) -> None:
    """Checks that the parameter, or every element of it, is positive, or zero if ``zero``. Waits
    for arrays."""
    bad = value < 0 if zero else value <= 0
    if bool(_hither.any(bad) if isinstance(bad, Array) else bad):
        allowed = "negative" if zero else "not positive"
        raise InvalidValueError(function, f"{name} is {allowed}")


def default_rng(seed: Any = None, *, queue: Any = None) -> Generator:
    """A generator of this seed. A Generator is returned unchanged. A bit generator of NumPy gives
    the generator of hither.numpy.random, with NumPy's parameters, of its seed."""
    if isinstance(seed, np.random.BitGenerator):
        numpys = importlib.import_module("hither.numpy.random")
        return numpys.default_rng(seed, queue=queue)
    return seed if isinstance(seed, Generator) else Generator(seed, queue=queue)


check_calls(globals(), __all__)
