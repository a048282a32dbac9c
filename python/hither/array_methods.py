"""Methods of hither.Array that Python says in a line."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from . import _hither
from ._hither import Array, asarray, asnumpy, copy, reshape
from .errors import InvalidTypeError

__all__: list[str] = []


def _tolist(self: Array) -> Any:
    """Nested lists of Python numbers; waits."""
    return asnumpy(self).tolist()


def _copy_to_host(self: Array, ary: Any = None, stream: Any = None) -> Any:
    """A NumPy array with the same content; `ary`, where given, is filled and returned.

    The copy follows what was submitted for the array; `stream` is there for numba.cuda's programs.
    """
    if ary is None:
        return asnumpy(self)
    ary[...] = asnumpy(self)
    return ary


def _copy_to_device(self: Array, ary: Any, stream: Any = None) -> None:
    """Fills the array with the content of another, of NumPy's or of hither's."""
    self[...] = asarray(ary, queue=self.queue)


def _copy(self: Array) -> Array:
    return copy(self)


def _deepcopy(self: Array, memo: dict) -> Array:
    return copy(self)


def _reduce(self: Array) -> tuple:
    # Queues and sub-devices belong to a process: the array comes back on the root device, which has
    # the same name in every one.
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


# Functions that NumPy has as methods too, with the same arguments after x.
_METHODS = (
    "all",
    "any",
    "argmax",
    "argmin",
    "astype",
    "clip",
    "copy",
    "max",
    "mean",
    "min",
    "prod",
    "repeat",
    "squeeze",
    "std",
    "sum",
    "take",
    "var",
)


def _as_method(function: Callable) -> Callable:
    @functools.wraps(function)
    def method(self: Array, *arguments: Any, **keywords: Any) -> Any:
        # numpy.sum(x) calls x.sum(axis=None, dtype=None, out=None).
        if keywords.pop("out", None) is not None:
            raise InvalidTypeError(
                function.__name__, "takes no out=; results are new arrays, or x[...] = them"
            )
        return function(self, *arguments, **keywords)

    return method


for _name in _METHODS:
    setattr(Array, _name, _as_method(getattr(_hither, _name)))


def _reshape(self: Array, *shape: Any, copy: bool | None = None) -> Array:
    """hither.reshape(x, shape); the extents may be given one by one."""
    return reshape(self, shape[0] if len(shape) == 1 else shape, copy=copy)


Array.reshape = _reshape
