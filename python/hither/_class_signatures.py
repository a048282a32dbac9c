"""inspect.signature() for classes of the extension, on Python before 3.11.7.

These versions look at the built-in __new__ of such a class, which has no signature, and not at its
__init__. Later ones find the signature of __init__.
"""

from __future__ import annotations

import sys
from typing import Any

from . import _hither

__all__ = ["install"]


class _Signature:
    """The attribute __signature__ of a class, as long as __init__ is the extension's."""

    def __get__(self, made: Any, owner: type) -> Any:
        from ._signatures import without_self

        init = vars(owner).get("__init__")
        if type(init).__name__ != "nb_method":
            raise AttributeError("__signature__")
        return without_self(init)


def install() -> None:
    if sys.version_info >= (3, 11, 7):
        return
    for kind in vars(_hither).values():
        if isinstance(kind, type) and type(vars(kind).get("__init__")).__name__ == "nb_method":
            setattr(kind, "__signature__", _Signature())  # noqa: B010 - for mypy
