"""The errors and warnings of hither.

Every error is a :class:`Error` and an instance of a built-in class: ``except hither.Error`` and
``except ValueError`` both work. Each has ``where`` (the function or argument), ``message`` (the
problem and a remedy) and ``native_code`` (the back end's status, or 0).
"""

from __future__ import annotations

import builtins
import re
import sys
from typing import Any

import numpy as np

__all__ = [
    "AxisError",
    "CompileError",
    "DeviceError",
    "Error",
    "ExchangeError",
    "InternalError",
    "InvalidTypeError",
    "InvalidValueError",
    "KernelError",
    "LinAlgError",
    "OutOfMemoryError",
    "OutOfRangeError",
    "PerformanceWarning",
    "PlacementError",
    "PlacementWarning",
    "ScalarOverflowError",
    "UnsupportedError",
]


class Error(Exception):
    """Base class of hither's errors."""

    def __init__(self, where: str = "", message: str = "", native_code: int = 0) -> None:
        if not message:
            where, message = "", where
        super().__init__(where, message, native_code)
        self.where = where
        self.message = message
        self.native_code = native_code

    def __reduce__(self) -> tuple[Any, ...]:
        # Dask and other tools restore exceptions without it by __new__() without arguments, which
        # classes that are also MemoryError and so on do not have.
        return type(self), self.args, self.__dict__

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class InvalidValueError(Error, ValueError):
    """An argument has the right type and a wrong value."""


class InvalidTypeError(Error, TypeError):
    """An argument has a wrong type or dtype."""


class OutOfRangeError(Error, IndexError):
    """An index or axis is out of range."""


class AxisError(OutOfRangeError, np.exceptions.AxisError):
    """An axis is out of range. It is an AxisError of NumPy, and so a ValueError, too."""

    axis = ndim = None


class ScalarOverflowError(Error, OverflowError):
    """A Python scalar is out of range for the dtype that it would be converted to."""


class PlacementError(Error, ValueError):
    """The queue cannot be inferred, or the arguments disagree about it."""


class OutOfMemoryError(Error, MemoryError):
    """Memory of the device or of the host is exhausted."""


class ExchangeError(Error, BufferError):
    """Memory cannot be exchanged in the requested way."""


class DeviceError(Error, RuntimeError):
    """A device, a driver or a queue failed."""


class CompileError(Error, RuntimeError):
    """A kernel was refused or could not be compiled."""


class KernelError(Error, RuntimeError):
    """A kernel reported an error while it ran.

    It is also an instance of the class that the kernel raised, so that ``except IndexError`` works.
    """

    def __new__(cls, where: str, message: str = "", native_code: int = 0) -> KernelError:
        raised = _RAISED.get(native_code) or _class_named_first(message)
        if raised is None or issubclass(cls, raised):
            return super().__new__(cls, where, message, native_code)
        if (cls, raised) not in _combined:
            _combined[cls, raised] = _combine(cls, raised)
        return super().__new__(_combined[cls, raised], where, message, native_code)

    def __reduce__(self) -> tuple[Any, ...]:
        return KernelError, self.args, self.__dict__


# Exceptions with a code. For others, the message begins with the name of the class.
_RAISED: dict[int, type[BaseException]] = {
    1: IndexError, 2: ZeroDivisionError, 3: AssertionError, 4: OverflowError, 7: KeyboardInterrupt,
}  # fmt: skip


def _class_named_first(message: str) -> type[Exception] | None:
    """The class whose name a message begins with: "ValueError: ..." or "package.Class: ..."."""
    name = re.match(r"([\w.]+)(?=[: ]|$)", message)
    if name is None:
        return None
    module, _, path = name[1].rpartition(".")
    found: Any = getattr(sys.modules.get(module), path, None) if module else None
    found = found or getattr(builtins, name[1], None)
    return found if isinstance(found, type) and issubclass(found, Exception) else None


_combined: dict[Any, type[KernelError]] = {}


def _combine(cls: type[KernelError], raised: type[BaseException]) -> type[KernelError]:
    try:
        kind = type(f"Kernel{raised.__name__}", (cls, raised), {"__module__": __name__})
        RuntimeError.__new__(kind)
    except TypeError:  # the classes have incompatible instance layouts
        return cls
    return kind


class LinAlgError(Error, np.linalg.LinAlgError):
    """A matrix does not have the requested factorization: it is singular, not positive definite, or
    not square.

    It is also NumPy's LinAlgError, and so a ValueError.
    """


class UnsupportedError(Error, NotImplementedError):
    """This device or this build does not support the operation."""


class InternalError(Error, RuntimeError):
    """An internal check of hither failed. This is a defect of hither: please report it to the
    project's maintainers, with the program and what ``hither info`` prints."""


class PlacementWarning(UserWarning):
    """A device context has no effect, because the data determine the queue."""


class PerformanceWarning(UserWarning):
    """An operation works, but is slower than it could be."""
