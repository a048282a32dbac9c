"""Objects that make arrays from an index: mgrid, ogrid, r_ and c_."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .. import _hither as h
from .._array.host_values import check_integers
from .._device_context import current_queue
from .._hither import Array, asarray
from ._placement import as_array, first_array

__all__ = ["broadcast", "c_", "mgrid", "ogrid", "r_"]


class Grid:
    """numpy.mgrid or numpy.ogrid: coordinates of a grid, made on the host and copied."""

    def __init__(self, grid: Any) -> None:
        self._grid = grid

    def __getitem__(self, key: Any) -> Any:
        limits = (key,) if isinstance(key, slice) else tuple(key)
        home = first_array(limit for s in limits for limit in (s.start, s.stop, s.step))
        queue = current_queue() if home is None else home.queue
        limits = tuple(slice(_limit(s.start), _limit(s.stop), _limit(s.step)) for s in limits)
        made = self._grid[limits[0] if isinstance(key, slice) else limits]
        if isinstance(made, tuple):
            return tuple(asarray(x, queue=queue) for x in made)
        return asarray(made, queue=queue)


def _limit(limit: Any) -> Any:
    """A limit on the host: a number, or an array whose elements are limits of several lines."""
    if not isinstance(limit, Array):
        return limit
    return h.asnumpy(limit) if limit.ndim else limit.item()


class Directives(NamedTuple):
    """How r_ and c_ join: along which axis, the least number of dimensions of each part, and the
    place of the axes of a part with fewer (-1: the last axes)."""

    axis: int
    ndmin: int
    place: int


class Joined:
    """numpy.r_ or numpy.c_: arrays, numbers and slices that are joined."""

    def __init__(self, name: str, directives: Directives) -> None:
        self._name = name
        self._directives = directives

    def __getitem__(self, key: Any) -> Array:
        items = key if isinstance(key, tuple) else (key,)
        home = first_array(items)
        queue = home.queue if home is not None else current_queue()
        if home is None:
            return asarray(getattr(np, self._name)[key], queue=queue)
        directives = self._directives
        if isinstance(items[0], str):
            directives = self._read(items[0])
            items = items[1:]
        parts = [self._part(item, queue, home, directives) for item in items]
        kind = np.result_type(*(
            i if isinstance(i, (int, float, complex)) else p.dtype
            for i, p in zip(items, parts, strict=True)
        ))  # fmt: skip
        for item in items:
            if isinstance(item, int):
                check_integers(self._name, item, kind)
        cast = [h.astype(p, kind, copy=False) for p in parts]
        return h.concat(cast, directives.axis)

    def _read(self, text: str) -> Directives:
        """The directives of a text: "axis", "axis,ndmin" or "axis,ndmin,place"."""
        try:
            return Directives(*map(int, text.split(",")), *self._directives[text.count(",") + 1 :])
        except (TypeError, ValueError):
            raise TypeError(
                f"{self._name}: {text!r} is not 'axis', 'axis,ndmin' or 'axis,ndmin,place' with "
                "integers; matrices ('r', 'c') are NumPy's alone"
            ) from None

    def _part(self, item: Any, queue: Any, home: Array, directives: Directives) -> Array:
        if isinstance(item, str):
            raise ValueError(f"{self._name}: the text of directives must be the first item")
        if isinstance(item, slice):
            part = asarray(np.r_[item], queue=queue)
        else:
            part = as_array(self._name, "an item", item, queue, home)
        missing = directives.ndmin - part.ndim
        if missing <= 0:
            return part
        place = directives.place
        first = missing if place == -1 else place + (missing + 1 if place < 0 else 0)
        if not 0 <= first <= missing:
            raise ValueError(
                f"{self._name}: place {place} is out of range for an item of {part.ndim} "
                f"dimensions and ndmin={directives.ndmin}"
            )
        return h.reshape(part, (1,) * first + part.shape + (1,) * (missing - first))


mgrid, ogrid = Grid(np.mgrid), Grid(np.ogrid)
r_, c_ = Joined("r_", Directives(0, 1, -1)), Joined("c_", Directives(-1, 2, 0))


def broadcast(*args: Any) -> np.broadcast:
    """numpy.broadcast of the arguments' shapes. Its values are those of host copies."""
    return np.broadcast(*(h.asnumpy(x) if isinstance(x, Array) else x for x in args))
