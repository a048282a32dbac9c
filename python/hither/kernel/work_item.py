"""What a work-item may ask about itself. Dimension 0 is the outermost, the last one is
contiguous."""

from __future__ import annotations

from typing import NoReturn


def _only_in_kernels(name: str) -> NoReturn:
    raise TypeError(f"{name} has a value only inside a function decorated with @hither.kernel")


def get_global_id(dim: int) -> int:
    """Index of this work-item in dimension `dim` (a constant, 0 to 2) of the range."""
    _only_in_kernels("get_global_id")


def get_global_size(dim: int) -> int:
    """Extent of the range in dimension `dim` (a constant, 0 to 2); 1 beyond its dimensions."""
    _only_in_kernels("get_global_size")


class Item:
    """A kernel's first parameter, if annotated with this class, is the work-item itself.

    It is not passed at the call: `def k(item: hither.Item, x): x[item.get_id(0)] = 1` is called as
    `k[n](x)`.
    """

    def get_id(self, dim: int) -> int:
        """The same as get_global_id(dim)."""
        _only_in_kernels("Item.get_id")

    def get_range(self, dim: int) -> int:
        """The same as get_global_size(dim)."""
        _only_in_kernels("Item.get_range")

    def get_linear_id(self) -> int:
        """Index of this work-item in the whole range, in row-major order."""
        _only_in_kernels("Item.get_linear_id")
