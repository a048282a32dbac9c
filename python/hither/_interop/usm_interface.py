"""Classes of other authors as arrays in USM: they get ``__sycl_usm_array_interface__``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .._hither import UsmView, make_usm_interface
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
    """The dict of ``__sycl_usm_array_interface__`` for USM at an address, checked.

    ``pointer`` is the address of the element at index 0, 0, ..., ``strides`` count elements (None:
    C order), ``queue`` is the queue, context, device or filter string that the memory belongs to.
    InvalidValueError and others name the field that is wrong; ExchangeError says that the memory
    is not bound to the queue's context. Nothing is copied or waited for. The object that shows the
    dict has to keep the memory alive: who takes it keeps that object.
    """
    fields = make_usm_interface(pointer, read_only, shape, strides, dtype, queue)
    UsmView(_Shown(fields))
    return fields


class _Shown:
    def __init__(self, fields: dict[str, Any]) -> None:
        self.__sycl_usm_array_interface__ = fields


def usm_array_like(attribute: str) -> Callable[[_Class], _Class]:
    """Makes a class usable as an array in USM: a decorator that names the attribute with the data.

    The attribute may be a hither.Array, a hither.Memory or anything else that has
    ``__sycl_usm_array_interface__``. Instances then go wherever such arrays go, in place: into
    ``hither.asarray``, kernels, dpctl and dpnp. Who takes the memory keeps the instance alive; so
    the instance keeps what it has shown, also when the attribute has become another array since. ::

        @ht.usm_array_like("samples")
        class Recording:
            def __init__(self, n, queue):
                self.samples = ht.zeros(n, queue=queue)
    """

    def interface(self: Any) -> dict[str, Any]:
        data = getattr(self, attribute)
        where = f"{type(self).__name__}.{attribute}"
        # Not as an AttributeError: who asks whether there is an interface would hear no.
        try:
            fields = getattr(data, _NAME)
        except AttributeError:
            raise InvalidTypeError(
                where, f"is a {type(data).__name__}, which is no array in USM"
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
