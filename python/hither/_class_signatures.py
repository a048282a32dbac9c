"""inspect.signature() for classes of the extension.

Python before 3.11.7 looks at the built-in __new__ of such a class, which has no signature, and not
at its __init__. Later versions find the signature of __init__. Every version looks first at a
__new__ that the extension defines, which has the signature of its first overload, without
parameters.
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
    for kind in vars(_hither).values():
        if not isinstance(kind, type) or type(vars(kind).get("__init__")).__name__ != "nb_method":
            continue
        new = type(vars(kind).get("__new__")).__name__
        if sys.version_info < (3, 11, 7) or new == "nb_func":
            setattr(kind, "__signature__", _Signature())  # noqa: B010 - for mypy
