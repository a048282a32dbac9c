"""inspect.signature() of the functions of the extension.

nanobind describes them in `__nb_signature__`, which inspect does not know, and its types refuse new
attributes. Each binding library has such types of its own (NB_DOMAIN), so that the property that is
added here reaches hither's functions only.
"""

from __future__ import annotations

import ast
import gc
import re
from typing import Any

__all__: list[str] = []


def signature_of(function: Any) -> Any:
    """The inspect.Signature of the first overload, without annotations."""
    import inspect

    text, _, defaults = function.__nb_signature__[0]
    called = re.sub(r"\\(\d+)", r"\1", text) + ": ..."
    parameters = ast.parse(called).body[0].args  # type: ignore[attr-defined]
    kinds = inspect.Parameter
    slots = [*parameters.posonlyargs, *parameters.args]
    places = [None] * (len(slots) - len(parameters.defaults)) + parameters.defaults
    found: list[tuple[str, Any, Any]] = [
        (a.arg, kinds.POSITIONAL_ONLY if i < len(parameters.posonlyargs) else
         kinds.POSITIONAL_OR_KEYWORD, place)
        for i, (a, place) in enumerate(zip(slots, places, strict=True))
    ]  # fmt: skip
    if parameters.vararg is not None:
        found.append((parameters.vararg.arg, kinds.VAR_POSITIONAL, None))
    named = zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
    found += [(a.arg, kinds.KEYWORD_ONLY, place) for a, place in named]
    if parameters.kwarg is not None:
        found.append((parameters.kwarg.arg, kinds.VAR_KEYWORD, None))
    return inspect.Signature([
        kinds(name, kind, default=kinds.empty if place is None else defaults[place.value])
        for name, kind, place in found
    ])  # fmt: skip


def show_signatures(*functions: Any) -> None:
    """Gives the types of these functions the attribute that inspect.signature() reads."""
    for kind in {type(function) for function in functions}:
        (attributes,) = gc.get_referents(kind.__dict__)
        attributes["__signature__"] = property(signature_of)
