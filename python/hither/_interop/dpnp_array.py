"""dpnp arrays over the memory of hither's arrays on SYCL devices.

dpnp.asarray(x) avoids a copy only if x has `__usm_ndarray__`, a dpnp array whose queue is the
object `x.sycl_queue`. Both attributes exist while dpnp and dpctl are imported.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

from .._array.manipulation import byte_strides, element_strides
from .._hither import Array


class _Span:
    """The bytes from the lowest to the highest address of an array's elements."""

    def __init__(self, x: Array) -> None:
        steps = [(n - 1) * stride for n, stride in zip(x.shape, byte_strides(x), strict=True)]
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
        """A dpnp array over the memory of a hither.Array, which it keeps alive."""

        @property
        def sycl_queue(self) -> Any:
            return self.queue_of_hither

    return SharedArray


def usm_ndarray_of(x: Array) -> Any:
    """A dpnp array over the memory of `x`, which must not be empty and is on a SYCL device.

    Its work is ordered after the work that hither has submitted.
    """
    memory: Any = importlib.import_module("dpctl.memory")
    span = _Span(x)
    made = _shared_array()(
        x.shape,
        dtype=x.dtype,
        strides=element_strides(x),
        buffer=memory.as_usm_memory(span),
        offset=span.before // x.itemsize,
    )
    made.queue_of_hither = x.sycl_queue
    if span.read_only:
        made.flags["W"] = False
    return made
