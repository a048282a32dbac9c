"""NumPy's protocols: NumPy's functions on hither's arrays run on the arrays' queue and return
hither's arrays.

A function of NumPy becomes hither.numpy's of the same name, and a ufunc of scipy.special
hither.scipy.special's. Other functions and ufuncs that call these protocols run on the host by the
rule of hither.host_fallback.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from typing import Any

import numpy as np

from .. import _hither
from .._hither import Array, asnumpy
from ..errors import PlacementError
from .host_fallback import run_on_host

__all__: list[str] = []


# Classes of operands that hither.numpy's ufuncs take as they are.
_PLAIN = frozenset((Array, bool, int, float, complex, *np.sctypeDict.values()))


@functools.cache
def _counterparts() -> dict[Any, Any]:
    """NumPy's functions and ufuncs, and hither.numpy's of the same names."""
    own = importlib.import_module("hither.numpy")
    found: dict[Any, Any] = {}
    tricks = own.lib.stride_tricks, np.lib.stride_tricks
    for module, numpys in ((own, np), (own.linalg, np.linalg), (own.fft, np.fft), tricks):
        for name in module.__all__:
            function = getattr(numpys, name, None)
            if callable(function) and not isinstance(function, type):
                found[function] = getattr(module, name)
    return found


@functools.cache
def _takes_like(function: Any) -> bool:
    """Whether NumPy calls the protocol for the argument like=, which it does not hand on."""
    return "like" in inspect.signature(function).parameters


def _of_scipy(ufunc: np.ufunc) -> Any:
    """hither.scipy.special's function for a ufunc of scipy.special, or None."""
    name = ufunc.__name__
    if getattr(sys.modules.get("scipy.special"), name, None) is not ufunc:
        return None
    own = importlib.import_module("hither.scipy.special")
    return getattr(own, name) if name in own.__all__ else None


def _is_foreign(value: Any) -> bool:
    """Whether an operand implements ufuncs itself and is no array in USM."""
    known = (None, Array.__array_ufunc__, np.ndarray.__array_ufunc__)
    if getattr(type(value), "__array_ufunc__", None) in known:
        return False
    return not hasattr(value, "__sycl_usm_array_interface__")


def _check_kinds(name: str, operands: Any) -> None:
    """Refuses NumPy's arrays together with hither's."""
    for value in operands:
        if (
            isinstance(value, np.ndarray)
            and value.ndim > 0
            and (not hasattr(value, "__sycl_usm_array_interface__"))
        ):
            raise PlacementError(
                name,
                "an operand is a NumPy array in host memory and another is a hither.Array; copy "
                "it with hither.asarray(v, like=x)",
            )


def _is_array_of_numpy(value: Any) -> bool:
    return type(value) is np.ndarray and value.ndim > 0


def _are_numbers_for_numpy(
    inputs: tuple[Any, ...], out: tuple[Any, ...], given: dict[str, Any]
) -> bool:
    """Whether NumPy's arrays are operands of a ufunc, together with hither's arrays that have no
    dimensions. Where NumPy has numbers hither has such arrays, so that NumPy's arrays decide."""
    if any(isinstance(v, Array) for v in out):
        return False
    if any(isinstance(v, Array) and v.ndim > 0 for v in (*inputs, *given.values())):
        return False
    return any(map(_is_array_of_numpy, inputs))


def _as_number(x: Any) -> Any:
    return asnumpy(x)[()] if isinstance(x, Array) else x


def _array_ufunc(
    self: Array, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, **given: Any
) -> Any:
    """Calls hither.numpy's ufunc. `out` must be a hither.Array."""
    if method == "__call__" and out is None and not given and _PLAIN.issuperset(map(type, inputs)):
        own = _counterparts().get(ufunc)
        if own is not None:
            return own(*inputs)
    if any(map(_is_foreign, (*inputs, *(out or ())))):
        return NotImplemented
    if _are_numbers_for_numpy(inputs, out or (), given):
        named = {name: _as_number(v) for name, v in given.items()}
        if out is not None:
            named["out"] = out
        return getattr(ufunc, method)(*map(_as_number, inputs), **named)
    # For comparisons, NumPy passes its scalars as 0-d arrays.
    numbers = tuple(v[()] if type(v) is np.ndarray and v.ndim == 0 else v for v in inputs)
    own = _counterparts().get(ufunc) or _of_scipy(ufunc)
    if own is not None:
        if out is not None:
            given["out"] = out if len(out) > 1 else out[0]
        return getattr(own, method)(*numbers, **given)
    plain = method == "__call__" and not given and out is None
    if plain and ufunc.__name__ in _hither.elementwise_functions:  # such as SciPy's round
        return getattr(_hither, ufunc.__name__)(*numbers)
    name = ufunc.__name__ + ("" if method == "__call__" else "." + method)
    _check_kinds(name, numbers)
    if out is not None:
        given["out"] = out if len(out) > 1 else out[0]
    return run_on_host(name, getattr(ufunc, method), numbers, given, writes=method == "at")


def _broadcast_in_place(*args: Any) -> tuple[Any, ...]:
    """numpy.broadcast_arrays together with NumPy's arrays, which stay on the host, because it
    computes nothing. For them, arrays without dimensions are numbers."""
    shape = np.broadcast_shapes(*map(np.shape, args))
    return tuple(
        _hither.broadcast_to(x, shape)
        if isinstance(x, Array) and x.ndim > 0
        else np.broadcast_to(asnumpy(x) if isinstance(x, Array) else x, shape)
        for x in args
    )


def _array_function(self: Array, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """Calls hither.numpy's function, or NumPy's on the host if hither.numpy has none."""
    if function is np.broadcast_arrays and any(map(_is_array_of_numpy, args)):
        return _broadcast_in_place(*args)
    own = _counterparts().get(function)
    if own is not None:
        if _takes_like(own):
            kwargs = {"like": self} | kwargs
        return own(*args, **kwargs)
    return run_on_host(function.__name__, function, args, kwargs, writes=True)


Array.__array_ufunc__ = _array_ufunc  # type: ignore[method-assign]
Array.__array_function__ = _array_function  # type: ignore[method-assign]
