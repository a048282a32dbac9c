"""Arrays in private memory, for use inside kernels."""

from __future__ import annotations

from typing import Any

from ..._documentation import complete
from .work_item import only_in_kernels


def array(shape: Any, dtype: Any, zero: bool = True) -> Any:
    """An array in the private memory of a work-item, in registers if it fits.

    `shape` (an int or a tuple of up to three), `dtype` and `zero` are constants. The elements are
    initially 0, or undefined with `zero=False`.
    """
    only_in_kernels("private.array")


def PrivateArray(shape: Any, dtype: Any, fill_zeros: bool = False) -> Any:  # noqa: N802
    """numba_dpex's form of `array`: the elements are initially undefined unless `fill_zeros`."""
    only_in_kernels("PrivateArray")


complete("private", globals())
