"""SciPy's names, parameters and values for arrays on devices, in modules with SciPy's names.

A module is imported at its first use: ``hither.scipy.sparse``. Calls run on the queue of their
arrays. A name that a module lacks raises AttributeError, which tells SciPy's name.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import ndimage, signal, sparse, special

__all__ = ["ndimage", "signal", "sparse", "special"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return importlib.import_module(f".{name}", __name__)
    from .._libraries.scipy_module import absent_from

    raise absent_from("scipy", __name__, name, __all__)


def __dir__() -> list[str]:
    return sorted(__all__)
