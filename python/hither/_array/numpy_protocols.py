"""NumPy's protocols: NumPy's functions on hither's arrays run on the arrays' queue and return
hither's arrays.

Functions that hither has under NumPy's name or the Array API standard's are dispatched to hither.
Other functions of NumPy get NumPy arrays, which waits for the arrays and needs memory that the host
can access. Ufuncs that hither does not have are refused.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from .._hither import Array
from ..errors import InvalidTypeError, InvalidValueError

__all__: list[str] = []

# Ufuncs whose names differ in the standard.
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
# Parameters that have other names in hither.
_PARAMETERS = {"a_max": "max", "a_min": "min", "ddof": "correction"}

# The casting rule of NumPy's functions for out=, if it is not "same_kind".
_OUT_CASTING: dict[str, Any] = {"dot": "no"} | dict.fromkeys(
    ("all", "amax", "amin", "any", "cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "max",
     "mean", "min", "prod", "sum", "trace", "var"),
    "unsafe",
)  # fmt: skip
# These compute in a copy of out=, so that the dtype of out= must be convertible to the result's.
_OUT_COPIED = {"argmax", "argmin", "take"}

# They do not depend on elements.
_OF_SHAPES = {"ndim", "shape", "size"}


def _named(name: str) -> Any:
    return getattr(importlib.import_module("hither"), name, None)


def _called(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], given: dict[str, Any]) -> Any:
    """The result of hither's function for a ufunc, or NotImplemented."""
    name = ufunc.__name__
    if method == "__call__" and ufunc.nout == 1 and not given:
        function = _named(_UFUNCS.get(name, name))
        return NotImplemented if function is None else function(*inputs)
    if method == "reduce" and name in _REDUCTIONS and given.keys() <= {"axis", "keepdims"}:
        return _named(_REDUCTIONS[name])(*inputs, **({"axis": 0} | given))
    if method == "accumulate" and name in _SCANS and given.keys() <= {"axis"}:
        return _named(_SCANS[name])(*inputs, **({"axis": 0} | given))
    return NotImplemented


def _refused(ufunc: np.ufunc, method: str, operands: tuple[Any, ...]) -> Any:
    """Raises an error, or returns NotImplemented if another operand may implement the ufunc."""
    known = (None, Array.__array_ufunc__, np.ndarray.__array_ufunc__)
    if any(getattr(type(v), "__array_ufunc__", None) not in known for v in operands):
        return NotImplemented
    name = ufunc.__name__ + ("" if method == "__call__" else "." + method)
    raise InvalidTypeError(
        name,
        "hither does not implement this call; convert arrays by hither.asnumpy(x), or write an "
        "element-wise function with hither.vectorize; out= must be a hither.Array",
    )


def _array_ufunc(
    self: Array, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, **given: Any
) -> Any:
    """Calls hither's function for a ufunc of NumPy. `out` must be a hither.Array."""
    # For comparisons, NumPy passes its scalars as 0-d arrays.
    numbers = tuple(v[()] if type(v) is np.ndarray and v.ndim == 0 else v for v in inputs)
    result = _called(ufunc, method, numbers, given)
    if result is not NotImplemented and out is None:
        return result
    if result is NotImplemented or len(out) != 1 or not isinstance(out[0], Array):
        return _refused(ufunc, method, (*inputs, *(out or ())))
    if method == "__call__" and not np.can_cast(result.dtype, out[0].dtype, "same_kind"):
        raise InvalidTypeError(
            ufunc.__name__,
            f"out has dtype {out[0].dtype}, the result {result.dtype}, a dtype of another kind; "
            "give an out of that kind, or cast the result with astype",
        )
    if np.broadcast_shapes(result.shape, out[0].shape) != out[0].shape:
        raise InvalidValueError(
            ufunc.__name__, f"out has shape {out[0].shape}, the result {result.shape}"
        )
    out[0][...] = result
    return out[0]


def _check_out(where: str, result: Array, out: Array) -> None:
    """Checks NumPy's rules for out=."""
    if out.shape != result.shape:
        raise InvalidValueError(where, f"out has shape {out.shape}, the result {result.shape}")
    if where in _OUT_COPIED:
        fits = np.can_cast(out.dtype, result.dtype, "safe")
    else:
        fits = np.can_cast(result.dtype, out.dtype, _OUT_CASTING.get(where, "same_kind"))
    if not fits:
        raise InvalidTypeError(
            where,
            f"out has dtype {out.dtype}, which NumPy's {where} refuses for a result of "
            f"{result.dtype}; give an out of that dtype, or cast the result with astype",
        )


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


def _parameters(function: Any) -> set[str]:
    described = getattr(function, "__nb_signature__", None)
    if described is None:
        return set(inspect.signature(function).parameters)
    return set(re.findall(r"(\w+):", described[0][0]))


@functools.cache
def _counterpart(function: Any) -> tuple[Any, set[str], inspect.Signature] | None:
    """hither's function for a function of NumPy, its parameters, and the signature of NumPy's."""
    from .numpy_functions import FUNCTIONS

    if (counterpart := FUNCTIONS.get(function)) is None:
        return None
    try:
        signature = inspect.signature(function)
    except ValueError:  # functions written in C, before NumPy 2.4
        signature = inspect.signature(counterpart)
    return counterpart, _parameters(counterpart), signature


def _by_hither(function: Any, args: Any, kwargs: Any) -> Any:
    """The result of hither's function, or NotImplemented if it does not support the arguments."""
    if (found := _counterpart(function)) is None:
        return NotImplemented
    counterpart, names, signature = found
    positional: list[Any] = []
    named: dict[str, Any] = {}
    others = {name: value for name, value in kwargs.items() if name != "out"}
    given = signature.bind(*args, **others).arguments
    out = given.pop("out", kwargs.get("out"))
    if out is not None and not isinstance(out, Array):
        return NotImplemented
    for name, value in given.items():
        parameter = signature.parameters[name]
        default, hither_name = parameter.default, _PARAMETERS.get(name, name)
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional.extend(value)
        elif default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD:
            positional.append(value)
        elif value is default or (type(value) is type(default) and value == default):
            continue
        elif hither_name in names:
            named[hither_name] = value
        else:
            return NotImplemented
    result = counterpart(*positional, **named)
    if out is None or result is NotImplemented:
        return result
    _check_out(function.__name__, result, out)
    out[...] = result
    return out


def _array_function(self: Array, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """Calls hither's function for a function of NumPy, or NumPy's with the results of
    np.asarray()."""
    result = _by_hither(function, args, kwargs)
    if result is not NotImplemented:
        return result
    made = _shape_alone if function.__name__ in _OF_SHAPES else np.asarray
    return function(*_with_arrays(args, made), **_with_arrays(kwargs, made))


Array.__array_ufunc__ = _array_ufunc  # type: ignore[method-assign]
Array.__array_function__ = _array_function  # type: ignore[method-assign]
