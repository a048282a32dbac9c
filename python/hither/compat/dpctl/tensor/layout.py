"""The arguments ``order=`` and ``out=`` of dpctl's functions, which hither's do not have.

hither's results are new arrays in C order. An array in Fortran order is the transpose of such an
array.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

import hither
from hither._names import a_type
from hither.compat import _flavour
from hither.compat.dpctl.numbers import number_of

__all__ = [
    "extents_of",
    "in_order",
    "laid_out",
    "made_in_order",
    "stored",
    "turned",
    "with_order",
    "with_out",
]


def extents_of(shape: Any) -> tuple[int, ...]:
    """A shape as a tuple. The argument may be a number."""
    return (int(shape),) if isinstance(shape, int | np.integer) else tuple(shape)


def in_order(make: Callable[[tuple[int, ...]], hither.Array], shape: Any, order: str) -> Any:
    """``make(shape)`` in order "C" or "F"."""
    if order == "C":
        return make(shape)
    return turned(make(extents_of(shape)[::-1]))


def turned(x: hither.Array) -> hither.Array:
    """x with its axes in reverse order."""
    return hither.permute_dims(x, tuple(range(x.ndim - 1, -1, -1)))


def _check(order: Any) -> None:
    if order not in ("C", "F", "A", "K"):
        raise hither.InvalidValueError("order", f"{order!r} is none of C, F, A, K")


def _wanted(order: str, operands: tuple[Any, ...]) -> str:
    """ "A" is "F" for operands that are all in Fortran order, else "C".

    "K" is what hither makes of arrays, and as "A" for NumPy's.
    """
    _check(order)
    arrays = [x for x in operands if isinstance(x, hither.Array | np.ndarray) and x.ndim > 1]
    if (order == "K" and not any(isinstance(x, np.ndarray) for x in arrays)) or order in "CF":
        return order
    return "F" if arrays and all(x.flags.fnc for x in arrays) else "C"


def laid_out(result: hither.Array, order: str, operands: tuple[Any, ...] = ()) -> hither.Array:
    """The result in the order that ``order`` and the operands determine."""
    wanted = _wanted(order, operands)
    if wanted == "C" and not result.flags.c_contiguous:
        return hither.copy(result)
    if wanted == "F" and not result.flags.f_contiguous:
        return turned(hither.copy(turned(result)))
    return result


def stored(result: hither.Array, out: Any) -> hither.Array:
    """Stores the result in ``out`` and returns it. Without ``out``, returns the result."""
    if out is None:
        return result
    if not isinstance(out, hither.Array):
        raise hither.InvalidTypeError("out", f"is {a_type(out)}, not an array")
    if not out.flags.writeable:
        raise hither.InvalidValueError("out", "is read-only")
    if out.shape != result.shape:
        raise hither.InvalidValueError("out", f"has shape {out.shape}, the result {result.shape}")
    if out.dtype != result.dtype:
        raise hither.InvalidValueError(
            f"Output array of type {result.dtype} is needed, got out={out.dtype}"
        )
    if not _flavour.same_queue(out.queue, result.queue):
        raise hither.PlacementError("out", f"is on {out.queue}, the result on {result.queue}")
    out[...] = result
    return out


def with_order(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds ``out=``, ``order="K"`` and ctypes numbers to a function of arrays."""

    @functools.wraps(function)
    def call(*arguments: Any, out: Any = None, order: str = "K", **keywords: Any) -> Any:
        _check(order)
        result = function(*map(number_of, arguments), **keywords)
        return laid_out(result, order, arguments) if out is None else stored(result, out)

    return call


def with_out(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds ``out=`` to a function of arrays."""

    @functools.wraps(function)
    def call(*arguments: Any, out: Any = None, **keywords: Any) -> Any:
        return stored(function(*arguments, **keywords), out)

    return call


def made_in_order(function: Callable[..., Any], like: bool = False) -> Callable[..., Any]:
    """Adds ``order=`` to a creation function: "C" or "F", and with ``like`` also "A" and "K"."""

    usual = "K" if like else "C"

    @functools.wraps(function)
    def make(*arguments: Any, order: str = usual, **keywords: Any) -> Any:
        if like:
            _check(order)
            return laid_out(function(*arguments, **keywords), order, arguments[:1])
        if order not in ("C", "F"):
            raise hither.InvalidValueError("order", f'{order!r} is neither "C" nor "F"')
        first, *rest = arguments or (keywords.pop("shape"),)
        return in_order(lambda shape: function(shape, *rest, **keywords), first, order)

    return make
