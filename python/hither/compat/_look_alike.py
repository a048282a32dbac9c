"""Classes with the names of other packages that represent classes of hither."""

from __future__ import annotations

from typing import Any


class LookAlike(type):
    """Metaclass: instances of ``stands_for`` are instances of the class, and calling it makes them.

    ``isinstance(array.queue, dpctl.SyclQueue)`` is therefore true for a queue of hither, and
    ``dpctl.SyclQueue.wait`` exists.
    """

    stands_for: type

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.stands_for)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return subclass is cls or issubclass(subclass, cls.stands_for)

    def __getattr__(cls, name: str) -> Any:
        return getattr(type.__getattribute__(cls, "stands_for"), name)
