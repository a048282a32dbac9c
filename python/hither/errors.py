"""What hither raises and warns about.

Every error is a :class:`Error` and one of Python's own classes: ``except hither.Error`` and
``except ValueError`` both work. Each carries ``where`` (the function or argument), ``message``
(what was wrong and what to do) and ``native_code`` (the back end's own status, 0 without one).
"""

from __future__ import annotations

import builtins
import re
import sys
from typing import Any

import numpy as np

__all__ = [
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
    """Base of every error of hither."""

    def __init__(self, where: str, message: str = "", native_code: int = 0) -> None:
        if not message:
            where, message = "", where
        super().__init__(where, message, native_code)
        self.where = where
        self.message = message
        self.native_code = native_code

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class InvalidValueError(Error, ValueError):
    """An argument has the right type and a wrong value."""


class InvalidTypeError(Error, TypeError):
    """An argument has a wrong type or dtype."""


class OutOfRangeError(Error, IndexError):
    """An index or axis is out of range."""


class ScalarOverflowError(Error, OverflowError):
    """A Python scalar does not fit the dtype that it would take."""


class PlacementError(Error, ValueError):
    """The queue cannot be inferred, or the arguments disagree about it."""


class OutOfMemoryError(Error, MemoryError):
    """Memory of the device or of the host is exhausted."""


class ExchangeError(Error, BufferError):
    """Memory cannot be exchanged in the way that was asked for."""


class DeviceError(Error, RuntimeError):
    """A device, a driver or a queue failed."""


class CompileError(Error, RuntimeError):
    """A kernel was refused or could not be compiled."""


class KernelError(Error, RuntimeError):
    """A kernel reported an error while it ran.

    It is also of the class that the kernel raised, so that ``except IndexError`` works.
    """

    def __new__(cls, where: str, message: str = "", native_code: int = 0) -> KernelError:
        raised = _RAISED.get(native_code) or _class_named_first(message)
        if raised is None or issubclass(cls, raised):
            return super().__new__(cls, where, message, native_code)
        if (cls, raised) not in _combined:
            _combined[cls, raised] = _combine(cls, raised)
        return super().__new__(_combined[cls, raised], where, message, native_code)

    def __reduce__(self) -> tuple[Any, ...]:
        return KernelError, self.args


# What has a code of its own; of all else the message begins with its class.
_RAISED: dict[int, type[Exception]] = {
    1: IndexError, 2: ZeroDivisionError, 3: AssertionError, 4: OverflowError,
}  # fmt: skip


def _class_named_first(message: str) -> type[Exception] | None:
    """As in "ValueError: ..." or "package.module.Class: ..."."""
    name = re.match(r"([\w.]+)(?=[: ]|$)", message)
    if name is None:
        return None
    module, _, path = name[1].rpartition(".")
    found: Any = getattr(sys.modules.get(module), path, None) if module else None
    found = found or getattr(builtins, name[1], None)
    return found if isinstance(found, type) and issubclass(found, Exception) else None


_combined: dict[Any, type[KernelError]] = {}


def _combine(cls: type[KernelError], raised: type[Exception]) -> type[KernelError]:
    try:
        kind = type(f"Kernel{raised.__name__}", (cls, raised), {"__module__": __name__})
        RuntimeError.__new__(kind)
    except TypeError:  # their instances are of different layouts
        return cls
    return kind


class LinAlgError(Error, np.linalg.LinAlgError):
    """A matrix has no such factors: it is singular, not positive definite, or not square.

    NumPy's class of that name, and so a ValueError too.
    """


class UnsupportedError(Error, NotImplementedError):
    """This device or this build cannot do what was asked."""


class InternalError(Error, RuntimeError):
    """hither contradicts itself. This is a defect of hither: please report it."""


class PlacementWarning(UserWarning):
    """A device context has no effect, because the data decide where work runs."""


class PerformanceWarning(UserWarning):
    """What was asked for works, and is slower than it could be."""
