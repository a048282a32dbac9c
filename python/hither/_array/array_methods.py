"""Methods of hither.Array that are implemented in Python."""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _hither
from .._hither import Array, DirectMethod, asarray, asnumpy, copy
from .._interop.arrivals import arrived, elements, home, root_name

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
    return _restore, (elements(self), root_name(self.device), self.usm_type)


def _restore(values: Any, device: str, usm_type: Any) -> Array:
    queue = home()
    if queue is not None:
        return arrived(values, queue, usm_type)
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
    "squeeze",
    "take",
)


# hither's functions refuse complex numbers, which the standard does not order; NumPy orders them.
_ORDERED = {"argmax", "argmin", "max", "min"}

# Of these, NumPy computes in any dtype that dtype= names, and hither's functions in floating-point.
_MOMENTS = {"mean", "std", "var"}


def _only_numpy(name: str, x: Array) -> bool:
    """Whether NumPy's method takes x where hither's function refuses it: axes 0 and -1 of
    numbers, the order of complex numbers."""
    return x.ndim == 0 or (x.dtype.kind == "c" and name in _ORDERED)


def _parameters(function: Callable[..., Any]) -> tuple[list[str], set[str]]:
    """The names of hither's positional and keyword parameters after the array."""
    text = re.sub(r"^def \w+\(|\) -> .*$", "", function.__nb_signature__[0][0])  # type: ignore
    positional, _, named = text.partition(", *, ")
    names = re.findall(r"(\w+):", positional)[1:]
    return names, {*names, *re.findall(r"(\w+):", named)}


def _as_method(function: Callable) -> Callable:
    """A method that calls hither's function, or hither.numpy's if NumPy's parameters are given or
    NumPy takes more dtypes."""
    positional, known = _parameters(function)
    name = function.__name__
    if name in _MOMENTS:
        known.discard("dtype")
        positional = [n for n in positional if n != "dtype"]

    def native(x: Array) -> Callable | None:
        return None if _only_numpy(name, x) else function

    @functools.wraps(function)
    def method(self: Array, *arguments: Any, **keywords: Any) -> Any:
        # numpy.sum(x) calls x.sum(axis=None, dtype=None, out=None).
        if keywords.get("out", self) is None:
            del keywords["out"]
        has_flag = isinstance(keywords.get("keepdims", False), bool)  # NumPy takes any object
        if has_flag and native(self) and known.issuperset(keywords):
            if arguments and len(arguments) <= len(positional):
                return function(self, *arguments, **keywords)
            if not arguments and name != "squeeze":
                return function(self, **keywords)
        numpys = getattr(importlib.import_module("hither.numpy"), name)
        return numpys(self, *arguments, **keywords)

    direct = DirectMethod(method, native, 1, len(positional), tuple(known))
    return functools.update_wrapper(direct, method)


for _name in _METHODS:
    setattr(Array, _name, _as_method(getattr(_hither, _name)))
