"""The draws of random generators in recorded functions.

A run takes all draws of a generator at once, before it begins, so that each draw has the number
that it has in a plain call. The key of a draw is a number of the run.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .._hither import recording_is_refused, refuse_recording

__all__ = [
    "DrawPlace",
    "RecordableDraws",
    "RecordedDraws",
    "has_own_state",
    "note_generator",
    "place_of_draw",
    "refuse_state_of",
]


class RecordableDraws:
    """A random generator whose draws a run makes. Recordings take its object as constant."""


def has_own_state(x: Any) -> bool:
    """Whether x is a generator whose only state is that of its draws. A class of the program that
    is derived from it may have attributes of its own."""
    return isinstance(x, RecordableDraws) and type(x).__module__.startswith("hither.")


class _Current(threading.local):
    draws: RecordedDraws | None = None


_current = _Current()


class DrawPlace(NamedTuple):
    """A draw of a recorded call: the generator, and how many draws of it have been before."""

    draws: RecordedDraws
    generator: int
    before: int

    def number(self, value: complex, parts: tuple[int, ...] | None) -> Any:
        """The number that Reservation.number() gives for this draw at each run."""
        text = f"r.number({self.generator}, {self.before}, {parts})"
        return self.draws.trace.drawn(text, value)


class RecordedDraws:
    """The generators of a recorded call. `known` are those among its arguments and variables."""

    def __init__(self, trace: Any, known: Sequence[Any]) -> None:
        self.trace = trace
        self._known = known
        self._made: list[Any] = []
        self._used: list[Any] = []
        self._first: list[tuple[int, int]] = []
        self.counts: list[int] = []
        self._outer: RecordedDraws | None = None

    def __enter__(self) -> RecordedDraws:
        self._outer, _current.draws = _current.draws, self
        return self

    def __exit__(self, *raised: object) -> None:
        _current.draws = self._outer

    def is_made(self, generator: Any) -> bool:
        """Whether the recorded call has made the generator, so that its draws never change."""
        return any(x is generator for x in self._made)

    def note_made(self, generator: Any) -> None:
        self._made.append(generator)

    def place(self, generator: Any) -> DrawPlace | None:
        """The next draw of the generator. None if it is the same in each run."""
        if not has_own_state(generator):
            refuse_recording("it draws from a generator of a class of the program")
            return None
        if self.is_made(generator):
            return None
        for g, used in enumerate(self._used):
            if used is generator:
                self.counts[g] += 1
                return DrawPlace(self, g, self.counts[g] - 1)
        if not any(x is generator for x in self._known):
            refuse_recording(
                "it draws from a generator that is neither an argument nor found in its scope"
            )
            return None
        self._used.append(generator)
        self._first.append(generator._next)
        self.counts.append(1)
        return DrawPlace(self, len(self._used) - 1, 0)

    def rewind(self) -> None:
        """Gives the generators the states that they had at first."""
        for generator, first in zip(self._used, self._first, strict=True):
            generator._next = first

    def reservation(self) -> Callable[[], Reservation] | None:
        """Takes the draws of a run. None if there are none."""
        if not self._used:
            return None
        generators = tuple(zip(self._used, self.counts, strict=True))
        return lambda: Reservation(generators)


class Reservation:
    """The draws of one run."""

    def __init__(self, generators: tuple[tuple[Any, int], ...]) -> None:
        self._taken = [(g, g._take_draws(count), count) for g, count in generators]

    def number(self, generator: int, before: int, parts: tuple[int, ...] | None) -> complex:
        """The key of a draw, or of a part of it; without `parts` what the draw begins with."""
        source, (seed, first), _ = self._taken[generator]
        return source._number_of_draw(seed, first + before, parts)

    def give_back(self) -> None:
        """The run has not taken place. Draws that another thread has made since remain."""
        for source, first, count in self._taken:
            source._give_back_draws(first, count)


def place_of_draw(generator: Any) -> DrawPlace | None:
    """The place of the generator's next draw in what the thread records, if it does."""
    if recording_is_refused() or _current.draws is None:
        return None
    return _current.draws.place(generator)


def note_generator(generator: Any) -> None:
    """A generator has been made, of a seed that does not change."""
    if not recording_is_refused() and _current.draws is not None:
        _current.draws.note_made(generator)


def refuse_state_of(generator: Any) -> None:
    """The state of a generator is read or changed."""
    draws = _current.draws
    if not recording_is_refused() and (draws is None or not draws.is_made(generator)):
        refuse_recording("it uses the state of a random generator")
