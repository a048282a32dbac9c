"""Element-wise functions of sharded arrays: the function of hither's arrays, on the pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _hither as h
from .._hither import Array
from .._names import a_type
from ..errors import InvalidTypeError, InvalidValueError, PlacementError
from .mesh import Mesh
from .rows import Pieces, Rows, cut, is_same_place, middle_bounds, moved, plan_of, ranges_of

if TYPE_CHECKING:
    from .sharded_array import ShardedArray

__all__: list[str] = []

# Functions whose results are never views of operands, so that a write does not have to copy them.
_MAKES_NEW = frozenset(
    "add sub mul truediv floordiv mod pow iadd isub imul itruediv ifloordiv imod ipow subtract "
    "multiply divide sqrt exp log sin cos tanh where maximum minimum square power hypot".split()
)


def is_sharded(value: Any) -> bool:
    """Whether a value is a ShardedArray."""
    return getattr(value, "_is_sharded", False)


def common_mesh(function: str, arrays: Sequence[ShardedArray]) -> Mesh:
    """The mesh of sharded operands."""
    first = arrays[0].mesh
    for other in arrays[1:]:
        if other.mesh != first:
            raise PlacementError(
                function,
                f"operands are on different meshes ({first!r} and {other.mesh!r}); move one with "
                "hither.shard(x, mesh)",
            )
    return first


def check_operand(function: str, value: Any, mesh: Mesh) -> None:
    """Refuses arrays that are neither numbers nor on a queue of the mesh."""
    if isinstance(value, Array):
        if not is_same_place(value, mesh):
            raise PlacementError(
                function,
                f"an operand is on {value.device} and another one on {mesh!r}; copy it with "
                "x.to_device(mesh[0]), or divide it with hither.shard(x, mesh)",
            )
    elif isinstance(value, np.ndarray) and value.ndim > 0:
        raise PlacementError(
            function,
            "an operand is a NumPy array in host memory and another is a ShardedArray; divide it "
            "with hither.shard(v, mesh)",
        )
    elif not isinstance(value, (bool, int, float, complex, np.generic, np.ndarray)):
        raise InvalidTypeError(
            function,
            f"an operand is {a_type(value)}; pass a ShardedArray, an array or a number",
        )


class Operand:
    """One operand of an element-wise call, for the parts of the result."""

    def __init__(self, function: str, value: Any, shape: tuple[int, ...], right: int) -> None:
        self.rows: Rows | None = None
        self.value = value
        rows = shape[right]
        if is_sharded(value):
            if value.axis - value.ndim != right and value.shape[value.axis] > 1:
                raise InvalidValueError(
                    function,
                    f"operands are divided along different axes of the result ({right} and "
                    f"{value.axis - value.ndim}, from the end); move one with x.reshard(axis)",
                )
            if value.shape[value.axis] == rows and value.axis - value.ndim == right:
                self.rows = value._rows()
            else:
                self.value = value._gathered(value.mesh[0])
        whole = self.rows is None and isinstance(self.value, Array)
        if whole and self.value.ndim >= -right and self.value.shape[right] != 1:
            raise PlacementError(
                function,
                f"an operand of shape {self.value.shape} is on one queue, and has all rows of "
                "a ShardedArray; divide it with hither.shard(x, mesh, axis)",
            )

    def everywhere(self, queue: Any) -> Any:
        """The operand of every part."""
        return moved(self.value, queue) if isinstance(self.value, Array) else self.value


def _rightmost(arrays: Sequence[ShardedArray], shape: tuple[int, ...]) -> int:
    """The divided axis of the result, from the end: that of an operand that has all its rows."""
    for x in arrays:
        if x.shape[x.axis] == shape[x.axis - x.ndim]:
            return x.axis - x.ndim
    return arrays[0].axis - arrays[0].ndim


def _part(
    function: Callable[..., Any], operands: list[Operand], bounds: tuple[int, int], part: int,
    queue: Any,
) -> list[Any]:  # fmt: skip
    """The results of the pieces of one part."""
    given = [x.everywhere(queue) if x.rows is None else None for x in operands]
    divided = [(i, x.rows) for i, x in enumerate(operands) if x.rows is not None]
    held = [rows.between(*bounds, queue, part) for _, rows in divided]
    found = []
    if len(divided) == 1:
        place = divided[0][0]
        for given[place] in held[0]:
            found.append(function(*given))
        return found
    for places in ranges_of(tuple([rows.lengths for _, rows in divided]), *bounds):
        for (i, rows), pieces, (k, low, high) in zip(divided, held, places, strict=True):
            given[i] = cut(pieces[k], rows.axis, low, high)
        found.append(function(*given))
    return found


_NUMBERS = frozenset((int, float, bool, complex))


def _have_the_same_rows(arrays: list[ShardedArray], values: Sequence[Any]) -> bool:
    """Whether the values are numbers and arrays of one mesh, shape and axis: the usual case."""
    first = arrays[0]
    for x in values:
        if type(x) in _NUMBERS or x is first:
            continue
        if not is_sharded(x) or x._mesh is not first._mesh:
            return False
        if x._shape != first._shape or x._axis != first._axis:
            return False
    return True


def _by_plan(function: Callable[..., Any], first: ShardedArray, values: Sequence[Any]) -> Any:
    """function(*values) of numbers, and of arrays with the mesh, the shape and the axis of the
    first."""
    held = [x._held() if is_sharded(x) else None for x in values]
    plan = plan_of(tuple([both[1] for both in held if both is not None]), first._axis)
    results: list[list[Any]] = []
    if plan.is_plain:
        columns = [
            repeat(x) if both is None else [part[0] for part in both[0]]
            for x, both in zip(values, held, strict=True)
        ]
        results = [[function(*row)] for row in zip(*columns, strict=False)]
    else:
        given = list(values)
        sources = [(i, both[0]) for i, both in enumerate(held) if both is not None]
        for part, (ranges, queue) in enumerate(zip(plan.parts, first._mesh, strict=True)):
            found = []
            for places in ranges:
                for place, (i, pieces) in zip(places, sources, strict=True):
                    given[i] = place.of(pieces, part, queue)
                found.append(function(*given))
            results.append(found)
    if not isinstance(results[0][0], tuple):
        return first._with(results, plan.lengths)
    return tuple(
        first._with([[one[k] for one in part] for part in results], plan.lengths)
        for k in range(len(results[0][0]))
    )


def elementwise(name: str, function: Callable[..., Any], *values: Any) -> Any:
    """function(*values) of each element. At least one value is a ShardedArray; the others are
    such arrays, arrays that every part needs, and numbers."""
    from .sharded_array import ShardedArray

    arrays = [x for x in values if is_sharded(x)]
    if _have_the_same_rows(arrays, values):
        result = _by_plan(function, arrays[0], values)
        if not isinstance(result, tuple):
            result._fresh = name in _MAKES_NEW
        return result
    mesh = common_mesh(name, arrays)
    for value in values:
        if not is_sharded(value):
            check_operand(name, value, mesh)
    shape = h.broadcast_shapes(*(x.shape for x in values if is_sharded(x) or isinstance(x, Array)))
    right = _rightmost(arrays, shape)
    operands = [Operand(name, value, shape, right) for value in values]
    bounds = middle_bounds(tuple([x.rows.lengths for x in operands if x.rows is not None]))
    results = [
        _part(function, operands, (bounds[part], bounds[part + 1]), part, queue)
        for part, queue in enumerate(mesh)
    ]
    axis = len(shape) + right
    if isinstance(results[0][0], tuple):
        outputs: list[Pieces] = [
            [[piece[k] for piece in part] for part in results] for k in range(len(results[0][0]))
        ]
        return tuple(ShardedArray._of(mesh, axis, pieces) for pieces in outputs)
    result = ShardedArray._of(mesh, axis, results)
    result._fresh = name in _MAKES_NEW
    return result
