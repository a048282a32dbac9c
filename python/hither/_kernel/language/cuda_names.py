"""numba.cuda's names for the indices and extents of a thread. x is the last dimension, z the
first."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import group_function, work_item
from .device_func import device_func


@dataclass(frozen=True)
class Query:
    """The value of a work-item function in one dimension, inside kernels."""

    function: Any
    dim: int


class Indices:
    """Base of classes that only have attributes of class Query."""


class threadIdx(Indices):  # noqa: N801
    """Index of the work-item in its group."""

    x: Query = Query(work_item.get_local_id, 2)
    y: Query = Query(work_item.get_local_id, 1)
    z: Query = Query(work_item.get_local_id, 0)


class blockIdx(Indices):  # noqa: N801
    """Index of the group."""

    x: Query = Query(work_item.get_group_id, 2)
    y: Query = Query(work_item.get_group_id, 1)
    z: Query = Query(work_item.get_group_id, 0)


class blockDim(Indices):  # noqa: N801
    """Extents of a group."""

    x: Query = Query(work_item.get_local_size, 2)
    y: Query = Query(work_item.get_local_size, 1)
    z: Query = Query(work_item.get_local_size, 0)


class gridDim(Indices):  # noqa: N801
    """Number of groups."""

    x: Query = Query(work_item.get_num_groups, 2)
    y: Query = Query(work_item.get_num_groups, 1)
    z: Query = Query(work_item.get_num_groups, 0)


def grid(ndim: int) -> Any:
    """Index of the work-item in the whole grid: x, or (x, y), or (x, y, z)."""
    work_item.only_in_kernels("grid")


def gridsize(ndim: int) -> Any:
    """Extents of the whole grid: x, or (x, y), or (x, y, z)."""
    work_item.only_in_kernels("gridsize")


laneid: Callable[[], Any] = work_item.get_sub_group_local_id
warpsize: Callable[[], Any] = work_item.get_sub_group_size


@device_func
def syncthreads_count(predicate):
    """Group barrier that returns the number of items for which the predicate holds."""
    holds = 1 if predicate else 0
    return group_function.group_reduce(work_item.get_group(), holds, operator.add)


@device_func
def syncthreads_and(predicate):
    """Group barrier that returns whether the predicate holds for all items."""
    return group_function.group_all_of(work_item.get_group(), predicate)


@device_func
def syncthreads_or(predicate):
    """Group barrier that returns whether the predicate holds for any item."""
    return group_function.group_any_of(work_item.get_group(), predicate)
