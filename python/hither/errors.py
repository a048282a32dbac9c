"""What hither raises and warns about.

Every error is a :class:`Error` and one of Python's own classes: ``except hither.Error`` and
``except ValueError`` both work. Each carries ``where`` (the function or argument), ``message``
(what was wrong and what to do) and ``native_code`` (the back end's own status, 0 without one).
"""

from __future__ import annotations

import numpy as np

__all__ = [
    "CompileError",
    "DeviceError",
    "Error",
    "ExchangeError",
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
    """A kernel reported an error while it ran."""


class LinAlgError(Error, np.linalg.LinAlgError):
    """A matrix has no such factors: it is singular, not positive definite, or not square.

    NumPy's class of that name, and so a ValueError too.
    """


class UnsupportedError(Error, NotImplementedError):
    """This device or this build cannot do what was asked."""


class PlacementWarning(UserWarning):
    """A device context has no effect, because the data decide where work runs."""


class PerformanceWarning(UserWarning):
    """What was asked for works, and is slower than it could be."""
