"""dpctl.tensor: every name of hither's array namespace, and usm_ndarray."""

from __future__ import annotations

from typing import Any

import numpy as np

import hither
from hither.compat.look_alike import LookAlike


class _Placed:
    """A layout over an allocation, shown by the USM array interface."""

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
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    strides = None if strides is None else tuple(strides)
    return hither.asarray(
        _Placed(memory, shape=shape, typestr=dtype.str, strides=strides, offset=offset), copy=False
    )


class usm_ndarray(metaclass=LookAlike):  # noqa: N801 - dpctl's name
    """dpctl's array: a hither.Array.

    With ``type=`` or ``queue=`` the first argument is data, as where compute follows data is
    described: ``usm_ndarray([1, 2, 3, 4], type="shared", queue=q)``. Without, it is a shape, as in
    dpctl: ``usm_ndarray((2, 3), "f4", buffer="shared", buffer_ctor_kwargs={"queue": q})``, where
    buffer may also be a USM memory object; ``strides`` and ``offset`` count elements.
    """

    stands_for = hither.Array

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
        type: str | None = None,
        queue: Any = None,
    ) -> Any:
        if type is not None or queue is not None:
            return hither.asarray(shape, dtype=dtype, usm_type=type or "device", queue=queue)
        if order != "C":
            raise hither.UnsupportedError("usm_ndarray", f"order={order!r}: hither makes C order")
        element = np.dtype("float64" if dtype is None else dtype)
        if isinstance(buffer, hither.Memory):
            return _over_memory(buffer, shape, element, strides, offset)
        if strides is not None or offset != 0:
            raise hither.InvalidValueError(
                "usm_ndarray", "strides and offset need buffer= to be a USM memory object"
            )
        options = buffer_ctor_kwargs or {}
        return hither.empty(shape, dtype=element, usm_type=buffer, queue=options.get("queue"))


def to_numpy(usm_ary: Any) -> Any:
    """A NumPy array with a copy of the elements."""
    return hither.asnumpy(usm_ary)


def from_numpy(
    np_ary: Any, /, *, device: Any = None, usm_type: str = "device", **queue: Any
) -> Any:
    """An array with a copy of a NumPy array."""
    return hither.asarray(np_ary, device=device, usm_type=usm_type, **queue)


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    return getattr(hither, name)
