"""hither's arrays as chunks of Dask's arrays: the rows of Dask's tables."""

from __future__ import annotations

import contextlib
import functools
import importlib
import math
from collections.abc import Callable
from typing import Any

from .._hither import Array, asnumpy, full

__all__: list[str] = []


def _count(x: Array, axis: Any = None, keepdims: bool = False, dtype: Any = None, **_: Any) -> Any:
    """The number of elements that a reduction over the axes combines, for each result."""
    given = range(x.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = {a % x.ndim for a in given} if x.ndim else set()
    count = math.prod(x.shape[a] for a in axes)
    shape = tuple(
        1 if a in axes else extent for a, extent in enumerate(x.shape) if keepdims or a not in axes
    )
    return full(shape, count, dtype or float, queue=x.queue, usm_type=x.usm_type)


def _count_numbers(x: Array, **given: Any) -> Any:
    """The same without NaNs."""
    own = importlib.import_module("hither.numpy")
    return own.sum(~own.isnan(x), **given)


def _percentile(x: Array, q: Any, method: str = "linear") -> Any:
    return importlib.import_module("dask.array.backends").percentile(x, q, method)


def _to_numpy(x: Array, **_: Any) -> Any:
    return asnumpy(x)


def _named(name: str) -> Callable[..., Any]:
    """hither.numpy's function, which is imported at the first call."""

    def call(*arguments: Any, **given: Any) -> Any:
        return getattr(importlib.import_module("hither.numpy"), name)(*arguments, **given)

    return call


# Table in dask.array.dispatch -> its row for hither's arrays. The others call NumPy's protocols.
_ROWS: dict[str, Callable[..., Any]] = {
    "concatenate_lookup": _named("concatenate"),
    "einsum_lookup": _named("einsum"),
    "empty_lookup": _named("empty"),
    "nannumel_lookup": _count_numbers,
    "numel_lookup": _count,
    "percentile_lookup": _percentile,
    "take_lookup": _named("take"),
    "tensordot_lookup": _named("tensordot"),
    "to_numpy_dispatch": _to_numpy,
}


def size_in_bytes(x: Array) -> int:
    """The bytes that an array keeps from being freed.

    A pending array keeps the operands of all its operations, which may be much larger than its
    elements. It is evaluated, which lets go of them. A view counts its own elements, of which those
    that are repeated count once: its base counts for itself, or is copied (see hither.dask).
    """
    x.evaluate()
    extents = (n for n, stride in zip(x.shape, x.strides, strict=True) if stride or n == 0)
    return math.prod(extents) * x.itemsize


def _token(x: Array) -> Any:
    """Equal for arrays of equal elements in the same kind of memory of the same device."""
    from dask.tokenize import normalize_token

    values = normalize_token(asnumpy(x))
    return "hither.Array", values, x.device.filter_string, x.usm_type


@functools.cache
def register() -> None:
    """Fills Dask's tables. Later calls do nothing."""
    from dask.array import dispatch
    from dask.array.chunk_types import register_chunk_type
    from dask.sizeof import sizeof
    from dask.tokenize import normalize_token

    for table, row in _ROWS.items():
        if hasattr(dispatch, table):  # a table that this version of Dask has
            getattr(dispatch, table).register(Array, row)
    register_chunk_type(Array)
    register_sizeof(sizeof)
    normalize_token.register(Array, _token)
    with contextlib.suppress(ImportError):  # a version of Dask with other tasks does not evaluate
        importlib.import_module("hither._interop.dask_tasks").register()


def register_sizeof(table: Any) -> None:
    """Adds hither's row to the table of sizes; the entry point dask.sizeof names it."""
    table.register(Array, size_in_bytes)
