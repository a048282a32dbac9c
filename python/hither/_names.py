"""Proposals for misspelt names."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["did_you_mean", "nearest"]


def nearest(given: str, names: Iterable[str], at_least: float = 0.65) -> str | None:
    """The name that is most like `given`, or None if the likeness of all is below `at_least`."""
    import difflib  # seldom needed, and slow to import

    found = difflib.get_close_matches(given, list(names), n=1, cutoff=at_least)
    return found[0] if found else None


def did_you_mean(given: str, names: Iterable[str]) -> str:
    """'; did you mean "name"?' for the nearest name, or an empty string."""
    proposed = nearest(given, names)
    return f'; did you mean "{proposed}"?' if proposed else ""
