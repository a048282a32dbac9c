"""DPArray, a numpy.ndarray in shared USM."""

from __future__ import annotations

from typing import Any

import numpy as np

import hither
from hither import _hither

__all__ = ["DPArray", "adopt", "as_ndarray", "from_ndarray"]

_INTERFACE = "__sycl_usm_array_interface__"
# The dtypes of hither's arrays, in native byte order.
_EXCHANGED = frozenset(np.dtype(code) for code in "?bhilqBHILQefdFD")
_MAX_DIMENSIONS = 32


def adopt(result: Any, like: Any = None) -> Any:
    """A result of NumPy, with DPArrays in place of arrays in USM.

    Items of tuples and lists are converted too. Scalars, arrays of other classes and views of plain
    host memory are unchanged. Arrays of Python objects become plain arrays in host memory.
    """
    if isinstance(result, DPArray):
        if result.dtype.hasobject:
            return np.array(result, subok=False)
        return _hither.adopt(result, type(result), None)
    if type(result) is np.ndarray:
        return _hither.adopt(result, DPArray if like is None else type(like), like)
    if isinstance(result, tuple):
        items = [adopt(item, like) for item in result]
        return type(result)(*items) if hasattr(result, "_fields") else tuple(items)
    if type(result) is list:
        return [adopt(item, like) for item in result]
    return result


def _plain(value: Any) -> Any:
    return value.view(np.ndarray) if isinstance(value, DPArray) else value


class DPArray(np.ndarray):
    """A numpy.ndarray in shared USM, which host code and devices can access.

    The functions of :mod:`hither.dparray` create it. ``DPArray(shape, dtype)`` corresponds to
    ``numpy.ndarray(shape, dtype)``, on ``queue`` (default: the device context's, else the default
    device's). Operations are NumPy's and run on the host. Their results are DPArrays on the queue
    of the first operand. Kernels and hither's array functions use a DPArray without a copy, by
    ``__sycl_usm_array_interface__``.

    Views keep the memory alive. A view of plain host memory (``x.view(DPArray)``) is a DPArray
    that is not in USM: its ``queue`` is None, and it has no interface. USM cannot hold Python
    objects: dtype=object raises TypeError.
    """

    def __new__(
        cls, shape: Any, dtype: Any = float, *args: Any, queue: Any = None, **kwargs: Any
    ) -> DPArray:
        if np.dtype(dtype).hasobject:
            raise TypeError(
                f"dtype={np.dtype(dtype)!r} has Python objects, which cannot be in USM; use "
                "numpy.ndarray"
            )
        target = None if queue is None else hither.default_queue(queue)
        return _hither.call_in_usm(target, np.ndarray.__new__, (cls, shape, dtype, *args), kwargs)

    def __array_finalize__(self, like: Any) -> None:
        if self.base is None:
            _hither.move_to_usm(self, like)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        out = kwargs.get("out")
        if out is not None:
            kwargs["out"] = tuple([_plain(x) for x in out])
        if "where" in kwargs:
            kwargs["where"] = _plain(kwargs["where"])
        plain = [_plain(x) for x in inputs]
        result = _hither.call_in_usm(self, super().__array_ufunc__, (ufunc, method, *plain), kwargs)
        if result is NotImplemented or result is None:
            return result
        if out is None:
            return adopt(result, self)
        if not isinstance(result, tuple):
            return result if out[0] is None else out[0]
        pairs = zip(result, out, strict=True)
        return tuple([adopt(r, self) if given is None else given for r, given in pairs])

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        result = _hither.call_in_usm(
            self, super().__array_function__, (function, types, args, kwargs), {}
        )
        return result if result is kwargs.get("out") else adopt(result, self)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        if return_scalar and array.ndim == 0:
            return array[()]
        return adopt(array, self)

    __getitem__: Any = _hither.numpy_getitem

    def as_ndarray(self) -> np.ndarray:
        """The same memory as a plain numpy.ndarray."""
        return self.view(np.ndarray)

    @property
    def queue(self) -> Any:
        """The queue of the USM allocation, or None for a view of plain host memory."""
        return _hither.queue_of_numpy_array(self)

    sycl_queue = queue

    @property
    def usm_type(self) -> str | None:
        """ "shared"; None for a view of plain host memory."""
        queue = self.queue
        if queue is None:
            return None
        info = _hither.pointer_info(self.ctypes.data, queue.context)
        return info.usm_type if info else "shared"  # an empty view may point past the allocation

    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]:
        queue = self.queue
        if queue is None:
            raise AttributeError(f"{_INTERFACE}: the array views plain host memory")
        if self.dtype not in _EXCHANGED:
            raise AttributeError(f"{_INTERFACE}: dtype {self.dtype} is not supported")
        if self.ndim > _MAX_DIMENSIONS:
            raise AttributeError(f"{_INTERFACE}: {self.ndim} dimensions are over {_MAX_DIMENSIONS}")
        item = self.itemsize
        if any(stride % item for stride in self.strides):
            raise AttributeError(
                f"{_INTERFACE}: strides {self.strides} are not multiples of {item}"
            )
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.__array_interface__["data"][0], not self.flags.writeable),
            "strides": None
            if self.flags.c_contiguous
            else tuple([stride // item for stride in self.strides]),
            "offset": 0,
            "version": 1,
            "syclobj": queue,
        }


def _in_usm(name: str) -> Any:
    """A method of ndarray that allocates its results in USM."""
    method = getattr(np.ndarray, name)

    def call(self: DPArray, *args: Any, **kwargs: Any) -> Any:
        return adopt(_hither.call_in_usm(self, method, (self, *args), kwargs), self)

    call.__name__, call.__doc__ = name, method.__doc__
    call.__qualname__ = f"DPArray.{name}"
    return call


DPArray.__module__ = "hither.dparray"
_hither.set_dparray_type(DPArray)

# Methods that allocate and are not ufuncs. Without the wrapper, results would be allocated in host
# memory and copied (__array_finalize__), or would be plain arrays.
for _name in (
    "__copy__ __deepcopy__ __setstate__ astype byteswap choose compress copy diagonal dot flatten "
    "nonzero ravel repeat reshape searchsorted take argsort argpartition"
).split():
    setattr(DPArray, _name, _in_usm(_name))


def _on_plain(name: str) -> Any:
    """A method of ndarray that calls several ufuncs, run on the plain array.

    NumPy passes out=... between them without calling __array_ufunc__.
    """
    method = getattr(np.ndarray, name)

    def call(self: DPArray, *args: Any, **kwargs: Any) -> Any:
        return adopt(_hither.call_in_usm(self, method, (_plain(self), *args), kwargs), self)

    call.__name__, call.__doc__ = name, method.__doc__
    call.__qualname__ = f"DPArray.{name}"
    return call


for _name in ("mean", "std", "var"):
    setattr(DPArray, _name, _on_plain(_name))


def as_ndarray(array: np.ndarray) -> np.ndarray:
    """A plain numpy.ndarray over the same memory. A numpy.ndarray is returned unchanged."""
    return np.asarray(array)


def from_ndarray(array: Any, queue: Any = None) -> DPArray:
    """A DPArray with a copy of the values, in the same memory order.

    ``queue`` is a queue, device or filter string. The default is the device context's queue, else
    the default device's. Raises TypeError for arrays of Python objects.
    """
    plain = np.asarray(array)
    if plain.dtype.hasobject:
        raise TypeError(
            f"array has dtype {plain.dtype!r}: Python objects cannot be in USM; convert it by "
            "astype, or use the numpy.ndarray"
        )
    target = None if queue is None else hither.default_queue(queue)
    return adopt(_hither.call_in_usm(target, np.array, (plain,), {"order": "K"}))
