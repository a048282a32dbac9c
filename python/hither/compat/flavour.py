"""Where the seeds and later releases of dpctl disagree, and which of them is followed."""

from __future__ import annotations

from typing import Any

FLAVOURS = ("seeds", "dpctl-0.21")

_current = "seeds"


def choose(name: str) -> None:
    """Sets the flavour for the process. Raises ValueError for one that there is not."""
    global _current
    if name not in FLAVOURS:
        raise ValueError(f"flavour={name!r} is none of {', '.join(FLAVOURS)}")
    _current = name


def current() -> str:
    """The flavour in force."""
    return _current


def same_queue(a: Any, b: Any) -> bool:
    """Whether data of both queues may meet: equivalent in the seeds, equal in later dpctl."""
    if _current == "dpctl-0.21":
        return a == b
    return a.equivalent(b)
