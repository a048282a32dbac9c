"""Reductions and scans, with NumPy's parameters. They are lazy and fuse with what feeds them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _hither as h
from .._array.dtypes import kind_of
from .._hither import Array, astype
from ._arguments import dtype_of
from ._direct import direct
from ._elementwise import UFUNCS
from ._placement import mask_of, operands
from ._ufunc_methods import REDUCTIONS, as_vector, axes_of

__all__ = [
    "all",
    "amax",
    "amin",
    "any",
    "argmax",
    "argmin",
    "count_nonzero",
    "cumprod",
    "cumsum",
    "cumulative_prod",
    "cumulative_sum",
    "diff",
    "ediff1d",
    "max",
    "mean",
    "min",
    "prod",
    "ptp",
    "std",
    "sum",
    "var",
]

_NONE: Any = np._NoValue


def _keep(keepdims: Any) -> bool:
    return False if keepdims is _NONE else bool(keepdims)


def _where_given(mask: Any) -> bool:
    return mask is not _NONE and mask is not True and mask is not None


def _reduced(
    name: str, a: Array, axis: Any, dtype: Any, keepdims: Any, initial: Any, mask: Any
) -> Array:
    plain = initial is _NONE and not _where_given(mask) and a.size and a.ndim
    if plain and (name in ("add", "multiply") or (dtype is None and kind_of(a.dtype) in "biuf")):
        options = {} if dtype is None else {"dtype": dtype}
        return REDUCTIONS[name](a, axis=axis, keepdims=_keep(keepdims), **options)
    mask = mask if _where_given(mask) else True
    return UFUNCS[name].reduce(
        a,
        tuple(axis) if isinstance(axis, list) else axis,
        dtype,
        None,
        _keep(keepdims),
        initial,
        mask,
    )


@direct(h.sum, positional=2, keywords="axis dtype keepdims")
@operands("a", out="of out")
def sum(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = _NONE,
    initial: Any = _NONE, where: Any = _NONE,
) -> Any:  # fmt: skip
    """The sum of the elements along axes.

    >>> import hither.numpy as np
    >>> np.sum([[1, 2], [3, 4]], axis=1, initial=10).tolist()
    [13, 17]
    """
    return _reduced("add", a, axis, dtype, keepdims, initial, where)


@direct(h.prod, positional=2, keywords="axis dtype keepdims")
@operands("a", out="of out")
def prod(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = _NONE,
    initial: Any = _NONE, where: Any = _NONE,
) -> Any:  # fmt: skip
    """The product of the elements along axes."""
    return _reduced("multiply", a, axis, dtype, keepdims, initial, where)


@direct(h.max, "bhilBHILefd", positional=1, keywords="axis keepdims")
@operands("a", out="of out")
def max(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = _NONE, initial: Any = _NONE,
    where: Any = _NONE,
) -> Any:  # fmt: skip
    """The largest element along axes; NaN if there is one.

    >>> import hither.numpy as np
    >>> float(np.max([3.0, 7.0, 5.0], where=[True, False, True], initial=0))
    5.0
    """
    return _extreme("maximum", a, axis, keepdims, initial, where)


@direct(h.min, "bhilBHILefd", positional=1, keywords="axis keepdims")
@operands("a", out="of out")
def min(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = _NONE, initial: Any = _NONE,
    where: Any = _NONE,
) -> Any:  # fmt: skip
    """The smallest element along axes; NaN if there is one."""
    return _extreme("minimum", a, axis, keepdims, initial, where)


amax, amin = max, min


def _extreme(name: str, a: Array, axis: Any, keepdims: Any, initial: Any, mask: Any) -> Array:
    if a.dtype.kind == "b":
        if isinstance(initial, (int, float, complex, np.generic)):
            initial = bool(initial)
        result = _reduced(name, astype(a, np.uint8), axis, None, keepdims, initial, mask)
        return astype(result, np.bool_)
    return _reduced(name, a, axis, None, keepdims, initial, mask)


@direct(h.all, positional=1, keywords="axis keepdims")
@operands("a", out="unsafe")
def all(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = _NONE, *, where: Any = _NONE
) -> Any:
    """Whether all elements along axes are true."""
    return _reduced("logical_and", _truth(a), axis, None, keepdims, _NONE, where)


@direct(h.any, positional=1, keywords="axis keepdims")
@operands("a", out="unsafe")
def any(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = _NONE, *, where: Any = _NONE
) -> Any:
    """Whether an element along axes is true."""
    return _reduced("logical_or", _truth(a), axis, None, keepdims, _NONE, where)


def _truth(a: Array) -> Array:
    return a if a.dtype.kind == "b" else a != 0


@direct(h.count_nonzero, positional=1, keywords="axis keepdims")
@operands("a")
def count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """The number of elements along axes that are not 0."""
    if a.ndim == 0 and axis in (0, -1):  # NumPy allows it for numbers
        axis = None
    return h.count_nonzero(a, axis=tuple(axis) if isinstance(axis, list) else axis,
                           keepdims=keepdims)  # fmt: skip


def _mask(name: str, mask: Any, a: Array) -> Array:
    given = mask_of(name, mask, a)
    return h.broadcast_to(given, h.broadcast_shapes(given.shape, a.shape))


def _accumulator(function: str, a: Array, dtype: Any) -> Any:
    if dtype is not None:
        return dtype_of(function, dtype)
    if a.dtype.kind in "biu":
        return np.dtype(np.float64)
    return a.dtype


@direct(h.mean, "efdFD", positional=1, keywords="axis keepdims")
@operands("a", out="unsafe")
def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = _NONE, *,
    where: Any = _NONE,
) -> Any:  # fmt: skip
    """The mean of the elements along axes; NaN if there are none.

    >>> import hither.numpy as np
    >>> float(np.mean([1, 2, 6]))
    3.0
    """
    return _mean(a, axis, dtype, keepdims, where)


def _mean(a: Array, axis: Any, dtype: Any, keepdims: Any, mask: Any) -> Array:
    axes = axes_of("mean", axis, a.ndim)
    kind = _accumulator("mean", a, dtype)
    if not _where_given(mask):
        if kind_of(kind) in "fc":
            return h.mean(astype(a, kind, copy=False), axis=axes, keepdims=_keep(keepdims))
        total = h.sum(astype(a, kind), axis=axes, dtype=kind, keepdims=_keep(keepdims))
        return astype(total / math.prod(a.shape[i] for i in axes), kind)
    chosen = _mask("mean", mask, a)
    total = _reduced("add", a, axes, kind, keepdims, _NONE, mask)
    count = h.sum(chosen, axis=axes, keepdims=_keep(keepdims))
    return astype(total / count, kind, copy=False)


def _variance(
    name: str, a: Array, axis: Any, dtype: Any, ddof: Any, keepdims: Any, mask: Any, mean: Any,
    correction: Any,
) -> Array:  # fmt: skip
    if correction is not _NONE:
        if ddof != 0:
            raise ValueError(f"{name}: ddof and correction can't be provided simultaneously.")
        ddof = correction
    axes = axes_of(name, axis, a.ndim)
    kind = _accumulator(name, a, dtype)
    keeps = _keep(keepdims)
    is_wide = dtype is None or np.result_type(a.dtype, kind) == kind
    if not _where_given(mask) and mean is _NONE and kind_of(kind) in "f" and is_wide:
        return h.var(astype(a, kind, copy=False), axis=axes, correction=float(ddof), keepdims=keeps)
    chosen = _mask(name, mask, a) if _where_given(mask) else None
    limit = chosen if chosen is not None else True
    # As in NumPy, a dtype that does not hold the elements is that of the sums only.
    summed = a.real if kind_of(a.dtype) == "c" and kind_of(kind) != "c" else a
    middle = _mean(summed, axes, kind, True, limit) if mean is _NONE else mean
    distance = (astype(a, kind, copy=False) if is_wide else a) - middle
    if distance.dtype.kind == "c":
        square = h.square(distance.real) + h.square(distance.imag)
    else:
        square = h.square(distance)
    total = UFUNCS["add"].reduce(
        square, axes, None if dtype is None else kind, None, keeps, _NONE, limit
    )
    if chosen is None:
        count: Any = float(np.maximum(math.prod(a.shape[i] for i in axes) - ddof, 0))
    else:
        count = h.maximum(h.sum(chosen, axis=axes, keepdims=keeps) - ddof, 0)
        if kind_of(total.dtype) in "fc":
            count = astype(count, total.dtype)
    return astype(total / count, total.dtype, copy=False)


def _root(variance: Array) -> Array:
    return astype(h.sqrt(variance), variance.dtype, copy=False)


@direct(h.var, "efd", positional=1, keywords="axis keepdims")
@operands("a", out="unsafe")
def var(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0,
    keepdims: Any = _NONE, *, where: Any = _NONE, mean: Any = _NONE, correction: Any = _NONE,
) -> Any:  # fmt: skip
    """The variance of the elements along axes; the divisor is their number less `ddof`."""
    return _variance("var", a, axis, dtype, ddof, keepdims, where, mean, correction)


@direct(h.std, "fd", positional=1, keywords="axis keepdims")
@operands("a", out="same_kind")
def std(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0,
    keepdims: Any = _NONE, *, where: Any = _NONE, mean: Any = _NONE, correction: Any = _NONE,
) -> Any:  # fmt: skip
    """The standard deviation of the elements along axes, the square root of var().

    >>> import hither.numpy as np
    >>> float(np.std([1, 3], ddof=0))
    1.0
    """
    return _root(_variance("std", a, axis, dtype, ddof, keepdims, where, mean, correction))


@direct(h.argmax, "bhilBHILefd", positional=1, keywords="axis keepdims")
@operands("a", out="copied")
def argmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = _NONE) -> Any:
    """The index of the first largest element along an axis, or in the flattened array."""
    return _searched(h.argmax, a, axis, keepdims)


@direct(h.argmin, "bhilBHILefd", positional=1, keywords="axis keepdims")
@operands("a", out="copied")
def argmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = _NONE) -> Any:
    """The index of the first smallest element along an axis, or in the flattened array."""
    return _searched(h.argmin, a, axis, keepdims)


def _searched(search: Any, a: Array, axis: Any, keepdims: Any) -> Array:
    if a.ndim == 0 and axis in (0, -1):  # NumPy allows it for numbers
        axis = None
    if a.dtype.kind == "c":
        return _searched_in_order(search, a, axis, _keep(keepdims))
    number = astype(a, np.uint8) if a.dtype.kind == "b" else a
    return search(number, axis=axis, keepdims=_keep(keepdims))


def _searched_in_order(search: Any, a: Array, axis: Any, keeps: bool) -> Array:
    """argmin or argmax of complex numbers, which are ordered by real and then imaginary part."""
    extreme, last = (h.max, -math.inf) if search is h.argmax else (h.min, math.inf)
    first = extreme(a.real, axis=axis, keepdims=True)
    found = search(h.where(a.real == first, a.imag, last), axis=axis, keepdims=keeps)
    unknown = h.isnan(a)
    place = h.argmax(astype(unknown, np.uint8), axis=axis, keepdims=keeps)
    return h.where(h.any(unknown, axis=axis, keepdims=keeps), place, found)


@operands("a", out="unsafe")
def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = _NONE) -> Any:
    """The difference of the largest and the smallest element along axes."""
    axes = axes_of("ptp", axis, a.ndim, of_number=True)
    ends = (
        UFUNCS[name].reduce(a, axes, keepdims=_keep(keepdims)) for name in ("maximum", "minimum")
    )
    return UFUNCS["subtract"](*ends)


def _scan(scan: Any, a: Array, axis: Any, dtype: Any, **options: Any) -> Array:
    if axis is None or (a.ndim == 0 and axis in (0, -1)):
        a, axis = h.reshape(a, (-1,)), 0
    return scan(a, axis=axis, dtype=dtype, **options)


@operands("a", out="of out")
def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """The partial sums along an axis, or of the flattened array.

    >>> import hither.numpy as np
    >>> np.cumsum([1, 2, 3]).tolist()
    [1, 3, 6]
    """
    return _scan(h.cumulative_sum, a, axis, dtype)


@operands("a", out="of out")
def cumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """The partial products along an axis, or of the flattened array."""
    return _scan(h.cumulative_prod, a, axis, dtype)


def _line(name: str, x: Array, axis: Any) -> tuple[Array, int]:
    """The array and the axis of a scan by the standard's rules; a number is an array of one."""
    if axis is None and x.ndim > 1:
        raise ValueError(f"{name}: axis= is missing for an array of {x.ndim} dimensions")
    return as_vector(x), 0 if axis is None else axis


@operands("x", out="unsafe")
def cumulative_sum(
    x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None,
    include_initial: bool = False,
) -> Any:  # fmt: skip
    """The partial sums along an axis, which begin with 0 if include_initial is set."""
    x, axis = _line("cumulative_sum", x, axis)
    return h.cumulative_sum(x, axis=axis, dtype=dtype, include_initial=include_initial)


@operands("x", out="unsafe")
def cumulative_prod(
    x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None,
    include_initial: bool = False,
) -> Any:  # fmt: skip
    """The partial products along an axis, which begin with 1 if include_initial is set."""
    x, axis = _line("cumulative_prod", x, axis)
    return h.cumulative_prod(x, axis=axis, dtype=dtype, include_initial=include_initial)


@operands("a", weak="prepend append")
def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = _NONE, append: Any = _NONE) -> Any:
    """The n-th differences of neighbours along an axis.

    >>> import hither.numpy as np
    >>> np.diff([1, 4, 9]).tolist()
    [3, 5]
    """
    if n < 0:
        raise ValueError(f"diff: n={n} is negative")
    if a.ndim == 0:
        raise ValueError("diff: a has no dimension")
    if n == 0:
        return a
    (axis,) = axes_of("diff", axis, a.ndim)
    parts = [_edge(a, prepend, axis), a, _edge(a, append, axis)]
    joined = [x for x in parts if x is not None]
    values = h.concat(joined, axis) if len(joined) > 1 else a
    front = (slice(None),) * axis
    for _ in range(n):
        high, low = values[(*front, slice(1, None))], values[(*front, slice(None, -1))]
        values = high != low if values.dtype.kind == "b" else high - low
    return values


def _edge(a: Array, value: Any, axis: int) -> Any:
    if value is _NONE or value is None:
        return None
    if not isinstance(value, Array):
        value = h.asarray(value, queue=a.queue)
    if value.ndim == 0:
        value = h.broadcast_to(value, (*a.shape[:axis], 1, *a.shape[axis + 1 :]))
    return value


@operands("ary", weak="to_end to_begin")
def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """The differences of neighbours in the flattened array, between `to_begin` and `to_end`."""
    flat = h.reshape(ary, (-1,))
    middle = UFUNCS["subtract"](flat[1:], flat[:-1])
    parts = []
    for name, value in (("to_begin", to_begin), ("", middle), ("to_end", to_end)):
        if value is None:
            continue
        if not isinstance(value, Array):
            value = h.asarray(value, queue=ary.queue)
        if name and not np.can_cast(value.dtype, ary.dtype, "same_kind"):
            raise TypeError(f"ediff1d: {name} has dtype {value.dtype}, ary {ary.dtype}")
        parts.append(h.reshape(astype(value, ary.dtype, copy=False), (-1,)))
    return h.concat(parts) if len(parts) > 1 else middle
