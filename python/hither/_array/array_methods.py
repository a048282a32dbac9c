"""Methods of hither.Array that are implemented in Python."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _hither
from .._hither import Array, asarray, asnumpy, copy, reshape
from ..errors import InvalidTypeError, InvalidValueError

__all__: list[str] = []


def _tolist(self: Array) -> Any:
    """Nested lists of Python numbers. Waits for the array."""
    return asnumpy(self).tolist()


def _copy_to_host(self: Array, ary: Any = None, stream: Any = None) -> Any:
    """A NumPy array with the same content. If `ary` is given, it is filled and returned.

    The copy follows the work submitted for the array. `stream` is ignored; programs for numba.cuda
    pass it.
    """
    if ary is None:
        return asnumpy(self)
    ary[...] = asnumpy(self)
    return ary


def _copy_to_device(self: Array, ary: Any, stream: Any = None) -> None:
    """Copies the content of a NumPy or hither array to this array."""
    self[...] = asarray(ary, queue=self.queue)


def _copy(self: Array) -> Array:
    return copy(self)


def _deepcopy(self: Array, memo: dict) -> Array:
    return copy(self)


def _reduce(self: Array) -> tuple:
    # Queues and sub-devices belong to a process. The array is restored on the root device, which
    # has the same name in every process.
    device = self.device
    while (parent := device.parent_device) is not None:
        device = parent
    return _restore, (asnumpy(self), device.filter_string, self.usm_type)


def _restore(values: Any, device: str, usm_type: str) -> Array:
    return asarray(values, device=device, usm_type=usm_type)


Array.copy_to_host = _copy_to_host
Array.copy_to_device = _copy_to_device
Array.tolist = _tolist
Array.__copy__ = _copy
Array.__deepcopy__ = _deepcopy
Array.__reduce__ = _reduce


# Functions that NumPy's arrays have as methods, with the same arguments after x.
_METHODS = (
    *(name for name in _hither.reduction_functions if hasattr(np.ndarray, name)),
    "astype",
    "clip",
    "copy",
    "repeat",
    "squeeze",
    "take",
)


# Arguments that only NumPy's functions take. Calls with them use NumPy's dispatch to hither.
_OF_NUMPY = {"ddof", "initial", "out", "where"}


def _as_method(function: Callable) -> Callable:
    @functools.wraps(function)
    def method(self: Array, *arguments: Any, **keywords: Any) -> Any:
        # numpy.sum(x) calls x.sum(axis=None, dtype=None, out=None).
        if keywords.get("out", self) is None:
            del keywords["out"]
        if not isinstance(keywords.get("out", self), Array):
            raise InvalidTypeError(
                function.__name__,
                "takes only a hither.Array as out=; without out= the result is new",
            )
        if _OF_NUMPY.isdisjoint(keywords):
            return function(self, *arguments, **keywords)
        return getattr(np, function.__name__)(self, *arguments, **keywords)

    return method


for _name in _METHODS:
    setattr(Array, _name, _as_method(getattr(_hither, _name)))


def _reshape(self: Array, *shape: Any, copy: bool | None = None) -> Array:
    """hither.reshape(x, shape); the extents may be given one by one."""
    return reshape(self, shape[0] if len(shape) == 1 else shape, copy=copy)


Array.reshape = _reshape


# Methods implemented by NumPy's functions, which dispatch to hither.
_BY_NUMPY = (
    "cumprod",
    "cumsum",
    "diagonal",
    "dot",
    "nonzero",
    "ravel",
    "round",
    "searchsorted",
    "swapaxes",
    "trace",
)


def _numpys_method(name: str) -> Callable:
    function = getattr(np, name)

    def method(self: Array, *arguments: Any, **keywords: Any) -> Any:
        return function(self, *arguments, **keywords)

    method.__name__ = name
    method.__doc__ = f"numpy.{name}(x, ...), on the array's queue."
    return method


for _name in _BY_NUMPY:
    setattr(Array, _name, _numpys_method(_name))


def _transpose(self: Array, *axes: Any) -> Array:
    """A view with the axes in the given order, or in reverse order. The axes may be given one by
    one."""
    order = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
    return np.transpose(self, order or None)  # type: ignore[return-value]


def _flatten(self: Array, order: str = "C") -> Array:
    """A copy with one axis."""
    if order not in ("C", "A", "K"):
        raise InvalidValueError("flatten", f"order={order!r}; only C order is supported")
    return copy(reshape(self, (-1,)))


def _conjugate(self: Array) -> Array:
    """The complex conjugate."""
    return _hither.conj(self) if self.dtype.kind == "c" else self


Array.transpose = _transpose
Array.flatten = _flatten

Array.conj = Array.conjugate = _conjugate
