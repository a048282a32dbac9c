"""NumPy's functions on hither's arrays: they run where the arrays are, and return hither's arrays.

What hither has under NumPy's name or the array API standard's goes there; NumPy's other functions
get the arrays as NumPy's, which waits, and needs memory that the host reaches. Ufuncs that hither
lacks are refused.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from ._hither import Array

__all__: list[str] = []

# Names of ufuncs that differ in the standard.
_UFUNCS = {
    "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan",
    "arctan2": "atan2", "arctanh": "atanh", "conjugate": "conj", "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift", "right_shift": "bitwise_right_shift",
}  # fmt: skip
_REDUCTIONS = {
    "add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min",
    "logical_and": "all", "logical_or": "any",
}  # fmt: skip
_SCANS = {"add": "cumulative_sum", "multiply": "cumulative_prod"}
# Functions that mean the same, with the same parameters as far as hither's have them.
_FUNCTIONS = {
    name: name
    for name in (
        "all", "any", "argmax", "argmin", "broadcast_to", "clip", "count_nonzero", "diff",
        "empty_like", "expand_dims", "flip", "full_like", "imag", "max", "mean", "min", "moveaxis",
        "nonzero", "ones_like", "permute_dims", "prod", "real", "repeat", "reshape", "roll",
        "round", "stack", "std", "sum", "take", "tensordot", "tile", "tril", "triu",
        "var", "where", "zeros_like",
    )
} | {"amax": "max", "amin": "min", "concatenate": "concat"}  # fmt: skip

# They look at no element.
_OF_SHAPES = {"ndim", "shape", "size"}
# NumPy takes the axis of these by position too, and calls the correction of std and var ddof.
_AXIS_SECOND = {
    "all", "any", "argmax", "argmin", "concatenate", "max", "amax", "mean", "min", "amin", "prod",
    "stack", "std", "sum", "var",
}  # fmt: skip


def _named(name: str) -> Any:
    return getattr(importlib.import_module(__package__), name, None)


def _called(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], given: dict[str, Any]) -> Any:
    """The result, or NotImplemented."""
    name = ufunc.__name__
    if method == "__call__" and ufunc.nout == 1 and not given:
        function = _named(_UFUNCS.get(name, name))
        return NotImplemented if function is None else function(*inputs)
    if method == "reduce" and name in _REDUCTIONS and given.keys() <= {"axis", "keepdims"}:
        return _named(_REDUCTIONS[name])(*inputs, **({"axis": 0} | given))
    if method == "accumulate" and name in _SCANS and given.keys() <= {"axis"}:
        return _named(_SCANS[name])(*inputs, **({"axis": 0} | given))
    return NotImplemented


def _array_ufunc(
    self: Array, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, **given: Any
) -> Any:
    """A ufunc of NumPy by hither's function of the same meaning; `out` is an array of hither's."""
    # Comparisons of NumPy's scalars come with 0-d arrays in their place.
    numbers = tuple(v[()] if type(v) is np.ndarray and v.ndim == 0 else v for v in inputs)
    result = _called(ufunc, method, numbers, given)
    if result is NotImplemented or out is None:
        return result
    if len(out) != 1 or not isinstance(out[0], Array):
        return NotImplemented
    out[0][...] = result
    return out[0]


def _shape_alone(x: Array) -> np.ndarray:
    return np.broadcast_to(0, x.shape)


def _with_arrays(value: Any, made: Callable[[Array], np.ndarray]) -> Any:
    if isinstance(value, Array):
        return made(value)
    if type(value) in (list, tuple):
        return type(value)(_with_arrays(item, made) for item in value)
    if type(value) is dict:
        return {key: _with_arrays(item, made) for key, item in value.items()}
    return value


def _array_function(self: Array, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """hither's function of that name, else NumPy's on what np.asarray() makes of the arrays."""
    name = function.__name__
    if name in _FUNCTIONS and getattr(np, name, None) is function:
        if name in _AXIS_SECOND and len(args) == 2:
            args, kwargs = args[:1], {"axis": args[1], **kwargs}
        if "ddof" in kwargs:
            kwargs = {"correction": kwargs["ddof"], **kwargs}
            del kwargs["ddof"]
        return _named(_FUNCTIONS[name])(*args, **kwargs)
    made = _shape_alone if name in _OF_SHAPES else np.asarray
    return function(*_with_arrays(args, made), **_with_arrays(kwargs, made))


Array.__array_ufunc__ = _array_ufunc  # type: ignore[method-assign]
Array.__array_function__ = _array_function  # type: ignore[method-assign]
