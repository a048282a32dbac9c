"""NumPy's functions with sharded arguments, by name: ufuncs, other element-wise functions,
reductions and products. hither.numpy and NumPy's protocols call them."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from .. import _hither as h
from .._call_errors import of_function
from .._names import a_type
from ..errors import InvalidTypeError, InvalidValueError, UnsupportedError
from . import reductions
from .elementwise import elementwise, is_sharded
from .indexing import write
from .products import matmul

__all__: list[str] = []

# Functions whose elements depend on the same elements of the operands: their first parameters, as
# many as the number says, are operands.
_ELEMENTWISE = {
    "where": 3, "clip": 3, "round": 1, "around": 1, "real": 1, "imag": 1, "angle": 1, "isclose": 2,
    "nan_to_num": 1, "sinc": 1, "i0": 1, "iscomplex": 1, "isreal": 1, "isneginf": 1, "isposinf": 1,
    "fix": 1, "zeros_like": 1, "ones_like": 1, "empty_like": 1, "full_like": 2, "copy": 1,
    "astype": 1, "real_if_close": 1,
}  # fmt: skip
_REDUCTIONS = {
    "sum": "sum", "prod": "prod", "max": "max", "min": "min", "amax": "max", "amin": "min",
    "all": "all", "any": "any", "count_nonzero": "count_nonzero", "argmax": "argmax",
    "argmin": "argmin",
}  # fmt: skip
# Functions that keep rows apart if they work along other axes than the divided one.
_ALONG_AXES = (
    "sort", "argsort", "cumulative_sum", "cumulative_prod", "cumsum", "cumprod", "flip", "roll",
    "diff", "repeat", "take", "median", "nanmedian", "nansum", "nanprod", "nanmax", "nanmin",
    "nanmean",
)  # fmt: skip
_OF_UFUNCS = {
    "add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all",
    "logical_or": "any",
}  # fmt: skip


# Finding a function and its signature takes longer than an operation of few elements.
_signature = lru_cache(maxsize=1024)(inspect.signature)


@lru_cache(maxsize=1024)
def _operand_count(function: Any) -> int:
    """The number of parameters that are not given by name alone."""
    kinds = [parameter.kind for parameter in _signature(function).parameters.values()]
    return sum(kind is not inspect.Parameter.KEYWORD_ONLY for kind in kinds)


@lru_cache(maxsize=1024)
def _numpys(name: str) -> Any:
    return getattr(importlib.import_module("hither.numpy"), name, None)


def _refuse(name: str) -> UnsupportedError:
    return UnsupportedError(
        name, "it takes no ShardedArray; gather the array, hither.gather(x), or use its parts"
    )


def _deliver(name: str, result: Any, out: Any, casting: str = "same_kind") -> Any:
    """Writes results to out=, by NumPy's rule."""
    if isinstance(out, tuple):
        if len(out) == 1:
            return _deliver(name, result, out[0], casting)
        given = zip(result, out, strict=True)
        return tuple(r if o is None else _deliver(name, r, o, casting) for r, o in given)
    if not is_sharded(out):
        raise InvalidTypeError(name, f"out= is {a_type(out)}; pass a ShardedArray")
    if out.shape != result.shape:
        raise InvalidValueError(name, f"out has shape {out.shape}, the result {result.shape}")
    if not np.can_cast(result.dtype, out.dtype, casting):  # type: ignore[arg-type]
        raise InvalidTypeError(
            name, f"out has dtype {out.dtype}, which cannot store a result of {result.dtype}"
        )
    write(out, result, temporary=True)
    return out


def _called(name: str, function: Callable[..., Any], operands: Any, keywords: Any) -> Any:
    """The element-wise function, with out= and where=."""
    out = keywords.pop("out", None)
    if isinstance(out, tuple) and all(item is None for item in out):
        out = None
    mask = keywords.pop("where", True)
    for where in ("queue", "device", "shape"):
        if keywords.pop(where, None) is not None:
            raise InvalidTypeError(name, f"{where}= has no effect on a ShardedArray; leave it out")
    if mask is not True:
        raise UnsupportedError(name, "where= takes no ShardedArray; use hither.numpy.where")
    result = elementwise(name, lambda *given: function(*given, **keywords), *operands)
    if out is None:
        return result
    return _deliver(name, result, out, keywords.get("casting", "same_kind"))


def call_ufunc(name: str, method: str, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """A call of a ufunc or of its method `reduce`."""
    function = _numpys(name)
    numpys = getattr(function, "numpy_ufunc", None)
    if method == "reduce" and name in _OF_UFUNCS:
        axis = inputs[1] if len(inputs) > 1 else keywords.pop("axis", 0)
        return call_function(_OF_UFUNCS[name], (inputs[0],), {"axis": axis, **keywords})
    if method != "__call__":
        raise _refuse(f"{name}.{method}")
    if name == "matmul" and len(inputs) == 2:
        return _product(name, inputs, keywords)
    if numpys is None or numpys.signature is not None:
        raise _refuse(name)
    if len(inputs) == numpys.nin + 1 and "out" not in keywords:
        inputs, keywords = inputs[:-1], {**keywords, "out": inputs[-1]}
    if len(inputs) != numpys.nin:
        raise InvalidTypeError(name, f"takes {numpys.nin} operands, {len(inputs)} given")
    given = [value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value
             for value in inputs]  # fmt: skip
    if not any(is_sharded(value) for value in given):
        raise InvalidTypeError(name, "out= is a ShardedArray and no operand is one")
    return _called(name, function, given, dict(keywords))


def _product(name: str, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    out = keywords.get("out")
    if any(value is not None for key, value in keywords.items() if key != "out"):
        raise UnsupportedError(name, "keywords other than out= take no ShardedArray")
    result = matmul(*inputs)
    if result is NotImplemented:
        raise InvalidTypeError(name, "an operand is neither a ShardedArray nor an array")
    return result if out is None else _deliver(name, result, out)


def _bound(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments by the names of NumPy's parameters."""
    try:
        parameters = _signature(_numpys(name))
        return dict(parameters.bind(*args, **kwargs).arguments)
    except (ValueError, TypeError) as error:
        raise InvalidTypeError(name, f"{error}") from None


def call_function(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of NumPy's function of this name."""
    if name in ("conj", "absolute", "abs") or isinstance(_numpys(name), _ufunc_class()):
        return call_ufunc({"abs": "absolute", "conj": "conjugate"}.get(name, name), "__call__",
                          args, kwargs)  # fmt: skip
    if name in _ELEMENTWISE:
        return _element_function(name, args, kwargs)
    if name in _REDUCTIONS or name in ("mean", "var", "std", "ptp"):
        return _reduction(name, args, kwargs)
    if name in _ALONG_AXES:
        bound = _bound(name, args, kwargs)
        return _along_axes(name, _numpys(name), bound.pop(next(iter(bound))), bound)
    if name == "norm":
        return _norm(*args, **kwargs)
    if name == "dot" and len(args) == 2:
        numbers = [x for x in args if getattr(x, "ndim", 0) == 0]
        return args[0] * args[1] if numbers else _dot(*args)
    if name == "allclose":
        return bool(call_function("isclose", args, kwargs).all())
    if name == "transpose":
        return args[0].transpose(*args[1:], **kwargs)
    if name in ("shape", "ndim", "size") and args and is_sharded(args[0]):
        alike = np.broadcast_to(np.int8(0), args[0].shape)
        return getattr(np, name)(alike, *args[1:], **kwargs)
    raise _refuse(name)


def _ufunc_class() -> type:
    return _numpys("ufunc")


def _dot(x1: Any, x2: Any) -> Any:
    if x2.ndim > 2:
        raise UnsupportedError("dot", "x2 has more than two dimensions; use matmul")
    return matmul(x1, x2)


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """NumPy's norms of vectors, and of matrices the one of all elements."""
    if isinstance(axis, (list, tuple)) and len(axis) == 1:
        axis = axis[0]
    if isinstance(axis, (list, tuple)) or (axis is None and ord is not None and x.ndim > 1):
        raise UnsupportedError("norm", "norms of matrices take no ShardedArray; gather the array")
    norm = importlib.import_module("hither.linalg").vector_norm
    return norm(x, ord=2 if ord is None else ord, axis=axis, keepdims=keepdims)


def _element_function(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    count = _ELEMENTWISE[name]
    function = _numpys(name)
    if name == "clip":  # its bounds have several names, and may be None
        given = {**dict(zip(("a", "a_min", "a_max"), args[:3], strict=False)), **kwargs}
        low = given.pop("a_min", given.pop("min", None))
        high = given.pop("a_max", given.pop("max", None))
        return _clip(function, given.pop("a"), low, high, given)
    if name == "where" and len(args) != 3:
        raise UnsupportedError(name, "without x and y it takes no ShardedArray; gather the mask")
    operands, rest = list(args[:count]), args[count:]
    if name == "astype" and len(rest) == 1:  # its parameter dtype has no keyword
        return _called(name, lambda x, **given: function(x, *rest, **given), operands, dict(kwargs))
    if len(operands) < count or rest:
        bound = _bound(name, args, kwargs)
        names = list(bound)[:count]
        operands = [bound.pop(key) for key in names]
        kwargs = bound
    if not any(is_sharded(value) for value in operands):
        raise _refuse(name)
    return _called(name, function, operands, dict(kwargs))


def _clip(function: Any, x: Any, low: Any, high: Any, keywords: dict[str, Any]) -> Any:
    named = {"min": low, "max": high}
    keys = [key for key, bound in named.items() if bound is not None]
    return _called(
        "clip",
        lambda a, *bounds, **kw: function(a, **dict(zip(keys, bounds, strict=True)), **kw),
        [x, *(named[key] for key in keys)],
        keywords,
    )


def _reduction(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    given = _bound(name, args, kwargs)
    given = {key: value for key, value in given.items() if value is not np._NoValue}
    return _reduced(name, given.pop("a", None), given)


def _reduced(name: str, x: Any, given: dict[str, Any]) -> Any:
    if not is_sharded(x):
        raise _refuse(name)
    axis, out = given.pop("axis", None), given.pop("out", None)
    keepdims, dtype = bool(given.pop("keepdims", False)), given.pop("dtype", None)
    correction = given.pop("ddof", given.pop("correction", 0))
    if any(value is not None and value is not True for value in given.values()):
        raise UnsupportedError(name, f"{', '.join(given)} take no ShardedArray")
    options = {} if dtype is None else {"dtype": dtype}
    if name == "mean":
        result = reductions.mean(x, axis, dtype)
    elif name in ("var", "std"):
        result = reductions.var(x, axis, dtype, correction)
        if name == "std":
            result = _numpys("sqrt")(result)
    elif name == "ptp":
        result = reductions.reduce("max", x, axis) - reductions.reduce("min", x, axis)
    else:
        result = reductions.reduce(_REDUCTIONS[name], x, axis, **options)
    if keepdims:
        for number in reductions.axes_of(name, axis, x.ndim):
            result = reductions.expanded(result, number)
    if out is None:
        return result
    if isinstance(out, h.Array):
        out[...] = result
        return out
    return _deliver(name, result, out)


def _on_host(x: Any, out: Any = None, wait: bool = True) -> Any:
    """hither.asnumpy: a copy of all rows in host memory."""
    if not is_sharded(x):
        raise InvalidTypeError("asnumpy", f"out= is {a_type(out)}; pass a NumPy array")
    if out is not None or not wait:
        raise UnsupportedError("asnumpy", "out= and wait= take no ShardedArray; leave them out")
    x.evaluate()
    rows = [h.asnumpy(piece) for part in x._pieces for piece in part]
    return np.concatenate(rows, axis=x.axis)


def _along_axes(name: str, function: Any, x: Any, given: dict[str, Any]) -> Any:
    if not is_sharded(x):
        raise _refuse(name)
    for key, value in given.items():
        if key not in ("indices", "repeats") and getattr(value, "ndim", 0) > 0:
            raise UnsupportedError(name, f"{key}= is an array, which takes no ShardedArray")
    axis = given.get("axis", _signature(function).parameters["axis"].default)
    if name == "roll" and isinstance(axis, (list, tuple)):
        axis = tuple(set(axis))  # an axis may have several shifts
    axes = reductions.axes_of(name, axis, x.ndim)
    if x.axis in axes:
        raise UnsupportedError(
            name,
            f"axis {x.axis} is divided; divide another one with x.reshard(axis), or gather the "
            "array, hither.gather(x)",
        )
    pieces = [[function(piece, **given) for piece in part] for part in x._pieces]
    # Axes before the divided one may be gone, or become several.
    before, more = sum(a < x.axis for a in axes), pieces[0][0].ndim - x.ndim
    return type(x)._of(x.mesh, x.axis + more * before // max(len(axes), 1), pieces)


def _check(function: Any, x: Any, given: dict[str, Any]) -> None:
    """Raises the function's errors for these arguments. The array of one element is not
    computed."""
    if is_sharded(x):
        function(h.zeros((1,) * x.ndim, dtype=x.dtype, queue=x.mesh[0]), **given)


def _native_reduction(name: str, function: Any, x: Any, given: dict[str, Any]) -> Any:
    _check(function, x, given)
    dtype = np.dtype(given.get("dtype") or getattr(x, "dtype", None))
    if name == "std" and dtype == np.float16:  # its square may be infinite
        return _reduced(name, x, {**given, "dtype": np.float32}).astype(dtype)
    return _reduced(name, x, given)


def call_native(name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call of the function of this name in the module hither, which has refused an argument that
    is a ShardedArray. The extension calls it."""
    return call_own(name, getattr(h, name), args, kwargs)


def call_own(name: str, function: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call of a function of the module hither with an argument that is a ShardedArray."""
    if name in h.elementwise_functions and not kwargs and len(args) == _operand_count(function):
        return elementwise(name, function, *args)
    try:
        bound = _signature(function).bind(*args, **kwargs).arguments
    except TypeError:
        raise of_function(function, tuple(args), kwargs) from None
    for where in ("queue", "device", "sycl_queue", "shape"):
        if bound.pop(where, None) is not None:
            raise InvalidTypeError(name, f"{where}= has no effect on a ShardedArray; leave it out")
    if name == "asnumpy":
        return _on_host(**bound)
    if name == "matmul":
        return _product(name, (bound.pop("x1"), bound.pop("x2")), bound)
    if name == "clip":
        return _clip(function, bound.pop("x"), bound.get("min"), bound.get("max"), {})
    if name in h.elementwise_functions:
        return elementwise(name, function, *args)
    if name in _REDUCTIONS or name in ("mean", "var", "std"):
        return _native_reduction(name, function, bound.pop("x"), bound)
    if name in _ALONG_AXES:
        x = bound.pop("x")
        if name not in ("take", "repeat"):
            _check(function, x, bound)
        return _along_axes(name, function, x, bound)
    if not is_sharded(bound.get("x")):
        raise _refuse(name)
    return elementwise(name, lambda x: function(x, **bound), bound.pop("x"))
