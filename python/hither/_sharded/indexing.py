"""Indices of sharded arrays: views whose rows stay where they are, and writes to them."""

from __future__ import annotations

from functools import lru_cache
from operator import index as index_of
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import _hither as h
from .._hither import Array
from ..errors import InvalidTypeError, OutOfRangeError, UnsupportedError
from .elementwise import check_operand, common_mesh, elementwise, is_sharded
from .mesh import Mesh
from .rows import (
    Lengths,
    Rows,
    common_ranges,
    cut,
    lengths_of,
    moved,
    stepped_places,
    uniform_bounds,
)

if TYPE_CHECKING:
    from .sharded_array import ShardedArray

__all__: list[str] = []


class Key:
    """An index in its parts: the index of the rows, and that of the other axes of a piece."""

    def __init__(self, ndim: int, divided: int, key: Any) -> None:
        items = list(key) if isinstance(key, tuple) else [key]
        for item in items:
            self._check(item)
        named = sum(1 for item in items if item is not None and item is not Ellipsis)
        if named > ndim:
            raise OutOfRangeError("x[...]", f"{named} indices for an array of {ndim} dimensions")
        if items.count(Ellipsis) > 1:
            raise OutOfRangeError("x[...]", "an index has more than one ellipsis")
        place = items.index(Ellipsis) if Ellipsis in items else len(items)
        items[place : place + 1] = [slice(None)] * (ndim - named)
        axis = -1
        self.axis = 0  # of the rows in the result
        self.rows: Any = slice(None)
        for i, item in enumerate(items):
            axis += item is not None
            if item is not None and axis == divided:
                self.rows, items[i] = item, slice(None)
                break
            self.axis += item is None or isinstance(item, slice)
        self.others = tuple(items)

    @staticmethod
    def _check(item: Any) -> None:
        if item is None or item is Ellipsis or isinstance(item, slice):
            return
        if not _is_integer(item):
            raise UnsupportedError(
                "x[...]",
                "a ShardedArray takes integers, slices, None and ... as indices, and a mask of "
                "its own shape in x[mask] = number; gather it for others: hither.gather(x)[...]",
            )


def _is_integer(item: Any) -> bool:
    if getattr(item, "ndim", 0) > 0 or isinstance(item, (bool, np.bool_)):
        return False
    return hasattr(item, "__index__")


def _whole_number(x: ShardedArray, index: Any) -> int:
    number, rows = index.__index__(), x.shape[x.axis]
    if not -rows <= number < rows:
        raise OutOfRangeError(
            "x[...]", f"index {number} is out of range for axis {x.axis} of {rows} elements"
        )
    return number % rows


_WHOLE = slice(None)


def _backwards(x: ShardedArray, key: Key) -> ShardedArray:
    """A view with a negative step of the rows: they move to other parts."""
    chosen_rows = range(*key.rows.indices(x.shape[x.axis]))[::-1]
    count = len(chosen_rows)
    first, stop = (chosen_rows[0], chosen_rows[-1] + 1) if count else (0, 0)
    lead = (_WHOLE,) * x.axis
    pieces, lengths = x._held()
    places = stepped_places(lengths, first, stop, chosen_rows.step)
    chosen = [
        [part[k][(*lead, rows)] for k, rows in found]
        for part, found in zip(pieces, places, strict=True)
    ]
    turned = [[p[(*lead, slice(None, None, -1))] for p in part[::-1]] for part in chosen[::-1]]
    bounds = uniform_bounds(count, len(x.mesh))
    # The pieces of a part are not on its queue.
    rows = Rows(turned, x.axis, lengths_of(turned, x.axis))
    ends = zip(bounds[:-1], bounds[1:], x.mesh, strict=True)
    pieces = [rows.between(start, stop, queue) for start, stop, queue in ends]
    return type(x)._of(x.mesh, x.axis, pieces)._piecewise(key.others, key.axis)


class ViewPlan(NamedTuple):
    """What a key selects of arrays whose pieces have these numbers of rows."""

    # For each part its pieces, and the index of each; None for a whole piece.
    places: tuple[tuple[tuple[int, tuple[Any, ...] | None], ...], ...]
    axis: int
    shape: tuple[int, ...]
    lengths: Lengths


def _kept_key(key: Any, divided: int) -> tuple[Any, ...] | None:
    """A key in objects that can be kept: integers, None, ..., and tuples for slices. None if it has
    one row, or something else."""
    found: list[Any] = []
    axis = 0
    for item in key if type(key) is tuple else (key,):
        if type(item) is slice:
            found.append((_bound(item.start), _bound(item.stop), _bound(item.step)))
        elif item is None or item is Ellipsis:
            found.append(item)
        elif (axis == divided and Ellipsis not in found) or not _is_integer(item):
            return None
        else:
            found.append(index_of(item))
        axis += item is not None
    return tuple(found)


def _bound(bound: Any) -> int | None:
    return bound if bound is None or type(bound) is int else index_of(bound)


@lru_cache(maxsize=4096)
def _view_plan(
    kept: tuple[Any, ...], shape: tuple[int, ...], axis: int, lengths: Lengths
) -> ViewPlan | None:
    """None if the key has one row, or rows that change their parts."""
    items = tuple(slice(*item) if type(item) is tuple else item for item in kept)
    key = Key(len(shape), axis, items)
    if not isinstance(key.rows, slice):
        return None
    start, stop, step = key.rows.indices(shape[axis])
    if step < 0:
        return None
    at = _place_of_rows(key.others, axis)
    places, rows = [], []
    for part, found in zip(
        lengths, stepped_places(lengths, start, max(stop, start), step), strict=True
    ):
        indices = [(k, (*key.others[:at], chosen, *key.others[at + 1 :])) for k, chosen in found]
        places.append(tuple((k, None if _is_whole(index) else index) for k, index in indices))
        rows.append(tuple(len(range(*chosen.indices(part[k]))) for k, chosen in found))
    extents = _extents(key.others, shape)
    extents[key.axis] = sum(map(sum, rows))
    return ViewPlan(tuple(places), key.axis, tuple(extents), tuple(rows))


def _is_whole(index: tuple[Any, ...]) -> bool:
    return all(item == _WHOLE for item in index)


def _extents(items: tuple[Any, ...], shape: tuple[int, ...]) -> list[int]:
    """The extents of a view; the items have one for each axis."""
    axes = iter(shape)
    found = []
    for item in items:
        extent = 1 if item is None else next(axes)
        if isinstance(item, slice):
            found.append(len(range(*item.indices(extent))))
        elif item is None:
            found.append(1)
    return found


def _planned_view(x: ShardedArray, key: Any) -> ShardedArray | None:
    """The view of a key that has a plan. A program repeats its keys."""
    kept = _kept_key(key, x._axis)
    if kept is None:
        return None
    x._settle()  # so that views are views of the memory that x has from now on
    pieces, lengths = x._held()
    plan = _view_plan(kept, x._shape, x._axis, lengths)
    if plan is None:
        return None
    found = [
        [part[k] if index is None else part[k][index] for k, index in places]
        for part, places in zip(pieces, plan.places, strict=True)
    ]
    return type(x)._known(x._mesh, plan.axis, plan.shape, found, plan.lengths)


def get(x: ShardedArray, key: Any) -> Any:
    """x[key]: a view, or an array on the first queue if the key has one row."""
    if (view := _planned_view(x, key)) is not None:
        return view
    found = Key(x.ndim, x.axis, key)
    x._settle()
    if isinstance(found.rows, slice):
        return _backwards(x, found)
    number = _whole_number(x, found.rows)
    row = x._rows().between(number, number + 1, x.mesh[0])[0]
    one = _place_of_rows(found.others, x.axis)
    return row[(*found.others[:one], 0, *found.others[one + 1 :])]


def _place_of_rows(others: tuple[Any, ...], axis: int) -> int:
    """The position in an index of the item of an axis."""
    seen = -1
    for i, item in enumerate(others):
        seen += item is not None
        if item is not None and seen == axis:
            return i
    raise AssertionError("the index has no item of the axis")


def put(x: ShardedArray, key: Any, value: Any, temporary: bool) -> None:
    """x[key] = value. The parts of the value move to the rows of x; both may overlap. `temporary`:
    probably nothing else refers to the value."""
    if is_sharded(key):
        _put_where(x, key, value)
        return
    view = _planned_view(x, key)
    if view is None:
        found = Key(x.ndim, x.axis, key)
        if isinstance(found.rows, slice):
            raise UnsupportedError(
                "x[...] = v", "the slice of the divided axis has a negative step; assign v[::-1]"
            )
        number, at = _whole_number(x, found.rows), _place_of_rows(found.others, x.axis)
        row = (*found.others[:at], slice(number, number + 1), *found.others[at + 1 :])
        view = _planned_view(x, row)
        if is_sharded(value) or isinstance(value, (Array, np.ndarray)):
            value = _with_rows(value, found, x.ndim)
    assert view is not None
    write(view, value, temporary)


def _with_rows(value: Any, key: Key, ndim: int) -> Any:
    """A value for one row, with an axis for it where the view has its rows."""
    after = sum(
        1 for item in key.others[_last_row_item(key) + 1 :] if not hasattr(item, "__index__")
    )
    if value.ndim <= after:
        return value
    return value[(..., None, *(slice(None),) * after)]


def _last_row_item(key: Key) -> int:
    """The position of the item of the rows: the one after key.axis axes of the view."""
    axes = 0
    for i, item in enumerate(key.others):
        if axes == key.axis and isinstance(item, slice):
            return i
        axes += item is None or isinstance(item, slice)
    raise AssertionError("the index has no item of the rows")


def _put_where(x: ShardedArray, mask: ShardedArray, value: Any) -> None:
    if mask.dtype.kind != "b" or mask.shape != x.shape:
        raise InvalidTypeError(
            "x[mask] = v",
            f"the mask has shape {mask.shape} and dtype {mask.dtype}; use a mask of bool with the "
            f"shape {x.shape}",
        )
    if is_sharded(value) or getattr(value, "ndim", 0) > 0:
        raise UnsupportedError(
            "x[mask] = v", "v is an array; use x[...] = hither.numpy.where(mask, v, x)"
        )
    common_mesh("x[mask] = v", [x, mask])
    number = np.asarray(value)[()] if not isinstance(value, Array) else value
    chosen = elementwise("x[mask] = v", lambda m, v, old: h.where(m, h.astype(
        v, old.dtype) if isinstance(v, Array) else old.dtype.type(v).item(), old),
        mask, number, x)  # fmt: skip
    write(x, chosen)


def write(view: ShardedArray, value: Any, temporary: bool = False) -> None:
    """Writes to all elements of a view. All rows of the value are found before one is written.
    `temporary`: probably nothing else refers to the value, so that it is not stored, too."""
    mesh: Mesh = view.mesh
    where = "x[...] = v"
    if not is_sharded(value):
        if isinstance(value, (list, tuple)):
            value = np.asarray(value)
        if isinstance(value, np.ndarray) and value.ndim > 0:
            value = h.asarray(value, queue=mesh[0])
        check_operand(where, value, mesh)
        if isinstance(value, Array) and value.ndim > view.axis - view.ndim:
            value = _divided(view, value)
    if not is_sharded(value):
        for part, queue in zip(view._pieces, mesh, strict=True):
            here = moved(value, queue) if isinstance(value, Array) else value
            for piece in part:
                piece[...] = here
        return
    common_mesh(where, [view, value])
    _write_rows(view, value, temporary)


def _divided(view: ShardedArray, value: Array) -> Any:
    """An array of one queue with the blocks of a view, if it has its rows; else the array."""
    place = view.axis - view.ndim + value.ndim
    if place < 0 or value.shape[place] == 1:
        return value
    shape = h.broadcast_shapes(value.shape, view.shape)
    if shape != view.shape:
        raise OutOfRangeError("x[...] = v", f"v has shape {value.shape}, x[...] {view.shape}")
    return type(view)._of(view.mesh, place, [[value]] + [
        [moved(cut(value, place, 0, 0), queue)] for queue in view.mesh.queues[1:]
    ])  # fmt: skip


def _write_rows(view: ShardedArray, value: ShardedArray, temporary: bool) -> None:
    from ..errors import InvalidValueError

    right = view.axis - view.ndim
    rows = view.shape[view.axis]
    place = value.ndim + right
    if h.broadcast_shapes(value.shape, view.shape) != view.shape:
        raise InvalidValueError("x[...] = v", f"v has shape {value.shape}, x[...] {view.shape}")
    if place != value.axis or value.shape[value.axis] != rows:
        if value.shape[value.axis] == 1 or place < 0 or value.shape[place] == 1:
            write(view, value._gathered(view.mesh[0]))
            return
        value = value.reshard(place)
    targets, found = _pairs(view, value, place)
    for target, new in zip(targets, found, strict=True):
        if temporary:
            h.assign_unread(target, new)
        else:
            target[...] = new


def _pairs(view: ShardedArray, value: ShardedArray, place: int) -> tuple[list[Array], list[Array]]:
    """The pieces that are written, and the rows of the value for each."""
    rows_of_view, axis = view._rows(), view.axis
    targets, found = [], []
    aligned = value._rows().aligned(rows_of_view.bounds, view.mesh)
    sizes = lengths_of(aligned, place)
    for k, (part, news) in enumerate(zip(view._pieces, aligned, strict=True)):
        for i, low, high, m, start, stop in common_ranges(rows_of_view.lengths[k], sizes[k]):
            chosen = cut(news[m], place, start, stop)
            targets.append(cut(part[i], axis, low, high))
            # A copy is a node, which has the elements of before the first write.
            found.append(chosen if value._fresh else h.copy(chosen))
    return targets, found
