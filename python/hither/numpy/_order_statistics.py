"""Medians, percentiles and quantiles with NumPy's parameters, by hither's functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _hither as h
from .._array.quantiles import (
    DISCRETE,
    median_of,
    probabilities,
    quantiles,
    weighted_quantiles,
)
from .._hither import Array
from ._placement import operands
from ._statistics import weights_along
from ._ufunc_methods import axes_of

__all__ = ["median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile"]


def _axes(axis: Any) -> Any:
    return tuple(axis) if isinstance(axis, list) else axis


def _keeps(keepdims: Any) -> bool:
    return keepdims is not np._NoValue and bool(keepdims)


@operands("a", out="unsafe")
def median(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False
) -> Any:
    """The middle element of each line, or the mean of the two middle ones; NaN if there is one.

    >>> import hither.numpy as np
    >>> float(np.median([1, 9, 3, 5]))
    4.0
    """
    return median_of("median", a, _axes(axis), _keeps(keepdims))


@operands("a", out="unsafe")
def nanmedian(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
    keepdims: Any = np._NoValue,
) -> Any:  # fmt: skip
    """The median of the elements that are not NaN."""
    return median_of("nanmedian", a, _axes(axis), _keeps(keepdims), skips_nan=True)


def _quantiles(
    name: str, a: Array, q: Any, scale: int, axis: Any, method: str, keepdims: Any, weights: Any,
) -> Array:  # fmt: skip
    if a.dtype.kind == "c":
        raise TypeError(f"{name}: a is {a.dtype}; it must be an array of real numbers")
    if isinstance(q, Array):
        q = h.asnumpy(q)
    kind = np.asarray(q).dtype.kind
    numbers, keeps_dtype = probabilities(name, np.asarray(q, np.int8) if kind == "b" else q, scale)
    if weights is not None:
        if method != "inverted_cdf":
            raise ValueError(f"{name}: weights need method='inverted_cdf', not {method!r}")
        chosen = axes_of(name, _axes(axis), a.ndim)
        return weighted_quantiles(
            name, a, numbers, chosen, _keeps(keepdims), weights_along(name, a, axis, weights),
            skips_nan=name.startswith("nan"),
        )  # fmt: skip
    if scale == 1 and kind in "biu" and method == "linear":
        method = "lower"  # the smallest and largest elements keep their dtype
    if a.dtype.kind == "b" and method not in DISCRETE:
        raise TypeError(f"{name}: a is bool; bools have no differences, so cast them with astype")
    return quantiles(
        name, a, numbers, keeps_dtype, _axes(axis), method, _keeps(keepdims),
        skips_nan=name.startswith("nan"), allows_empty=True,
    )  # fmt: skip


@operands("a weights", out="same_kind")
def percentile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
    method: str = "linear", keepdims: bool = False, *, weights: Any = None,
) -> Any:  # fmt: skip
    """The values below which q percent of the elements of each line are.

    >>> import hither.numpy as np
    >>> np.percentile([1.0, 2.0, 3.0], [0, 75]).tolist()
    [1.0, 2.5]
    """
    return _quantiles("percentile", a, q, 100, axis, method, keepdims, weights)


@operands("a weights", out="same_kind")
def quantile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
    method: str = "linear", keepdims: bool = False, *, weights: Any = None,
) -> Any:  # fmt: skip
    """The values below which a share q of the elements of each line is."""
    return _quantiles("quantile", a, q, 1, axis, method, keepdims, weights)


@operands("a weights", out="same_kind")
def nanpercentile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
    method: str = "linear", keepdims: Any = np._NoValue, *, weights: Any = None,
) -> Any:  # fmt: skip
    """percentile() of the elements that are not NaN."""
    return _quantiles("nanpercentile", a, q, 100, axis, method, keepdims, weights)


@operands("a weights", out="same_kind")
def nanquantile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
    method: str = "linear", keepdims: Any = np._NoValue, *, weights: Any = None,
) -> Any:  # fmt: skip
    """quantile() of the elements that are not NaN."""
    return _quantiles("nanquantile", a, q, 1, axis, method, keepdims, weights)
