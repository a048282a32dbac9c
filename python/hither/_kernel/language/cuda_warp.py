"""numba.cuda's functions of a warp, implemented by those of a sub-group.

A mask is -1, which means all items of the sub-group, or has one bit for each item. The mask
0xffffffff assumes 32 items, and a sub-group of another size is reported as an error, except the
last sub-group of a group, which may be smaller. Convergent operations are in statements without
branches, because Python would duplicate the rest of the function for each branch.
"""

from __future__ import annotations

import operator

from .device_func import device_func
from .group_function import (
    group_all_of,
    group_any_of,
    group_barrier,
    group_reduce,
    shuffle,
)
from .scope import MemoryScope
from .work_item import (
    get_num_sub_groups,
    get_sub_group,
    get_sub_group_id,
    get_sub_group_local_id,
    get_sub_group_size,
    only_in_kernels,
)

WRONG_MASK = (
    "the mask of a warp function does not select exactly the items of the sub-group, whose size "
    "depends on the device: use -1 for all items, or warpsize()"
)


def report_mask(is_wrong: bool) -> None:
    """Reports a wrong mask. The item continues, because the others wait for it."""
    only_in_kernels("report_mask")


@device_func
def _check(mask):
    here = (2 << (get_sub_group_size() - 1)) - 1
    is_last = get_sub_group_id() == get_num_sub_groups() - 1
    report_mask(mask != -1 and mask != here and not (mask > here and is_last))


@device_func
def syncwarp(mask=-1):
    """A barrier of the sub-group."""
    _check(mask)
    group_barrier(get_sub_group(), MemoryScope.SUB_GROUP)


@device_func
def shfl_sync(mask, value, src_lane):
    """The value of the item `src_lane`, modulo the size of the sub-group."""
    _check(mask)
    return shuffle(get_sub_group(), value, src_lane % get_sub_group_size())


@device_func
def shfl_up_sync(mask, value, delta):
    """The value of the item whose number is smaller by `delta`, or the item's own value if there is
    none."""
    _check(mask)
    lane = get_sub_group_local_id()
    source = lane - delta if lane >= delta else lane
    return shuffle(get_sub_group(), value, source)


@device_func
def shfl_down_sync(mask, value, delta):
    """The value of the item whose number is larger by `delta`, or the item's own value if there is
    none."""
    _check(mask)
    lane = get_sub_group_local_id()
    source = lane + delta if lane + delta < get_sub_group_size() else lane
    return shuffle(get_sub_group(), value, source)


@device_func
def shfl_xor_sync(mask, value, lane_mask):
    """The value of the item whose number has these bits flipped, or the item's own value if there
    is none."""
    _check(mask)
    lane = get_sub_group_local_id()
    source = lane ^ lane_mask
    source = source if source < get_sub_group_size() else lane
    return shuffle(get_sub_group(), value, source)


@device_func
def all_sync(mask, predicate):
    """Whether the predicate holds for all items of the sub-group."""
    _check(mask)
    return group_all_of(get_sub_group(), predicate)


@device_func
def any_sync(mask, predicate):
    """Whether the predicate holds for any item of the sub-group."""
    _check(mask)
    return group_any_of(get_sub_group(), predicate)


@device_func
def ballot_sync(mask, predicate):
    """A mask with a bit for each item of the sub-group for which the predicate holds."""
    _check(mask)
    bit = 1 << get_sub_group_local_id() if predicate else 0
    return group_reduce(get_sub_group(), bit, operator.or_)
