"""dpctl.tensor.usm_ndarray."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import hither
from hither._hither import memory_over
from hither.compat._look_alike import LookAlike
from hither.compat.dpctl.memory import KINDS
from hither.compat.dpctl.tensor.layout import extents_of, in_order


class _Placed:
    """A layout of an allocation, with the USM array interface."""

    def __init__(self, memory: hither.Memory, **fields: Any) -> None:
        self.memory = memory
        self.__sycl_usm_array_interface__ = {
            "data": (memory.pointer, False),
            "version": 1,
            "syclobj": memory.queue,
            **fields,
        }


def _over_memory(
    memory: hither.Memory, shape: Any, dtype: np.dtype, strides: Any, offset: int
) -> Any:
    shape = extents_of(shape)
    strides = None if strides is None else tuple(strides)
    return hither.asarray(
        _Placed(memory, shape=shape, typestr=dtype.str, strides=strides, offset=offset), copy=False
    )


def _memory_of(array: hither.Array, element: np.dtype, offset: int) -> tuple[hither.Memory, int]:
    """The memory of an array, and the offset in it for an offset in the array."""
    memory = memory_over(array)
    if array.size == 0:
        return memory, offset
    before = array.__sycl_usm_array_interface__["data"][0] - memory.pointer
    if before % element.itemsize:
        raise hither.InvalidValueError(
            "buffer", f"starts at byte {before} of its memory, not a multiple of {element.itemsize}"
        )
    return memory, before // element.itemsize + offset


def _bytes_of(shape: Any, element: np.dtype, strides: Any, offset: int) -> int:
    """The number of bytes that an array of this layout needs from the start of its memory."""
    extents = extents_of(shape)
    if strides is None:
        return (offset + math.prod(extents)) * element.itemsize
    if len(strides) != len(extents):
        raise hither.InvalidValueError(
            "strides", f"{strides} does not have one for each of {shape}"
        )
    if 0 in extents:
        return offset * element.itemsize
    reach = [(extent - 1) * stride for extent, stride in zip(extents, strides, strict=True)]
    if offset + sum(step for step in reach if step < 0) < 0:
        raise hither.InvalidValueError("offset", f"{offset} is too small for strides {strides}")
    return (offset + 1 + sum(step for step in reach if step > 0)) * element.itemsize


class usm_ndarray(metaclass=LookAlike):  # noqa: N801 - dpctl's name
    """dpctl's array: a hither.Array.

    With ``type=`` or ``queue=`` the first argument is data, as in the document on "compute follows
    data": ``usm_ndarray([1, 2, 3, 4], type="shared", queue=q)``. Without them it is a shape, as in
    dpctl: ``usm_ndarray((2, 3), "f4", buffer="shared", buffer_ctor_kwargs={"queue": q})``. buffer
    may also be a USM memory object. ``strides`` and ``offset`` are in elements.
    """

    stands_for: type = hither.Array

    def __new__(
        cls,
        shape: Any,
        dtype: Any = None,
        strides: Any = None,
        buffer: Any = "device",
        offset: int = 0,
        order: str = "C",
        buffer_ctor_kwargs: dict[str, Any] | None = None,
        *,
        type: Any = None,
        queue: Any = None,
    ) -> Any:
        if type is not None or queue is not None:
            return hither.asarray(shape, dtype=dtype, usm_type=type or "device", queue=queue)
        if order not in ("C", "F"):
            raise hither.InvalidValueError("usm_ndarray", f'order={order!r} is neither "C" nor "F"')
        element = np.dtype("float64" if dtype is None else dtype)
        if isinstance(buffer, hither.Array):
            buffer, offset = _memory_of(buffer, element, offset)
        if isinstance(buffer, hither.Memory):
            if order == "F" and strides is None:
                extents = extents_of(shape)
                strides = tuple(math.prod(extents[:axis]) for axis in range(len(extents)))
            return _over_memory(buffer, shape, element, strides, offset)
        usm_type: Any = buffer
        if not isinstance(buffer, str) or buffer not in KINDS:
            raise hither.InvalidValueError(
                "buffer", f"{buffer!r} is neither USM, an array nor one of {', '.join(KINDS)}"
            )
        options = buffer_ctor_kwargs or {}
        if strides is not None or offset != 0:
            memory = KINDS[buffer](_bytes_of(shape, element, strides, offset), **options)
            return _over_memory(memory, shape, element, strides, offset)
        return in_order(
            lambda extents: hither.empty(
                extents, dtype=element, usm_type=usm_type, queue=options.get("queue")
            ),
            shape,
            order,
        )
