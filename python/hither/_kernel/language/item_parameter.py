"""Recognises kernels whose first parameter is the work-item."""

from __future__ import annotations

import dis
import functools
import inspect
from collections.abc import Callable

# Attribute of a kernel's function: the number of dimensions of its ranges, for item.dimensions.
DIMENSIONS = "__hither_dimensions__"


@functools.cache
def _methods() -> dict[type, set[str]]:
    from .work_item import Group, Item, NdItem  # imported only for kernels that may need them

    kinds = (Item, NdItem, Group)
    return {kind: {n for n in vars(kind) if not n.startswith("_")} for kind in kinds}


def item_parameter(function: Callable) -> type | None:
    """Item, NdItem or Group if the first parameter is one, else None.

    The annotation determines the class. Without one, or if the annotated class lacks a method that
    the function calls, the called methods determine it.
    """
    parameters = list(inspect.signature(function).parameters.values())
    if not parameters:
        return None
    said = parameters[0].annotation
    called = _attributes_of(function, parameters[0].name)
    if said is inspect.Parameter.empty and not called:
        return None
    kinds = _methods()
    if isinstance(said, str):
        name = said.rpartition(".")[2]
        said = next((kind for kind in kinds if kind.__name__ == name), None)
    if said not in (*kinds, inspect.Parameter.empty):
        return None
    fitting = [kind for kind, methods in kinds.items() if called and called <= methods]
    if said in kinds:
        return said if not fitting or said in fitting else fitting[0]
    return fitting[0] if fitting else None


def _attributes_of(function: Callable, parameter: str) -> set[str]:
    """The attributes of the parameter that the function uses."""
    names, loaded = set(), False
    for instruction in dis.get_instructions(function):
        if loaded and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            names.add(instruction.argval)
        loads = instruction.opname.startswith(("LOAD_FAST", "LOAD_DEREF"))
        argument = instruction.argval
        last = argument[-1] if isinstance(argument, tuple) and argument else argument
        loaded = loads and last == parameter
    return names
