"""Converts arrays that an offloaded function allocates and returns to dparrays.

Numba allocates them in shared USM of the context's queue (see launch/function_memory.h) and boxes
them as plain arrays. They become dparrays over the same memory if an argument is a dparray, the
function's globals contain hither.dparray, or the context asks for it.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .. import _hither

_DPARRAY = "hither.dparray"


class _Memory:
    """The owner of a dparray's memory: the array that Numba boxed, with a USM interface."""

    def __init__(self, array: np.ndarray, queue: Any) -> None:
        self._array = array
        self.__array_interface__ = array.__array_interface__
        self.__sycl_usm_array_interface__ = {
            "shape": (0,),  # the interface only provides the queue; DPArray has the elements
            "typestr": "|u1",
            "data": (array.__array_interface__["data"][0], False),
            "strides": None,
            "version": 1,
            "syclobj": queue,
        }


def adopt_results(result: Any) -> Any:
    """The result of a function, with dparrays in place of plain arrays in USM."""
    context = _hither.innermost_device_context()
    return result if context is None else _adopt(result, context.queue)


def _adopt(result: Any, queue: Any) -> Any:
    if type(result) is np.ndarray:
        return _dparray(result, queue)
    if isinstance(result, tuple):
        items = [_adopt(item, queue) for item in result]
        return type(result)(*items) if hasattr(result, "_fields") else tuple(items)
    if type(result) is list:
        return [_adopt(item, queue) for item in result]
    return result


def _dparray(array: np.ndarray, queue: Any) -> np.ndarray:
    """A dparray view of an array in shared USM. Other arrays are returned unchanged."""
    info = _hither.pointer_info(array.__array_interface__["data"][0], queue.context)
    if info is None or info.usm_type != "shared" or array.dtype.hasobject:
        return array
    from ..dparray import DPArray

    return np.asarray(_Memory(array, queue)).view(DPArray)


def names_dparray(function: Any) -> bool:
    """Whether a global or closure variable of a function is the module hither.dparray."""
    module = sys.modules.get(_DPARRAY)
    if module is None:
        return False
    closed = [cell.cell_contents for cell in function.__closure__ or () if _is_set(cell)]
    return any(value is module for value in (*function.__globals__.values(), *closed))


def _is_set(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - it raises where nothing is bound
    except ValueError:
        return False
    return True
