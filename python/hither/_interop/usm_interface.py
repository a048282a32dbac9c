"""Gives classes of other packages ``__sycl_usm_array_interface__``, for use as arrays in USM."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .._hither import UsmView, make_usm_interface
from .._names import a_type
from ..errors import InvalidTypeError

__all__ = ["usm_array_interface", "usm_array_like"]

_NAME = "__sycl_usm_array_interface__"
_Class = TypeVar("_Class", bound=type)


def usm_array_interface(
    pointer: int,
    shape: Any,
    dtype: Any,
    *,
    queue: Any,
    strides: Any = None,
    read_only: bool = False,
) -> dict[str, Any]:
    """The checked dict of ``__sycl_usm_array_interface__`` for USM at an address.

    ``pointer`` is the address of the element at index 0, 0, ... ``strides`` are in elements (None:
    C order). ``queue`` is the queue, context, device or filter string that the memory belongs to.
    Raises InvalidValueError and others with the name of a wrong field, and ExchangeError if the
    memory is not bound to the queue's context. The function does not copy or wait. The object with
    this interface must keep the memory alive, and consumers keep a reference to the object.
    """
    fields = make_usm_interface(pointer, read_only, shape, strides, dtype, queue)
    UsmView(_Shown(fields))
    return fields


class _Shown:
    def __init__(self, fields: dict[str, Any]) -> None:
        self.__sycl_usm_array_interface__ = fields


def usm_array_like(attribute: str) -> Callable[[_Class], _Class]:
    """A decorator that makes a class usable as an array in USM. ``attribute`` holds the data.

    The attribute may be a hither.Array, a hither.Memory or another object with
    ``__sycl_usm_array_interface__``. Instances can be passed, without a copy, to
    ``hither.asarray``, kernels, dpctl and dpnp. Consumers keep the instance alive, so the instance
    keeps every array that it has exported, even if the attribute is assigned another array. ::

        @ht.usm_array_like("samples")
        class Recording:
            def __init__(self, n, queue):
                self.samples = ht.zeros(n, queue=queue)
    """

    def interface(self: Any) -> dict[str, Any]:
        data = getattr(self, attribute)
        where = f"{type(self).__name__}.{attribute}"
        # An AttributeError would mean to hasattr() that there is no interface.
        try:
            fields = getattr(data, _NAME)
        except AttributeError:
            raise InvalidTypeError(
                where, f"is {a_type(data)}, which is not an array in USM"
            ) from None
        try:
            shown = self.__dict__.setdefault("_shown_usm", {})
        except AttributeError:
            raise InvalidTypeError(
                where, "needs a class with __dict__, not only __slots__"
            ) from None
        shown[id(data)] = data
        return fields

    def decorate(cls: _Class) -> _Class:
        setattr(cls, _NAME, property(interface, doc=f"The data of ``{attribute}``."))
        return cls

    return decorate
