"""Functions of Dask that have no table, for hither's arrays as chunks.

Dask calls SciPy for triangular systems and LU, and makes arrays of percentiles on the default
device. These functions replace Dask's, and call them for other chunks.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from .._device_context import device_context
from .._hither import Array, asarray, zeros

__all__: list[str] = []


def _solve(name: str, a: Any, b: Any, lower: bool = False) -> Any:
    """scipy.linalg.solve_triangular, which is the only function that Dask asks for."""
    if name != "solve_triangular":
        raise NotImplementedError(f"Dask calls scipy.linalg.{name}, which hither does not know")
    lapack = importlib.import_module("hither.lapack")
    return lapack.solve_triangular(a, b, upper=not lower)


def _lu(x: Any) -> Any:
    """scipy.linalg.lu of one chunk."""
    if not isinstance(x, Array):
        return importlib.import_module("scipy.linalg").lu(x)
    return tuple(importlib.import_module("hither.lapack").lu(x))


def _zeros(block: Any, shape: tuple[int, ...], dtype: Any) -> Any:
    """Zeros where a block is."""
    if not isinstance(block, Array):
        return np.zeros(shape, dtype)
    return zeros(shape, dtype=dtype, queue=block.queue, usm_type=block.usm_type)


def _with_own_functions(x: Any, a: Any, dtypes: dict[str, Any]) -> Any:
    """A factor of the matrix `a`, with hither's functions in the layer of its tasks. `dtypes`: of
    all factors, by their names in Dask's keys."""
    from dask.highlevelgraph import HighLevelGraph

    own = importlib.import_module("scipy.linalg").lu
    block = (a.name, 0, 0)

    def replaced(task: Any, dtype: Any) -> Any:
        if isinstance(task, list):
            return [replaced(part, dtype) for part in task]
        if not isinstance(task, tuple) or not task:
            return task
        if task[0] is np.zeros:
            return _zeros, block, task[1], dtype
        return tuple(_lu if part is own else replaced(part, dtype) for part in task)

    tasks = dict(x.dask.layers[x.name]).items()
    layer = {key: replaced(task, dtypes.get(key[0])) for key, task in tasks}
    graph = HighLevelGraph.from_collections(x.name, layer, dependencies=[a])
    return type(x)(graph, x.name, chunks=x.chunks, meta=x._meta)


def _factors(original: Callable[..., Any], a: Any) -> Any:
    found = original(a)
    if not isinstance(getattr(a, "_meta", None), Array):
        return found
    dtypes = {x.name: x.dtype for x in found}
    return tuple(_with_own_functions(x, a, dtypes) for x in found)


def _like(block: Any, x: Any) -> Any:
    return asarray(x, like=block)


def _inverse(original: Callable[..., Any], a: Any) -> Any:
    """Dask's identity matrix has NumPy's chunks."""
    if not isinstance(getattr(a, "_meta", None), Array):
        return original(a)
    array = importlib.import_module("dask.array")
    identity = array.eye(a.shape[0], chunks=a.chunks[0][0], dtype=a.dtype)
    return array.linalg.solve(a, array.map_blocks(_like, a, identity, meta=a._meta))


def _percentile(original: Callable[..., Any], a: Any, *given: Any, **named: Any) -> Any:
    """Dask makes arrays without saying where: they are where the chunks are."""
    meta = getattr(a, "_meta", None)
    if not isinstance(meta, Array):
        return original(a, *given, **named)
    with device_context(meta.queue):
        return original(a, *given, **named)


def _merged(original: Callable[..., Any], finalq: Any, qs: Any, vals: Any, *rest: Any) -> Any:
    """The percentiles of all chunks, where the first chunk's are."""
    chunks = [part for part in vals if isinstance(part[0], Array)]
    if not chunks:
        return original(finalq, qs, vals, *rest)
    queue = chunks[0][0].queue
    with device_context(queue):
        return original(_on(queue, finalq), [_on(queue, q) for q in qs], vals, *rest)


def _on(queue: Any, x: Any) -> Any:
    return x.to_device(queue) if isinstance(x, Array) else x


def _solved(original: Callable[..., Any], name: str, *given: Any, **named: Any) -> Any:
    if isinstance(given[0], Array):
        return _solve(name, *given, **named)
    return original(name, *given, **named)


# Module of Dask -> name -> what replaces it.
_REPLACED: dict[str, dict[str, Callable[..., Any]]] = {
    "dask.array.linalg": {"lu": _factors, "inv": _inverse},
    "dask.array.percentile": {"percentile": _percentile, "merge_percentiles": _merged},
    "dask.array.utils": {"scipy_linalg_safe": _solved},
}


def _replacement(original: Callable[..., Any], own: Callable[..., Any]) -> Callable[..., Any]:
    """A function that sees hither's chunks first. It is pickled by the name of the original."""

    @functools.wraps(original)
    def call(*given: Any, **named: Any) -> Any:
        return own(original, *given, **named)

    return call


@functools.cache
def register() -> None:
    """Replaces the functions. Later calls do nothing."""
    package = sys.modules["dask.array"]
    for module, functions in _REPLACED.items():
        place = importlib.import_module(module)
        for name, own in functions.items():
            original = getattr(place, name, None)
            if original is None:  # another version of Dask
                continue
            replacement = _replacement(original, own)
            setattr(place, name, replacement)
            if getattr(package, name, None) is original:
                setattr(package, name, replacement)
