"""What a function can change besides the elements of arrays."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from .._hither import Array
from .draws import has_own_state
from .traced_number import DEEPEST, LARGEST

_UNSET = object()


def _attributes_of(x: Any) -> dict[str, Any] | None:
    if callable(x) or isinstance(x, (types.ModuleType, set, frozenset)) or has_own_state(x):
        return None
    attributes = getattr(x, "__dict__", None)
    return attributes if type(attributes) is dict else None


def _containers(x: Any, known: set[int], depth: int = 0) -> Iterator[Any]:
    """The lists and dicts in x, and the dicts of the attributes of the objects in it."""
    container = x if type(x) in (list, dict) else _attributes_of(x)
    parts = x if isinstance(x, tuple) else container
    if parts is None or depth > DEEPEST or len(parts) > LARGEST or id(parts) in known:
        return
    known.add(id(parts))
    if container is not None:
        yield container
    for part in tuple(parts.values() if isinstance(parts, dict) else parts):
        yield from _containers(part, known, depth + 1)


def _is_replaced(now: Any, before: Any) -> bool:
    # Recorder sees which arrays have been exchanged.
    return now is not before and not (type(now) is Array and type(before) is Array)


class Snapshot:
    """The values of the variables that a function reads, of the lists, dicts and attributes in
    these and in its arguments, and the state of Python's and NumPy's random numbers. `variables`
    are those of `Scope`."""

    def __init__(self, arguments: Any, variables: list[tuple[Any, str | None]]) -> None:
        self._roots = arguments, variables
        self._random = _random_state()
        self._variables = [(*each, _value_of(*each)) for each in variables]
        known: set[int] = set()
        in_variables = _containers(tuple(value for _, _, value in self._variables), known)
        self._of_variables = [(x, x.copy()) for x in in_variables]
        self._of_arguments = [(x, x.copy()) for x in _containers(arguments, known)]

    def now(self) -> Snapshot:
        return Snapshot(*self._roots)

    def random_numbers_drawn(self) -> bool:
        return self._random != _random_state()

    def variables_changed(self) -> bool:
        """Whether a variable, or an item or attribute in it, has been replaced or deleted since.
        New items, as those of a log or a cache, do not count."""
        if any(_is_replaced(_value_of(*each), value) for *each, value in self._variables):
            return True
        for now, before in self._of_variables:
            if len(now) < len(before):
                return True
            keys = before if isinstance(before, dict) else range(len(before))
            if any(
                _is_replaced(now.get(k, _UNSET) if isinstance(now, dict) else now[k], before[k])
                for k in keys
            ):
                return True
        return False

    def restore(self) -> None:
        """Undoes all changes since."""
        for holder, key, value in self._variables:
            if _value_of(holder, key) is not value:
                _set(holder, key, value)
        for now, before in self._of_variables + self._of_arguments:
            if isinstance(now, dict):
                for key in now.keys() - before.keys():
                    del now[key]
                now.update(before)
            elif [*map(id, now)] != [*map(id, before)]:
                now[:] = before

    def replace(self, function: Callable[[Any], Any]) -> None:
        """Replaces each variable, item and attribute x by function(x)."""
        for holder, key, value in self._variables:
            if (new := function(value)) is not value:
                _set(holder, key, new)
        for now, before in self._of_variables + self._of_arguments:
            for place, part in before.items() if isinstance(before, dict) else enumerate(before):
                if (new := function(part)) is not part:
                    now[place] = new


def _random_state() -> tuple[Any, ...]:
    python, numpy = sys.modules.get("random"), sys.modules.get("numpy.random")
    state = numpy.get_state() if numpy else ()
    parts = (part.tobytes() if hasattr(part, "tobytes") else part for part in state)
    return (python and python.getstate(), *parts)


def _value_of(holder: Any, key: str | None) -> Any:
    if isinstance(holder, dict):
        return holder.get(key, _UNSET)
    return getattr(holder, "cell_contents" if key is None else key, _UNSET)


def _set(holder: Any, key: str | None, value: Any) -> None:
    name = "cell_contents" if key is None else key
    if isinstance(holder, type):
        holder = next((c for c in holder.__mro__ if name in vars(c)), holder)
    if isinstance(holder, dict):
        if value is _UNSET:
            del holder[key]
        else:
            holder[key] = value
    elif value is _UNSET:
        delattr(holder, name)
    else:
        setattr(holder, name, value)
