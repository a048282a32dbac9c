"""The methods of Generator that choose elements or put them in random order.

An order is that of random keys of 64 bits. Keys are equal with a probability of n ** 2 / 2 ** 65
among n elements; such elements stay in order.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from ... import _hither
from ..._hither import Array, argsort, asnumpy, astype, evaluate, reshape, take, take_in_range
from ..._names import a_type
from ...errors import AxisError, InvalidTypeError, InvalidValueError
from ..host_call import has_memory
from .counted_draws import CountedDraws
from .draw import Draw, shape_of

__all__ = ["Selections"]


class Selections(CountedDraws):
    """Choices, permutations and bytes."""

    def bytes(self, length: int) -> bytes:
        """Random bytes, on the host."""
        count = max(operator.index(length), 0)
        words = self._drawn(self.queue, self._usm_type, (-(-count // 8),)).bits()
        return asnumpy(words).astype("<u8", copy=False).tobytes()[:count]

    def permutation(self, x: Any, axis: int = 0) -> Array:
        """A new array: x, or range(x) for an int, in random order along ``axis``."""
        if _is_number(x):
            try:
                count = max(operator.index(x), 0)
            except TypeError:
                raise InvalidTypeError(
                    "permutation", f"takes an int or an array with dimensions, not {x!r}"
                ) from None
            return _order(self._drawn(self.queue, self._usm_type, (count,)))
        x = self._placed("permutation", x)
        axis = _axis("permutation", axis, x.ndim)
        order = _order(self._drawn(x.queue, x.usm_type, (x.shape[axis],)))
        return take_in_range(x, order, axis=axis)

    def permuted(self, x: Any, axis: int | None = None) -> Array:
        """A new array: x with every line along ``axis`` in an independent random order."""
        x = self._placed("permuted", x)
        if axis is None:
            order = _order(self._drawn(x.queue, x.usm_type, (x.size,)))
            return reshape(take_in_range(reshape(x, (x.size,)), order), x.shape)
        axis = _axis("permuted", axis, x.ndim)
        keys = self._drawn(x.queue, x.usm_type, x.shape).bits()
        return _hither.take_along_axis(x, argsort(keys, axis=axis), axis=axis)

    def shuffle(self, x: Array, axis: int = 0) -> None:
        """Puts x in random order along ``axis``, in place."""
        if not isinstance(x, Array):
            raise InvalidTypeError("shuffle", f"takes a hither.Array, not {a_type(x)}")
        x[...] = self.permutation(x, axis)

    def choice(
        self,
        a: Any,
        size: Any = None,
        replace: bool = True,
        p: Any = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> Array:
        """Random elements of ``a`` along ``axis``, or of range(a) for an int, as in NumPy.

        Their order is always random. With ``p`` the call waits for it.
        """
        x, queue, usm_type = None, self.queue, self._usm_type
        if not _is_number(a):
            x = self._placed("choice", a)
            axis = _axis("choice", axis, x.ndim)
            queue, usm_type = x.queue, x.usm_type
        try:
            count = operator.index(a) if x is None else x.shape[axis]
        except TypeError:
            raise InvalidTypeError(
                "choice", f"a is {a!r}; pass an int or an array with dimensions"
            ) from None
        shape = () if size is None else shape_of(size)
        wanted = math.prod(shape)
        if count <= 0 and wanted > 0:
            raise InvalidValueError("choice", "a is empty or not positive; there is no choice")
        chances = None if p is None else _chances(p, count, 0 if replace else wanted)
        draw = self._drawn(queue, usm_type, shape)
        if wanted == 0:
            chosen = _hither.zeros(shape, dtype=np.int64, queue=queue, usm_type=usm_type)
        elif replace:
            chosen = self._with_replacement(draw, count, chances)
        elif wanted > count:
            raise InvalidValueError(
                "choice", f"size={size} is larger than the population of {count}; "
                "pass replace=True to choose elements several times"
            )  # fmt: skip
        else:
            chosen = reshape(self._without_replacement(draw, count, wanted, chances), shape)
        if x is None:
            return chosen
        evaluate(chosen)  # so that gathers have one kernel: OpenCL takes long to compile one
        found = take(x, reshape(chosen, (wanted,)), axis=axis)
        return reshape(found, (*x.shape[:axis], *shape, *x.shape[axis + 1 :]))

    def _with_replacement(self, draw: Draw, count: int, chances: np.ndarray | None) -> Array:
        if chances is None:
            return astype(draw.below(count), np.int64)
        sums = np.cumsum(chances)
        steps = self._array(sums / sums[-1], draw.queue, draw.usm_type)
        return astype(_hither.searchsorted(steps, draw.unit(), side="right"), np.int64, copy=False)

    def _without_replacement(
        self, draw: Draw, count: int, wanted: int, chances: np.ndarray | None
    ) -> Array:
        if chances is not None:
            # The order of exponential numbers divided by p is that of drawing one after the other
            # (P. S. Efraimidis and P. G. Spirakis: Weighted random sampling with a reservoir).
            rates = self._array(chances, draw.queue, draw.usm_type)
            times = draw.part(0, (count,)).numbers("weibull", 1.0)
            keys = _hither.where(rates > 0, times / rates, math.inf)
            return argsort(keys)[:wanted]
        if count < 10_000 or wanted > count // 50:
            return _order(draw.part(0, (count,)))[:wanted]
        return _distinct(draw, count, wanted)


def _order(draw: Draw) -> Array:
    return argsort(draw.bits())


def _distinct(draw: Draw, count: int, wanted: int) -> Array:
    """Different integers below `count`, of which `wanted` are few: integers one after the other,
    without those that have occurred before. Waits for their number."""
    for attempt in range(64):
        drawn = astype(draw.part(attempt, (wanted + wanted // 25 + 64,)).below(count), np.int64)
        evaluate(drawn)
        order = argsort(drawn)  # equal ones in the order of draws
        ascending = take(drawn, order)
        first = _hither.concat(
            [_hither.ones_like(ascending[:1], dtype=bool), ascending[1:] != ascending[:-1]]
        )
        kept = _hither.sort(order[first])
        if kept.shape[0] >= wanted:
            return take(drawn, kept[:wanted])
    raise AssertionError("64 draws of different integers failed")


def _is_number(x: Any) -> bool:
    """Whether x stands for range(x), as arrays without dimensions do: results are such arrays."""
    return not has_memory(x) or getattr(x, "ndim", 1) == 0


def _axis(function: str, axis: Any, ndim: int) -> int:
    found = operator.index(axis)
    if not -ndim <= found < ndim:
        raise AxisError(
            function, f"axis {found} is out of bounds for an array of {ndim} dimensions"
        )
    return found % ndim


def _chances(p: Any, count: int, wanted: int) -> np.ndarray:
    """The probabilities, on the host, of which at least `wanted` have to be positive."""
    given = asnumpy(p) if isinstance(p, Array) else np.asarray(p)
    if given.dtype.kind == "c":
        raise InvalidTypeError("choice", f"p is {given.dtype}; it must be real, so take its .real")
    chances = given.astype(np.float64)
    if chances.ndim != 1 or len(chances) != count:
        raise InvalidValueError(
            "choice", f"p has shape {chances.shape}; it must be ({count},), that of the population"
        )
    if np.isnan(chances).any():
        raise InvalidValueError("choice", "p contains NaN")
    if (chances < 0).any():
        raise InvalidValueError("choice", "p is negative")
    rounding = max(np.finfo(t).eps for t in (np.float64, given.dtype) if np.dtype(t).kind == "f")
    if abs(math.fsum(chances) - 1) > math.sqrt(rounding):
        raise InvalidValueError("choice", "the sum of p is not 1")
    if np.count_nonzero(chances) < wanted:
        raise InvalidValueError("choice", "p has fewer positive elements than size")
    return chances
