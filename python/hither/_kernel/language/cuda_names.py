"""numba.cuda's names of what a thread may ask about itself. x is the last dimension, z the
first."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

from . import group_function, work_item
from .device_func import device_func


@dataclass(frozen=True)
class Query:
    """Inside kernels: the value of a work-item function in one dimension."""

    function: Any
    dim: int


class Indices:
    """A class of Query attributes, which exists for its attributes alone."""


class threadIdx(Indices):  # noqa: N801
    """Index of the work-item in its group."""

    x = Query(work_item.get_local_id, 2)
    y = Query(work_item.get_local_id, 1)
    z = Query(work_item.get_local_id, 0)


class blockIdx(Indices):  # noqa: N801
    """Index of the group."""

    x = Query(work_item.get_group_id, 2)
    y = Query(work_item.get_group_id, 1)
    z = Query(work_item.get_group_id, 0)


class blockDim(Indices):  # noqa: N801
    """Extents of a group."""

    x = Query(work_item.get_local_size, 2)
    y = Query(work_item.get_local_size, 1)
    z = Query(work_item.get_local_size, 0)


class gridDim(Indices):  # noqa: N801
    """Number of groups."""

    x = Query(work_item.get_num_groups, 2)
    y = Query(work_item.get_num_groups, 1)
    z = Query(work_item.get_num_groups, 0)


def grid(ndim: int) -> Any:
    """Index of the work-item in the whole grid: x, or (x, y), or (x, y, z)."""
    work_item.only_in_kernels("grid")


def gridsize(ndim: int) -> Any:
    """Extents of the whole grid: x, or (x, y), or (x, y, z)."""
    work_item.only_in_kernels("gridsize")


laneid = work_item.get_sub_group_local_id
warpsize = work_item.get_sub_group_size


@device_func
def syncthreads_count(predicate):
    """Waits for the group, and counts the items for which the predicate holds."""
    holds = 1 if predicate else 0
    return group_function.group_reduce(work_item.get_group(), holds, operator.add)


@device_func
def syncthreads_and(predicate):
    """Waits for the group: does the predicate hold for all?"""
    return group_function.group_all_of(work_item.get_group(), predicate)


@device_func
def syncthreads_or(predicate):
    """Waits for the group: does the predicate hold for one?"""
    return group_function.group_any_of(work_item.get_group(), predicate)
