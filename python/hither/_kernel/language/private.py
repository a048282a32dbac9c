"""Arrays of a work-item's own, for use inside kernels."""

from __future__ import annotations

from typing import Any

from .work_item import only_in_kernels


def array(shape: Any, dtype: Any, zero: bool = True) -> Any:
    """An array of which each work-item has one, in registers where it fits.

    `shape` (an int or a tuple of up to three), `dtype` and `zero` are constants. Its elements are 0
    at first; with `zero=False` their content is undefined until they are written.
    """
    only_in_kernels("private.array")


def PrivateArray(shape: Any, dtype: Any, fill_zeros: bool = False) -> Any:  # noqa: N802
    """numba_dpex's name of `array`, and its default: elements are undefined unless `fill_zeros`."""
    only_in_kernels("PrivateArray")
