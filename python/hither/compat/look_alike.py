"""Classes of other packages that stand for classes of hither."""

from __future__ import annotations

from typing import Any


class LookAlike(type):
    """Metaclass: instances of ``stands_for`` are instances of the class, and calling it makes them.

    So ``isinstance(array.queue, dpctl.SyclQueue)`` holds although hither made the queue, and
    ``dpctl.SyclQueue.wait`` is found.
    """

    stands_for: type

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.stands_for)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return subclass is cls or issubclass(subclass, cls.stands_for)

    def __getattr__(cls, name: str) -> Any:
        return getattr(type.__getattribute__(cls, "stands_for"), name)
