"""Connected components of arrays."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from ... import _hither as h
from ..._hither import Array, Range, astype
from ...numpy._placement import operands, place_of
from ._arguments import Output, host, refuse_complex

__all__ = ["generate_binary_structure", "label"]


def generate_binary_structure(
    rank: int, connectivity: int, *, queue: Any = None, device: Any = None, usm_type: Any = None
) -> Array:
    """The neighbours of an element that differ from it in at most `connectivity` coordinates."""
    return h.asarray(_neighbourhood(rank, connectivity), **place_of(queue, device, usm_type))


def _neighbourhood(rank: int, connectivity: int) -> np.ndarray:
    if rank < 1:
        return np.array(True, dtype=bool)
    distance = np.abs(np.indices([3] * rank) - 1).sum(axis=0)
    return distance <= max(1, connectivity)


@functools.cache
def _kernels(ndim: int) -> tuple[Any, Any]:
    """The kernels that join neighbours to trees, and that find the root of each element."""
    from ..._kernel.language import atomic, private
    from ..._kernel.language.decorator import kernel
    from ..._kernel.language.device_func import device_func
    from ..._kernel.language.work_item import get_global_id

    @device_func
    def root_of(parents: Any, i: int) -> int:
        parent = atomic.load(parents, i)
        while parent != i:
            i = parent
            parent = atomic.load(parents, i)
        return i

    @kernel
    def join(parents: Any, shape: Any, moves: Any) -> None:
        i = get_global_id(0)
        if parents[i] < 0:
            return
        at = private.array(ndim, np.int64)
        rest = i
        for g in range(ndim):
            at[ndim - 1 - g] = rest % shape[ndim - 1 - g]
            rest = rest // shape[ndim - 1 - g]
        for m in range(moves.shape[0]):
            inside = True
            for a in range(ndim):
                place = at[a] + moves[m, a]
                inside = inside and place >= 0 and place < shape[a]
            other = i + moves[m, ndim]
            if inside and parents[other] >= 0:
                a, b = i, other
                while True:
                    a, b = root_of(parents, a), root_of(parents, b)
                    if a == b:
                        break
                    high, low = max(a, b), min(a, b)
                    before = atomic.min(parents, high, low)
                    if before == high:
                        break
                    a, b = before, low  # another item has given it a parent: join that one

    @kernel
    def find(parents: Any, roots: Any) -> None:
        i = get_global_id(0)
        roots[i] = root_of(parents, i) if parents[i] >= 0 else i

    return join, find


def _moves(structure: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The steps to the neighbours that come first, along each axis and in memory. The others have
    them as neighbours."""
    steps = np.argwhere(structure) - 1
    centre = (0,) * structure.ndim
    first = [s for s in steps.tolist() if tuple(s) < centre]
    strides = [math.prod(shape[i + 1 :]) for i in range(len(shape))]
    return np.array(
        [[*s, sum(k * n for k, n in zip(s, strides, strict=True))] for s in first], np.int64
    ).reshape(-1, structure.ndim + 1)


@operands("input")
def label(input: Any, structure: Any = None, output: Any = None) -> Any:
    """Numbers the connected groups of elements that are not 0.

    Returns the array of the numbers, and how many groups there are; the call waits for it. With an
    array as `output` it returns their number alone.
    """
    refuse_complex("label", input)
    if structure is None:
        shape = _neighbourhood(input.ndim, 1)
    else:
        shape = host(structure, bool)
        if shape.ndim != input.ndim:
            raise RuntimeError(f"label: structure and input must have equal rank; they have "
                               f"{shape.ndim} and {input.ndim} dimensions")  # fmt: skip
        if any(n != 3 for n in shape.shape):
            raise ValueError(f"label: structure dimensions must be equal to 3, not {shape.shape}")
        if not (shape == np.flip(shape)).all():
            raise ValueError("label: structure is not symmetric about its centre")
    if isinstance(output, Array) and output.shape != input.shape:
        raise ValueError(f"label: output has shape {output.shape}, the input {input.shape}")
    small = input.size < 2**31 - 2
    target = Output("label", (np.int32 if small else np.int64) if output is None else output,
                    input, input.shape)  # fmt: skip
    numbers, count = _labelled(input, shape)
    limit = np.iinfo(target.dtype).max if target.dtype.kind in "iu" else None
    if limit is not None and count > limit:
        raise RuntimeError(f"label: insufficient bit-depth in requested output type: {count} "
                           f"labels in {target.dtype}")  # fmt: skip
    result = target(astype(numbers, target.dtype, copy=False))
    return count if target.target is not None else (result, count)


def _labelled(x: Array, structure: np.ndarray) -> tuple[Array, int]:
    """The numbers of the elements' groups, in the order of their first elements."""
    flat = h.reshape(x, (-1,)) != 0
    order = h.iota(x.size, 0, 1, np.int64, queue=x.queue)
    if x.size == 0 or x.ndim == 0:
        return h.reshape(astype(flat, np.int64), x.shape), int(x.ndim == 0 and bool(flat[0]))
    parents = h.copy(h.where(flat, order, -1))
    roots = h.empty((x.size,), np.int64, queue=x.queue)
    join, find = _kernels(x.ndim)
    moves = _moves(structure, x.shape)
    if len(moves):
        extents = h.asarray(np.array(x.shape, np.int64), queue=x.queue)
        join[Range(x.size)](parents, extents, h.asarray(moves, queue=x.queue))
    find[Range(x.size)](parents, roots)
    firsts = astype(flat & (roots == order), np.int64)
    numbers = h.take(h.cumulative_sum(firsts), roots)
    return h.reshape(h.where(flat, numbers, 0), x.shape), int(h.sum(firsts))
