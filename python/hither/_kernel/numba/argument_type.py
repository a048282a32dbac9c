"""Types of the arguments of a call, as the core describes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ArgumentType:
    """A scalar of `dtype`, or an array if `rank` is not negative.

    `record` is the NumPy dtype of a record. The core passes the fields of this class as a tuple. It
    passes a tuple argument as a list: the class of a named tuple or None, then the items.
    """

    dtype: str
    rank: int = -1
    layout: str = "C"
    readonly: bool = False
    aligned: bool = True
    local: bool = False
    record: Any = None
