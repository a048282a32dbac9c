"""Matrix products of sharded arrays."""

from __future__ import annotations

from typing import Any

from .. import _hither as h
from .._hither import Array
from ..errors import InvalidValueError
from .elementwise import check_operand, common_mesh, is_sharded
from .mesh import Mesh
from .rows import moved
from .sharded_array import ShardedArray

__all__: list[str] = []


def _everywhere(x: Any, mesh: Mesh) -> list[Array]:
    """The whole array on each queue. Queues that share memory have one copy."""
    if is_sharded(x):
        if not mesh.shares_memory:
            return [x._gathered(queue) for queue in mesh]
        x = x._gathered(mesh[0])
    return [moved(x, queue) for queue in mesh]


def _inner_sums(x1: Any, x2: Any) -> tuple[Any, Any]:
    """The operands without a division of the summed axis, so that no sum depends on it."""
    if is_sharded(x1) and x1.axis == x1.ndim - 1:
        x1 = x1.reshard(-2) if x1.ndim > 1 else x1._gathered(x1.mesh[0])
    if is_sharded(x2) and x2.axis == max(x2.ndim - 2, 0):
        if is_sharded(x1):
            return x1, x2  # x2 is needed on every queue
        x2 = x2.reshard(-1) if x2.ndim > 1 else x2._gathered(x2.mesh[0])
    return x1, x2


def _checked(x1: Any, x2: Any) -> Mesh:
    mesh = common_mesh("matmul", [x for x in (x1, x2) if is_sharded(x)])
    for x in (x1, x2):
        if not is_sharded(x):
            check_operand("matmul", x, mesh)
    if x1.ndim == 0 or x2.ndim == 0:
        raise InvalidValueError("matmul", "an operand has no dimensions; use * with numbers")
    if x1.shape[-1] != x2.shape[-2 if x2.ndim > 1 else 0]:
        raise InvalidValueError(
            "matmul",
            f"shapes {x1.shape} and {x2.shape}: the last axis of x1 and the axis of x2 that is "
            "summed have different extents",
        )
    return mesh


def matmul(x1: Any, x2: Any) -> Any:
    """The matrix product. The result is divided as the operand that keeps its rows (x1) or columns
    (x2), and the other operand is copied to every queue."""
    if not hasattr(x1, "ndim") or not hasattr(x2, "ndim"):
        return NotImplemented
    mesh = _checked(x1, x2)
    first, second = _inner_sums(x1, x2)
    if is_sharded(first):
        kept, whole = first, _everywhere(second, mesh)
        fits = kept.ndim - kept.axis == 2 or (whole[0].ndim <= 2 and kept.ndim >= 2)
        if not fits:
            kept = kept.reshard(-2)
        axis = kept.axis + max(whole[0].ndim - kept.ndim, 0)
        pieces = [
            [h.matmul(piece, whole[k]) for piece in part] for k, part in enumerate(kept._pieces)
        ]
        return ShardedArray._of(mesh, axis, pieces)
    if is_sharded(second):
        whole, kept = _everywhere(first, mesh), second
        if kept.axis != kept.ndim - 1:
            kept = kept.reshard(-1)
        pieces = [
            [h.matmul(whole[k], piece) for piece in part] for k, part in enumerate(kept._pieces)
        ]
        return ShardedArray._of(mesh, pieces[0][0].ndim - 1, pieces)
    return h.matmul(first, second)
