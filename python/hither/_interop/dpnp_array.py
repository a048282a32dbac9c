"""Arrays of SYCL devices as dpnp's own, in the same memory.

dpnp.asarray(x) is free of copies only if x offers `__usm_ndarray__`, an array of dpnp's whose queue
is the very object that `x.sycl_queue` is. Both are there while dpnp and dpctl are imported.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

from .._hither import Array


class _Span:
    """All the bytes between the lowest and the highest that an array reaches."""

    def __init__(self, x: Array) -> None:
        steps = [(n - 1) * stride for n, stride in zip(x.shape, x.strides, strict=True)]
        before = -sum(step for step in steps if step < 0)
        after = sum(step for step in steps if step > 0) + x.itemsize
        fields = x.__sycl_usm_array_interface__
        address, read_only = fields["data"]
        self.owner = x
        self.before = before
        self.read_only = read_only
        self.__sycl_usm_array_interface__ = {
            "shape": (before + after,),
            "typestr": "|u1",
            "data": (address - before, read_only),
            "strides": None,
            "offset": 0,
            "version": 1,
            "syclobj": fields["syclobj"],
        }


@functools.cache
def _shared_array() -> Any:
    tensor: Any = importlib.import_module("dpnp.tensor")

    class SharedArray(tensor.usm_ndarray):
        """An array of dpnp's over the memory of a hither.Array, which it keeps alive."""

        @property
        def sycl_queue(self) -> Any:
            return self.queue_of_hither

    return SharedArray


def usm_ndarray_of(x: Array) -> Any:
    """An array of dpnp's over the memory of `x`, which has elements and is on a SYCL device.

    It is ordered after the work that hither has submitted.
    """
    memory: Any = importlib.import_module("dpctl.memory")
    span = _Span(x)
    made = _shared_array()(
        x.shape,
        dtype=x.dtype,
        strides=tuple(stride // x.itemsize for stride in x.strides),
        buffer=memory.as_usm_memory(span),
        offset=span.before // x.itemsize,
    )
    made.queue_of_hither = x.sycl_queue
    if span.read_only:
        made.flags["W"] = False
    return made
