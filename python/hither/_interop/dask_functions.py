"""Functions of Dask that have no table, for hither's arrays as chunks.

Dask calls SciPy for triangular systems and LU, makes arrays of percentiles on the default device,
and combines chunks with NumPy's arrays that it makes itself. These functions replace Dask's, and
call them for other chunks.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from .._device_context import device_context
from .._hither import Array, asarray, asnumpy, empty, zeros

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


def _has_own_chunks(x: Any) -> bool:
    return isinstance(getattr(x, "_meta", None), Array)


def _placed(x: Any, like: Array) -> Array:
    return asarray(x, like=like)


def _beside(a: Any, x: Any) -> Any:
    """The Dask array x with chunks where those of `a` are."""
    meta = asarray(x._meta, like=a._meta)
    return x.map_blocks(_placed, like=a._meta, dtype=x.dtype, meta=meta)


def _second_like_first(
    original: Callable[..., Any], x: Any, y: Any, *rest: Any, **given: Any
) -> Any:
    """A function of two chunks, of which Dask makes the second."""
    if isinstance(x, Array) and not isinstance(y, Array):
        y = asarray(y, like=x)
    return original(x, y, *rest, **given)


def _gradient(original: Callable[..., Any], x: Any, block_id: Any, coord: Any, *rest: Any,
              **given: Any) -> Any:  # fmt: skip
    """The gradient of a chunk. Coordinates are NumPy's."""
    if isinstance(x, Array) and isinstance(coord, np.ndarray) and coord.ndim:
        coord = asarray(coord, like=x)
    return original(x, block_id, coord, *rest, **given)


def _nanquantile(
    original: Callable[..., Any], a: Any, q: Any, axis: Any = None, **given: Any
) -> Any:
    """Dask sorts, and adds indices of NumPy; hither has the function."""
    if not isinstance(a, Array):
        return original(a, q, axis=axis, **given)
    own = importlib.import_module("hither.numpy")
    chosen = asnumpy(q) if isinstance(q, Array) else q
    return own.nanquantile(a, chosen, axis=axis if axis is None else tuple(axis), **given)


def _density(counts: Any, *edges: Any) -> Any:
    """Counts divided by the volumes of their bins, whose edges are given along each axis."""
    bounds = [asnumpy(x) if isinstance(x, Array) else np.asarray(x) for x in edges]
    volumes = functools.reduce(np.multiply.outer, [np.diff(x).astype(float) for x in bounds])
    return counts / asarray(volumes, like=counts) / counts.sum()


def _histogram(original: Callable[..., Any], a: Any, *given: Any, **named: Any) -> Any:
    """Dask divides by widths that NumPy holds."""
    found = original(a, *given, **named)  # also for its errors
    wanted = given[4] if len(given) > 4 else named.get("density")
    if not wanted or not _has_own_chunks(a):
        return found
    counts, edges = original(a, *given[:4], **{**named, "density": None})
    array = importlib.import_module("dask.array")
    bounds = edges if isinstance(edges, array.Array) else array.from_array(edges, chunks=-1)
    meta = zeros(0, dtype=float, queue=a._meta.queue)
    density = array.blockwise(
        _density, "i", counts, "i", bounds, "j", concatenate=True, dtype=float, meta=meta
    )
    return density, edges


def _stacked(original: Callable[..., Any], *given: Any) -> Any:
    """The histogram of a chunk. Dask returns a tuple, which NumPy takes for an array."""
    found = original(*given)
    return found[0][None] if isinstance(found[0], Array) else found


def _histogramdd(original: Callable[..., Any], sample: Any, *given: Any, **named: Any) -> Any:
    """Dask declares the histograms of chunks as NumPy's arrays."""
    counts, edges = original(sample, *given, **named)  # also for its errors
    first = sample[0] if isinstance(sample, (list, tuple)) else sample
    if not _has_own_chunks(first):
        return counts, edges
    call = inspect.signature(original).bind(sample, *given, **named)
    asked = [call.arguments.pop(name, None) for name in ("density", "normed")]
    is_density = any(asked)
    if is_density:
        counts = original(*call.args, **call.kwargs)[0]
    name = counts.name
    while not name.startswith("histogramdd-"):  # the sums of what is wanted
        (name,) = counts.dask.dependencies[name]
    meta = zeros((0,) * (counts.ndim + 1), dtype=counts.dtype, queue=first._meta.queue)
    chunks = ((1,) * first.numblocks[0], *counts.chunks)
    counts = type(counts)(counts.dask, name, chunks, meta=meta).sum(axis=0)
    if is_density:
        counts = counts.map_blocks(_density, *edges, dtype=float, meta=counts._meta.astype(float))
    return counts, edges


def _unique(original: Callable[..., Any], ar: Any, *which: Any, **given: Any) -> Any:
    """Dask returns indices and counts through a structured dtype, which only NumPy has."""
    if not _has_own_chunks(ar) or not any((*which, *given.values())):
        return original(ar, *which, **given)
    config = importlib.import_module("dask").config
    with config.set({"array.backend": "numpy"}):
        found = original(ar.to_backend("numpy"), *which, **given)
    return tuple(_beside(ar, x) for x in found)


def _assigned(original: Callable[..., Any], name: str, array: Any, indices: Any, value: Any) -> Any:
    """Dask marks indices of other chunks with values that only NumPy's arrays may contain."""
    if isinstance(indices, (tuple, list)):
        indices = type(indices)(map(_index, indices))
    return original(name, array, _index(indices), value)


def _index(x: Any) -> Any:
    return x.to_backend("numpy") if _has_own_chunks(x) and x.dtype.kind in "iu" else x


def _compressed(original: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """Dask multiplies by random numbers of NumPy."""
    call = inspect.signature(original).bind(*given, **named)
    data, seed = call.arguments["data"], call.arguments.get("seed")
    if not _has_own_chunks(data):
        return original(*given, **named)
    random = importlib.import_module("dask.array.random")
    source = seed if isinstance(seed, random.RandomState) else random.default_rng(seed)

    class Normals(random.RandomState):  # type: ignore[name-defined]
        """The same numbers, where the chunks are."""

        def standard_normal(self, size: Any = None, chunks: Any = "auto") -> Any:
            return _beside(data, source.standard_normal(size=size, chunks=chunks))

    call.arguments["seed"] = Normals(0)
    return original(*call.args, **call.kwargs)


def _inserted(original: Callable[..., Any], arr: Any, obj: Any, values: Any, axis: Any) -> Any:
    """Dask makes NumPy's chunks of a number."""
    is_number = getattr(values, "ndim", 0) == 0 and not isinstance(values, (list, tuple))
    if not is_number or not _has_own_chunks(arr):
        return original(arr, obj, values, axis)
    if not -arr.ndim <= axis < arr.ndim:
        return original(arr, obj, values, axis)  # raises the error
    array = importlib.import_module("dask.array")
    places = np.arange(arr.shape[axis])[obj] if isinstance(obj, slice) else np.atleast_1d(obj)
    shape = list(arr.shape)
    shape[axis] = len(places)
    number = _beside(arr, array.asarray(values))
    return original(arr, places, array.broadcast_to(number, shape), axis)


def _shuffled(original: Callable[..., Any], bit_generator: Any, x: Any, axis: int = 0) -> Any:
    """NumPy's shuffle moves its bit generator on, and hither's only reads a seed from it."""
    if isinstance(x, Array):
        random = importlib.import_module("dask.array.random")
        (bit_generator,) = random._spawn_bitgens(bit_generator, 1)
    return original(bit_generator, x, axis)


def _made(original: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """An array of the backend, for the functions that create arrays without asking for it."""
    made = original(*given, **named)
    config = importlib.import_module("dask").config
    if config.get("array.backend", None) != "hither":
        return made
    if isinstance(made, tuple):  # linspace with retstep=True
        return made[0].to_backend("hither"), *made[1:]
    return made.to_backend("hither")


def _averaged(original: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """Dask makes NumPy's chunks of a list of weights."""
    call = inspect.signature(original).bind(*given, **named)
    weights = call.arguments.get("weights")
    if isinstance(weights, (list, tuple)) and _has_own_chunks(call.arguments["a"]):
        call.arguments["weights"] = asarray(weights, like=call.arguments["a"]._meta)
    return original(*call.args, **call.kwargs)


def _leaves(arrays: Any) -> list[Any]:
    """The parts of nested lists."""
    if not isinstance(arrays, (list, tuple)):
        return [arrays]
    return [x for part in arrays for x in _leaves(part)]


def _joined(original: Callable[..., Any], arrays: Any) -> Any:
    """One array of the chunks in nested lists, one level for each dimension. Dask concatenates
    along one axis after another, and so copies all elements as often."""
    core = importlib.import_module("dask.array.core")
    arrays = core.concrete(arrays)
    chunks = _leaves(arrays)
    first = chunks[0] if chunks else None
    depth = core.ndimlist(arrays)
    if depth < 2 or not isinstance(first, Array):
        return original(arrays)
    kind = (depth, first.dtype, first.queue)
    if any(not isinstance(x, Array) or (x.ndim, x.dtype, x.queue) != kind for x in chunks):
        return original(arrays)
    sizes = core.chunks_from_arrays(arrays)
    shape = tuple(map(sum, sizes))
    result = empty(shape, dtype=first.dtype, queue=first.queue, usm_type=first.usm_type)
    for place, x in zip(core.slices_from_chunks(sizes), chunks, strict=True):
        result[place] = x
    return result


def _meta_computed(original: Callable[..., Any], func: Any, *given: Any, **named: Any) -> Any:
    """Dask raises the errors of this call only if it finds Python's words for a wrong keyword."""
    if isinstance(func, np.vectorize):
        return original(func, *given, **named)

    @functools.wraps(func)
    def call(*arguments: Any, **keywords: Any) -> Any:
        try:
            return func(*arguments, **keywords)
        except TypeError as error:
            if "takes no keyword" not in str(error):
                raise
            raise TypeError(f"unexpected keyword argument: {error}") from error

    return original(call, *given, **named)


def _module_of_random_state(original: Callable[..., Any], state: Any) -> Any:
    """The module with the functions of NumPy for a dask.array.random.RandomState."""
    if state._RandomState.__module__.partition(".")[0] == "hither":
        return importlib.import_module("hither.numpy")
    return original(state)


# Module of Dask -> name -> what replaces it.
_REPLACED: dict[str, dict[str, Callable[..., Any]]] = {
    "dask.array.chunk": {"argtopk_preprocess": _second_like_first},
    "dask.array.core": {
        "compute_meta": _meta_computed,
        "concatenate3": _joined,
        "setitem_array": _assigned,
    },
    "dask.array.creation": {"eye": _made, "linspace": _made},
    "dask.array.linalg": {"compression_matrix": _compressed, "inv": _inverse, "lu": _factors},
    "dask.array.percentile": {"percentile": _percentile, "merge_percentiles": _merged},
    "dask.array.random": {"_shuffle": _shuffled},
    "dask.array.reductions": {"_custom_nanquantile": _nanquantile},
    "dask.array.routines": {
        "_block_histogramdd_multiarg": _stacked,
        "_block_histogramdd_rect": _stacked,
        "_gradient_kernel": _gradient,
        "_isin_kernel": _second_like_first,
        "average": _averaged,
        "histogram": _histogram,
        "histogramdd": _histogramdd,
        "insert": _inserted,
        "unique": _unique,
    },
    "dask.array.utils": {"compute_meta": _meta_computed, "scipy_linalg_safe": _solved},
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
    state = importlib.import_module("dask.array.random").RandomState
    module = vars(state).get("_backend")
    if isinstance(module, property) and module.fget is not None:
        state._backend = property(_replacement(module.fget, _module_of_random_state))
