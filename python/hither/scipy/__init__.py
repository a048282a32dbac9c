"""SciPy's functions for arrays on devices, in modules with SciPy's names.

A module is imported at its first use. Names that hither does not have raise AttributeError.
"""

from __future__ import annotations

import importlib
from typing import Any

from .._names import missing_attribute

_MODULES = ("ndimage", "signal")

__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise missing_attribute(__name__, name, _MODULES)
    return importlib.import_module(f".{name}", __name__)


def __dir__() -> list[str]:
    return [*__all__]
