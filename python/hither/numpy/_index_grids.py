"""Objects that make arrays from an index: mgrid, ogrid, r_ and c_."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _hither as h
from .._device_context import current_queue
from .._hither import Array, asarray
from ._placement import as_array, first_array

__all__ = ["broadcast", "c_", "mgrid", "ogrid", "r_"]


class Grid:
    """numpy.mgrid or numpy.ogrid: coordinates of a grid, made on the host and copied."""

    def __init__(self, grid: Any) -> None:
        self._grid = grid

    def __getitem__(self, key: Any) -> Any:
        limits = key if isinstance(key, tuple) else (key,)
        home = first_array(limit for s in limits for limit in (s.start, s.stop, s.step))
        queue = current_queue() if home is None else home.queue
        limits = tuple(slice(_limit(s.start), _limit(s.stop), _limit(s.step)) for s in limits)
        made = self._grid[limits if isinstance(key, tuple) else limits[0]]
        if isinstance(made, tuple):
            return tuple(asarray(x, queue=queue) for x in made)
        return asarray(made, queue=queue)


def _limit(limit: Any) -> Any:
    """A limit on the host: a number, or an array whose elements are limits of several lines."""
    if not isinstance(limit, Array):
        return limit
    return h.asnumpy(limit) if limit.ndim else limit.item()


class Joined:
    """numpy.r_ or numpy.c_: arrays, numbers and slices that are joined."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getitem__(self, key: Any) -> Array:
        items = key if isinstance(key, tuple) else (key,)
        home = first_array(items)
        queue = home.queue if home is not None else current_queue()
        if home is None:
            return asarray(getattr(np, self._name)[key], queue=queue)
        if isinstance(items[0], str):
            raise TypeError(
                f"{self._name}: a text of directives works for host data only; use concatenate"
            )
        parts = [self._part(item, queue, home) for item in items]
        kind = np.result_type(*(
            type(i) if isinstance(i, (int, float, complex)) else p.dtype
            for i, p in zip(items, parts, strict=True)
        ))  # fmt: skip
        cast = [h.astype(p, kind, copy=False) for p in parts]
        return h.concat(cast, 0 if self._name == "r_" else -1)

    def _part(self, item: Any, queue: Any, home: Array) -> Array:
        if isinstance(item, slice):
            part = asarray(np.r_[item], queue=queue)
        else:
            part = as_array(self._name, "an item", item, queue, home)
        if part.ndim == 0:
            part = h.reshape(part, (1,))
        return h.expand_dims(part, 1) if self._name == "c_" and part.ndim == 1 else part


mgrid, ogrid = Grid(np.mgrid), Grid(np.ogrid)
r_, c_ = Joined("r_"), Joined("c_")


def broadcast(*args: Any) -> np.broadcast:
    """numpy.broadcast of the arguments' shapes. Its values are those of host copies."""
    return np.broadcast(*(h.asnumpy(x) if isinstance(x, Array) else x for x in args))
