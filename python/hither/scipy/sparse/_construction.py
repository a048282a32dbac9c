"""Functions that make sparse arrays."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import _hither as h
from ..._checked_call import check_functions
from ..._hither import Array, asarray, astype
from ..._names import a_type
from ...errors import InvalidTypeError, InvalidValueError
from ...numpy._placement import first_array, place_of
from .._generators import generator_of
from . import _rows
from ._arguments import shape_of
from ._formats import coo_array
from ._matrices import coo_matrix
from ._rows import Coordinates
from ._sparse_array import SparseArray

__all__ = [
    "diags", "diags_array", "eye", "eye_array", "find", "identity", "issparse", "rand", "random",
    "random_array", "spdiags", "tril", "triu",
]  # fmt: skip


def issparse(x: Any) -> bool:
    """Whether x is a sparse array or matrix of hither."""
    return isinstance(x, SparseArray)


def _of(c: Coordinates, family: Any, format: Any) -> Any:
    made = family._of_coordinates(c, (c.height, c.width))
    return made.asformat(format or "csr")


def eye_array(
    m: int, n: int | None = None, *, k: int = 0, dtype: Any = float, format: Any = None,
    queue: Any = None, device: Any = None, usm_type: Any = None,
) -> Any:  # fmt: skip
    """The array of m rows and n columns with ones on the k-th diagonal."""
    return _eye("eye_array", coo_array, m, n, k, dtype, format, (queue, device, usm_type))


def eye(
    m: int, n: int | None = None, k: int = 0, dtype: Any = float, format: Any = None, *,
    queue: Any = None, device: Any = None, usm_type: Any = None,
) -> Any:  # fmt: skip
    """The matrix of m rows and n columns with ones on the k-th diagonal. New programs use
    eye_array().
    """
    return _eye("eye", coo_matrix, m, n, k, dtype, format, (queue, device, usm_type))


def identity(
    n: int, dtype: Any = "d", format: Any = None, *,
    queue: Any = None, device: Any = None, usm_type: Any = None,
) -> Any:  # fmt: skip
    """The identity matrix of n rows. New programs use eye_array()."""
    return _eye("identity", coo_matrix, n, n, 0, dtype, format, (queue, device, usm_type))


def _eye(
    function: str, family: Any, m: Any, n: Any, k: Any, dtype: Any, format: Any, where: Any
) -> Any:
    height, width = shape_of(function, (m, m if n is None else n), (2,))
    k = operator.index(k)
    length = max(min(height + min(k, 0), width - max(k, 0)), 0)
    place = place_of(*where)
    kind = _rows.index_dtype(height, width)
    row, column = (h.iota(length, first, 1, kind, **place) for first in (-min(k, 0), max(k, 0)))
    data = h.full((length,), 1, h.dtype_argument(dtype), **place)
    made = family._of_coordinates(Coordinates(data, row, column, height, width), (height, width))
    made._is_canonical = True
    return made.asformat(format or "csr")


def diags_array(
    diagonals: Any, /, *, offsets: Any = 0, shape: Any = None, format: Any = None,
    dtype: Any = None, queue: Any = None, device: Any = None, usm_type: Any = None,
) -> Any:  # fmt: skip
    """The array with the given diagonals. `offsets` tells how far each is above the main diagonal.

    A diagonal of one element is repeated if `shape` is given.
    """
    where = (queue, device, usm_type)
    return _diagonals("diags_array", coo_array, diagonals, offsets, shape, format, dtype, where)


def diags(
    diagonals: Any, offsets: Any = 0, shape: Any = None, format: Any = None, dtype: Any = None, *,
    queue: Any = None, device: Any = None, usm_type: Any = None,
) -> Any:  # fmt: skip
    """The matrix with the given diagonals. New programs use diags_array()."""
    where = (queue, device, usm_type)
    return _diagonals("diags", coo_matrix, diagonals, offsets, shape, format, dtype, where)


def _diagonals(
    function: str, family: Any, diagonals: Any, offsets: Any, shape: Any, format: Any, dtype: Any,
    where: Any,
) -> Any:  # fmt: skip
    if np.isscalar(offsets) or getattr(offsets, "ndim", 1) == 0:
        one = diagonals if isinstance(diagonals, (Array, np.ndarray)) else list(diagonals)
        nested = not isinstance(one, Array) and len(one) and np.ndim(one[0]) > 0
        diagonals = [np.atleast_1d(one[0]) if nested else one]
        offsets = [offsets]
    lines = [x if isinstance(x, Array) else np.atleast_1d(np.asarray(x)) for x in diagonals]
    places = [operator.index(k) for k in offsets]
    if len(lines) != len(places):
        raise InvalidValueError(
            function, f"there are {len(lines)} diagonals, {len(places)} offsets"
        )
    if len(set(places)) != len(places):
        raise InvalidValueError(function, "offsets contains a number twice")
    home = first_array(lines)
    queue, device, usm_type = where
    place = place_of(queue, device, usm_type, like=home)
    if shape is None:
        side = lines[0].shape[0] + abs(places[0])
        shape = (side, side)
    height, width = shape_of(function, shape, (2,))
    kind = _diagonal_dtype(lines, dtype)
    parts = [
        _one_diagonal(function, x, k, height, width, kind, place)
        for x, k in zip(lines, places, strict=True)
    ]
    if not parts:
        kept = _rows.empty(height, width, kind, h.empty((0,), np.bool_, **place))
        return _of(_rows.coordinates(kept), family, format)
    joined = [h.concat(list(group)) for group in zip(*parts, strict=True)]
    return _of(Coordinates._make([*joined, height, width]), family, format)


def _diagonal_dtype(lines: list[Any], dtype: Any) -> np.dtype:
    if dtype is not None:
        return h.dtype_argument(dtype)
    kind = np.result_type(*(x.dtype for x in lines)) if lines else np.dtype(np.float64)
    return kind if kind.kind in "fc" else np.dtype(np.float64)


def _one_diagonal(
    function: str, x: Any, k: int, height: int, width: int, kind: np.dtype, place: dict[str, Any]
) -> tuple[Array, Array, Array]:
    """The elements of a diagonal, their rows and their columns."""
    length = min(height + min(k, 0), width - max(k, 0))
    if length < 0:
        raise InvalidValueError(function, f"offset {k} is outside of shape {(height, width)}")
    if x.ndim != 1 or x.shape[0] not in (length, 1):
        raise InvalidValueError(
            function, f"the diagonal of offset {k} has {length} elements; the given one has shape "
            f"{tuple(x.shape)}",
        )  # fmt: skip
    data = astype(asarray(x, **place), kind)
    data = h.copy(h.broadcast_to(data, (length,)))
    t = _rows.index_dtype(height, width)
    row, column = (h.iota(length, first, 1, t, **place) for first in (-min(k, 0), max(k, 0)))
    return data, row, column


def spdiags(
    data: Any, diags: Any, m: Any = None, n: Any = None, format: Any = None, *,
    queue: Any = None, device: Any = None, usm_type: Any = None,
) -> Any:  # fmt: skip
    """The matrix of m rows and n columns whose diagonals are the rows of `data`. Element j of a
    row is in column j.
    """
    if n is None and m is not None and not np.isscalar(m):
        m, n = m
    lines = data if isinstance(data, Array) else np.atleast_2d(np.asarray(data))
    place = place_of(queue, device, usm_type, like=first_array((data,)))
    lines = asarray(lines, **place)
    offsets = np.atleast_1d(np.asarray(diags))
    if lines.ndim != 2 or offsets.ndim != 1 or lines.shape[0] != offsets.size:
        raise InvalidValueError(
            "spdiags", f"data has shape {lines.shape}, and there are {offsets.size} diagonals"
        )
    height, width = (lines.shape[1],) * 2 if m is None else shape_of("spdiags", (m, n), (2,))
    kind = _rows.index_dtype(height, width)
    parts = []
    for i, k in enumerate(map(int, offsets)):
        first, last = max(k, 0), min(height + k, width, lines.shape[1])
        count = max(last - first, 0)
        column = h.iota(count, first, 1, kind, **place)
        parts.append((lines[i, first : first + count], column - k, column))
    joined = [h.concat(list(group)) for group in zip(*parts, strict=True)]
    return _of(Coordinates._make([*joined, height, width]), coo_matrix, format)


def random_array(
    shape: Any, *, density: float = 0.01, format: str = "coo", dtype: Any = None, rng: Any = None,
    data_sampler: Any = None, random_state: Any = None, queue: Any = None, device: Any = None,
    usm_type: Any = None,
) -> Any:  # fmt: skip
    """An array with random elements at random places, which are SciPy's for the same seed.

    `data_sampler(size=n)` draws the elements; otherwise they are uniform in [0, 1), or of all
    values of an integer dtype.
    """
    where = (queue, device, usm_type)
    generator = generator_of("random_array", rng, random_state)
    return _random(
        "random_array", coo_array, shape, density, format, dtype, generator, data_sampler, where
    )


def random(
    m: int, n: int, density: float = 0.01, format: str = "coo", dtype: Any = None, rng: Any = None,
    data_rvs: Any = None, *, random_state: Any = None, queue: Any = None, device: Any = None,
    usm_type: Any = None,
) -> Any:  # fmt: skip
    """A matrix with random elements at random places. New programs use random_array()."""
    sampler = None if data_rvs is None else lambda size: data_rvs(size)
    where = (queue, device, usm_type)
    generator = generator_of("random", rng, random_state)
    return _random("random", coo_matrix, (m, n), density, format, dtype, generator, sampler, where)


def rand(
    m: int, n: int, density: float = 0.01, format: str = "coo", dtype: Any = None, rng: Any = None,
    *, random_state: Any = None, queue: Any = None, device: Any = None, usm_type: Any = None,
) -> Any:  # fmt: skip
    """A matrix with uniform elements at random places. New programs use random_array()."""
    where = (queue, device, usm_type)
    generator = generator_of("rand", rng, random_state)
    return _random("rand", coo_matrix, (m, n), density, format, dtype, generator, None, where)


def _random(
    function: str, family: Any, shape: Any, density: float, format: str, dtype: Any,
    generator: Any, sampler: Any, where: Any,
) -> Any:  # fmt: skip
    shape = shape_of(function, shape)
    if not 0 <= density <= 1:
        raise InvalidValueError(function, f"density is {density}; it must be between 0 and 1")
    kind = np.dtype(np.float64) if dtype is None else h.dtype_argument(dtype)
    _rows.check_count(function, shape)
    total = math.prod(shape)
    count = round(density * total)
    places = _distinct(generator, total, count)
    height, width = (1, *shape) if len(shape) == 1 else shape
    column, row = np.divmod(places, max(height, 1))  # SciPy counts along columns
    data = _drawn(function, generator, sampler, count, kind)
    place = place_of(*where)
    t = _rows.index_dtype(height, width)
    arrays = [asarray(x, **place) for x in (data.astype(kind), row.astype(t), column.astype(t))]
    made = family._of_coordinates(Coordinates._make([*arrays, height, width]), shape)
    return made.asformat(format)


def _distinct(generator: Any, total: int, count: int) -> np.ndarray:
    """Numbers below `total`, each at most once: SciPy's, unless NumPy's older generator would
    permute more than 2**26 numbers for them."""
    older = isinstance(generator, np.random.RandomState)
    if not older or count * 3 > total or total <= 1 << 26:
        return generator.choice(total, size=count, replace=False)
    found = np.empty(0, dtype=np.int64)
    while found.size < count:
        drawn = generator.randint(0, total, size=2 * count, dtype=np.int64)
        found = np.unique(np.concatenate([found, drawn]))
    return generator.permutation(found)[:count]


def _drawn(function: str, generator: Any, sampler: Any, count: int, kind: np.dtype) -> np.ndarray:
    if sampler is not None:
        data = np.asarray(sampler(size=count))
        if data.shape != (count,):
            raise InvalidTypeError(
                function, f"data_sampler gave shape {data.shape}, not ({count},)"
            )
        return data
    uniform = getattr(generator, "random", None) or generator.random_sample
    if kind.kind in "iu":
        draw = getattr(generator, "integers", None) or generator.randint
        limits = np.iinfo(kind)
        return draw(limits.min, limits.max, size=count, dtype=kind)
    data = uniform(size=count)
    return data + 1j * uniform(size=count) if kind.kind == "c" else data


def _as_sparse(function: str, x: Any, others: Sequence[Any] = ()) -> Any:
    """The argument as a sparse array. A list comes to the queue of the first array of `others`."""
    if issparse(x):
        return x
    if isinstance(x, (list, tuple)):
        queues = (y.queue for y in others if issparse(y) or isinstance(y, Array))
        return coo_array(x, queue=next(queues, None))
    if isinstance(x, (Array, np.ndarray)) or hasattr(x, "tocoo"):
        return coo_array(x)
    raise InvalidTypeError(function, f"takes a sparse or dense array, not {a_type(x)}")


def find(A: Any) -> tuple[Array, Array, Array]:
    """The rows, columns and values of the elements that are not 0."""
    rows = _rows.without_zeros(_rows.canonical(_as_sparse("find", A)._by_rows()))
    c = _rows.coordinates(rows)
    return c.row, c.column, c.data


def tril(A: Any, k: int = 0, format: Any = None) -> Any:
    """The elements on the k-th diagonal and below it."""
    return _triangle("tril", A, k, format)


def triu(A: Any, k: int = 0, format: Any = None) -> Any:
    """The elements on the k-th diagonal and above it."""
    return _triangle("triu", A, k, format)


def _triangle(function: str, given: Any, k: int, format: Any) -> Any:
    A = _as_sparse(function, given)
    if A.ndim != 2:
        raise InvalidValueError(function, f"shape is {A.shape}; it needs two dimensions")
    c = A._coordinates()
    above = astype(c.column, np.int64) - astype(c.row, np.int64)
    places = h.nonzero(above <= k if function == "tril" else above >= k)[0]
    arrays = [h.take(x, places, axis=0) for x in c[:3]]
    kept = Coordinates._make([*arrays, *c[3:]])
    return A._family("coo")._of_coordinates(kept, A.shape).asformat(format)


check_functions(globals(), __all__)
