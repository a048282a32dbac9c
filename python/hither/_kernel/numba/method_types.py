"""The types of methods, which Numba shares between the typing contexts of all targets."""

from __future__ import annotations

from contextlib import contextmanager
from inspect import getclosurevars, isfunction

from .numba_adapter import OverloadMethodTemplate, cpu_target


class TypesMethodsHere:
    """A typing context that types calls of methods itself.

    The template of a method types a call in the context that made it first, whichever context asks.
    The call's implementation would then be compiled for the target that asks and kept for the other
    target. So the template gets this context during the call, and Numba's own context afterwards.
    """

    def resolve_function_type(self, function, args, kws):
        with self._owner_of(function):
            return super().resolve_function_type(function, args, kws)

    @contextmanager
    def _owner_of(self, function):
        generic = getattr(getattr(function, "template", None), "generic", None)
        template = getclosurevars(generic).nonlocals.get("self") if isfunction(generic) else None
        if not isinstance(template, OverloadMethodTemplate):
            yield
            return
        calls = self.__dict__.setdefault("_method_calls", [])
        template.context = self
        calls.append(template)
        try:
            yield
        finally:
            calls.pop()
            template.context = self if template in calls else cpu_target.typing_context
