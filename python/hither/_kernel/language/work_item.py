"""Work-item functions. Dimension 0 is the outermost; the last dimension is contiguous."""

from __future__ import annotations

from typing import NoReturn


def only_in_kernels(name: str) -> NoReturn:
    raise TypeError(f"{name} has a value only inside a function decorated with @hither.kernel")


def get_global_id(dim: int) -> int:
    """Index of this work-item in dimension `dim` (a constant, 0 to 2) of the range."""
    only_in_kernels("get_global_id")


def get_global_size(dim: int) -> int:
    """Extent of the range in dimension `dim` (a constant, 0 to 2); 1 beyond its dimensions."""
    only_in_kernels("get_global_size")


def get_local_id(dim: int) -> int:
    """Index of this work-item in its work-group, in dimension `dim` (a constant, 0 to 2)."""
    only_in_kernels("get_local_id")


def get_local_size(dim: int) -> int:
    """Extent of a work-group in dimension `dim` (a constant, 0 to 2)."""
    only_in_kernels("get_local_size")


def get_group_id(dim: int) -> int:
    """Index of this item's work-group among the groups, in dimension `dim` (a constant, 0 to
    2)."""
    only_in_kernels("get_group_id")


def get_num_groups(dim: int) -> int:
    """Number of work-groups in dimension `dim` (a constant, 0 to 2)."""
    only_in_kernels("get_num_groups")


def get_global_linear_id() -> int:
    """Index of this work-item in the whole range, in row-major order."""
    only_in_kernels("get_global_linear_id")


def get_local_linear_id() -> int:
    """Index of this work-item in its work-group, in row-major order."""
    only_in_kernels("get_local_linear_id")


def get_group_linear_id() -> int:
    """Index of this item's work-group among all groups, in row-major order."""
    only_in_kernels("get_group_linear_id")


def get_sub_group_size() -> int:
    """Number of work-items in this item's sub-group."""
    only_in_kernels("get_sub_group_size")


def get_sub_group_id() -> int:
    """Index of this item's sub-group in its work-group."""
    only_in_kernels("get_sub_group_id")


def get_sub_group_local_id() -> int:
    """Index of this work-item in its sub-group."""
    only_in_kernels("get_sub_group_local_id")


def get_num_sub_groups() -> int:
    """Number of sub-groups in this item's work-group."""
    only_in_kernels("get_num_sub_groups")


def get_group() -> Group:
    """This item's work-group."""
    only_in_kernels("get_group")


def get_sub_group() -> SubGroup:
    """This item's sub-group: on the CPU, the lanes of a vector."""
    only_in_kernels("get_sub_group")


class Item:
    """The work-item, as the first parameter of a kernel.

    The call does not pass it: `def k(item: hither.Item, x): x[item.get_id(0)] = 1` is called as
    `k[n](x)`. The annotation may be omitted if the kernel calls a method of the parameter that
    only items have. `dim` is a constant, 0 to 2.
    """

    @property
    def dimensions(self) -> int:
        """How many dimensions the range has, where the launch is numba_dpex's call_kernel."""
        only_in_kernels("Item.dimensions")

    def get_id(self, dim: int) -> int:
        """The same as get_global_id(dim)."""
        only_in_kernels("Item.get_id")

    def get_range(self, dim: int) -> int:
        """The same as get_global_size(dim)."""
        only_in_kernels("Item.get_range")

    def get_linear_id(self) -> int:
        """The same as get_global_linear_id()."""
        only_in_kernels("Item.get_linear_id")

    def get_linear_range(self) -> int:
        """Number of work-items in the whole range."""
        only_in_kernels("Item.get_linear_range")


class NdItem:
    """The work-item of an nd-range, as the first parameter of a kernel; see Item."""

    @property
    def dimensions(self) -> int:
        """How many dimensions the range has, where the launch is numba_dpex's call_kernel."""
        only_in_kernels("NdItem.dimensions")

    def get_global_id(self, dim: int) -> int:
        """The same as get_global_id(dim)."""
        only_in_kernels("NdItem.get_global_id")

    def get_global_range(self, dim: int) -> int:
        """The same as get_global_size(dim)."""
        only_in_kernels("NdItem.get_global_range")

    def get_global_linear_id(self) -> int:
        """Index in the whole range, in row-major order."""
        only_in_kernels("NdItem.get_global_linear_id")

    def get_global_linear_range(self) -> int:
        """Number of work-items in the whole range."""
        only_in_kernels("NdItem.get_global_linear_range")

    def get_local_id(self, dim: int) -> int:
        """The same as get_local_id(dim)."""
        only_in_kernels("NdItem.get_local_id")

    def get_local_range(self, dim: int) -> int:
        """The same as get_local_size(dim)."""
        only_in_kernels("NdItem.get_local_range")

    def get_local_linear_id(self) -> int:
        """Index in the work-group, in row-major order."""
        only_in_kernels("NdItem.get_local_linear_id")

    def get_local_linear_range(self) -> int:
        """Number of work-items in a work-group."""
        only_in_kernels("NdItem.get_local_linear_range")

    def get_group_range(self, dim: int) -> int:
        """The same as get_num_groups(dim)."""
        only_in_kernels("NdItem.get_group_range")

    def get_group_linear_id(self) -> int:
        """Index of the work-group among all, in row-major order."""
        only_in_kernels("NdItem.get_group_linear_id")

    def get_group(self) -> Group:
        """The work-group."""
        only_in_kernels("NdItem.get_group")

    def get_sub_group(self) -> SubGroup:
        """The sub-group."""
        only_in_kernels("NdItem.get_sub_group")


class Group:
    """A work-group, the argument of group functions. It can be a kernel's first parameter; see
    Item."""

    @property
    def dimensions(self) -> int:
        """How many dimensions the range has, where the launch is numba_dpex's call_kernel."""
        only_in_kernels("Group.dimensions")

    def get_group_id(self, dim: int) -> int:
        """The same as get_group_id(dim)."""
        only_in_kernels("Group.get_group_id")

    def get_group_range(self, dim: int) -> int:
        """The same as get_num_groups(dim)."""
        only_in_kernels("Group.get_group_range")

    def get_group_linear_id(self) -> int:
        """Index among all groups, in row-major order."""
        only_in_kernels("Group.get_group_linear_id")

    def get_group_linear_range(self) -> int:
        """Number of work-groups."""
        only_in_kernels("Group.get_group_linear_range")

    def get_local_id(self, dim: int) -> int:
        """The same as get_local_id(dim)."""
        only_in_kernels("Group.get_local_id")

    def get_local_range(self, dim: int) -> int:
        """The same as get_local_size(dim)."""
        only_in_kernels("Group.get_local_range")

    def get_local_linear_id(self) -> int:
        """Index of the item in the group, in row-major order."""
        only_in_kernels("Group.get_local_linear_id")

    def get_local_linear_range(self) -> int:
        """Number of work-items in the group."""
        only_in_kernels("Group.get_local_linear_range")

    def leader(self) -> bool:
        """Whether this is the first item of the group."""
        only_in_kernels("Group.leader")


class SubGroup:
    """A sub-group, the argument of group functions and shuffles."""

    def get_local_id(self) -> int:
        """The same as get_sub_group_local_id()."""
        only_in_kernels("SubGroup.get_local_id")

    def get_local_range(self) -> int:
        """The same as get_sub_group_size()."""
        only_in_kernels("SubGroup.get_local_range")

    def get_group_id(self) -> int:
        """The same as get_sub_group_id()."""
        only_in_kernels("SubGroup.get_group_id")

    def get_group_range(self) -> int:
        """The same as get_num_sub_groups()."""
        only_in_kernels("SubGroup.get_group_range")

    def leader(self) -> bool:
        """Whether this is the first item of the sub-group."""
        only_in_kernels("SubGroup.leader")
