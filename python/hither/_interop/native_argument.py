"""Arguments and ranges of kernels written in a back end's language."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from .._hither import Array, Queue, Range
from .._names import a_type
from ..errors import InvalidTypeError, PlacementError

__all__ = ["extents", "packed", "queue_of"]


def extents(sizes: Range) -> tuple[int, ...]:
    """A range's sizes, in hither's order."""
    return tuple(sizes[i] for i in range(len(sizes)))


def packed(kernel: str, value: Any) -> Any:
    """The bytes of a number. Python's numbers are converted to NumPy's 64-bit types."""
    if isinstance(value, (bool, int, float, complex)) and not isinstance(value, np.generic):
        value = np.asarray(value)[()]
    if not isinstance(value, np.generic) or value.dtype.kind not in "biufc":
        raise InvalidTypeError(kernel, f"takes arrays and numbers, not {a_type(value)}")
    return ctypes.create_string_buffer(value.tobytes(), value.itemsize)


def queue_of(kernel: str, arrays: list[Array], home: Queue) -> Queue:
    """The queue of the arrays. Raises PlacementError unless it belongs to the kernel's context."""
    queue = arrays[0].queue if arrays else home
    for x in arrays:
        if not x.queue.equivalent(queue):
            raise PlacementError(kernel, f"arrays are on {queue} and on {x.queue}")
    if queue.context != home.context:
        raise PlacementError(kernel, f"was loaded on {home}; its arrays are on {queue}")
    return queue
