"""dpctl.tensor's sorts, and scans that hither has under other names."""

from __future__ import annotations

from typing import Any

import numpy as np

import hither
from hither.compat.dpctl.tensor.layout import stored

__all__ = ["argsort", "cumulative_logsumexp", "isin", "sort", "top_k"]

_KINDS = (None, "stable", "mergesort", "radixsort")


def _check_kind(function: str, kind: Any) -> None:
    if kind not in _KINDS:
        raise hither.InvalidValueError(function, f"kind={kind!r} is none of {_KINDS}")


def _has_no_axis(x: Any) -> bool:
    return isinstance(x, hither.Array) and x.ndim == 0


def sort(
    x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True, kind: Any = None
) -> Any:
    """x in order along an axis. Every sort is stable, of each ``kind``."""
    _check_kind("sort", kind)
    if _has_no_axis(x):
        return hither.copy(x)
    return hither.sort(x, axis=axis, descending=descending)


def argsort(
    x: Any, axis: int = -1, descending: bool = False, stable: bool = True, kind: Any = None
) -> Any:
    """The indices that put x in order along an axis."""
    _check_kind("argsort", kind)
    if _has_no_axis(x):
        return hither.zeros_like(x, dtype=np.int64)
    return hither.argsort(x, axis=axis, descending=descending)


def top_k(x: Any, k: int, /, *, axis: int | None = None, mode: str = "largest") -> Any:
    """The k largest or smallest elements and their indices, of the flattened array by default."""
    if axis is None:
        x, axis = hither.reshape(x, (-1,)), 0
    return hither.top_k(x, k, axis=axis, mode=mode)


def isin(x: Any, test_elements: Any, /, *, invert: bool | None = False) -> Any:
    """Whether each element of x is one of the test elements."""
    return hither.isin(x, test_elements, invert=bool(invert))


def cumulative_logsumexp(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False,
    out: Any = None,
) -> Any:  # fmt: skip
    """The logarithm of the partial sums of exp(x), without overflow. Lazy."""
    if axis is None:
        if x.ndim != 1:
            raise hither.InvalidValueError(
                "cumulative_logsumexp", f"axis= is missing for an array of {x.ndim} dimensions"
            )
        axis = 0
    if x.dtype.kind == "c":
        raise hither.InvalidValueError("cumulative_logsumexp", f"x is {x.dtype}, not real")
    wanted = dtype
    if dtype is None:
        wanted = x.dtype if x.dtype.kind == "f" else np.result_type(x.dtype, np.float32)
    from hither import numpy as xnp

    result = xnp.logaddexp.accumulate(hither.astype(x, wanted, copy=False), axis)
    if include_initial:
        shape = tuple(1 if d == axis % x.ndim else n for d, n in enumerate(x.shape))
        place = {"queue": x.queue, "usm_type": x.usm_type}
        start = hither.full(shape, -np.inf, dtype=wanted, **place)
        result = hither.concat([start, result], axis=axis)
    return stored(result, out)
