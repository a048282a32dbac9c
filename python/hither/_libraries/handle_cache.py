"""A cache of library handles and plans, which are expensive to create."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any

__all__ = ["Kept"]


class Kept(OrderedDict[Hashable, Any]):
    """LRU cache of library handles and plans. `end` releases the least recently used entry."""

    def __init__(self, most: int, end: Callable[[Any], object]) -> None:
        super().__init__()
        self._most = most
        self._end = end

    def get_or_make(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """The entry for ``key``, created by ``make`` if there is none."""
        if key not in self:
            self[key] = make()
            if len(self) > self._most:
                self._end(self.popitem(last=False)[1])
        self.move_to_end(key)
        return self[key]
