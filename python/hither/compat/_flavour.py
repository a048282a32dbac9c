"""The choice between the behaviour of the seeds and that of later dpctl releases."""

from __future__ import annotations

from typing import Any

FLAVOURS = ("seeds", "dpctl-0.21")

_current = "seeds"


def choose(name: str) -> None:
    """Sets the flavour for the process. Raises ValueError for an unknown one."""
    global _current
    if name not in FLAVOURS:
        raise ValueError(f"flavour={name!r} is none of {', '.join(FLAVOURS)}")
    _current = name


def current() -> str:
    """The current flavour."""
    return _current


def same_queue(a: Any, b: Any) -> bool:
    """Whether an operation may mix data of both queues. They must be equivalent in the seeds, and
    equal in later dpctl."""
    if _current == "dpctl-0.21":
        return a == b
    return a.equivalent(b)
