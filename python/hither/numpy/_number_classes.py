"""The abstract classes of NumPy's numbers. Their instances are also hither's arrays without
dimensions, because the results of hither's functions are such arrays where NumPy's are numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._hither import Array

CLASSES = (
    "complexfloating floating generic inexact integer number signedinteger unsignedinteger"
).split()

__all__ = [*CLASSES]


class _ClassOfNumbers(type):
    """A class derived from one of NumPy's, with the same subclasses and more instances."""

    def __instancecheck__(cls, instance: Any) -> bool:
        if isinstance(instance, Array):
            return instance.ndim == 0 and issubclass(instance.dtype.type, cls.__mro__[1])
        return isinstance(instance, cls.__mro__[1])

    def __subclasscheck__(cls, subclass: Any) -> bool:
        return issubclass(subclass, cls.__mro__[1])


def _with_arrays(name: str) -> type:
    numpys = getattr(np, name)
    names = {"__module__": "hither.numpy", "__doc__": numpys.__doc__}
    return _ClassOfNumbers(name, (numpys,), names)


globals().update({name: _with_arrays(name) for name in CLASSES})
