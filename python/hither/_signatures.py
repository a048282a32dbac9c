"""inspect.signature() for the functions and methods of the extension.

Python reads the signature of a built-in function from its text, which nanobind's functions do not
have. They have the text of a stub instead.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

__all__ = ["signature", "without_self"]


def signature(function: Any) -> inspect.Signature:
    """The attribute `__signature__` of a function of nanobind (src/python/interpreter/
    function_type.cpp). Of several signatures it is that with `*args`, or the first. A method of an
    object has the signature without `self`."""
    if type(function).__name__ == "nb_bound_method":
        return without_self(function.__func__)
    overloads = function.__nb_signature__
    text, _, *more = next((o for o in overloads if "*args" in o[0]), overloads[0])
    text = re.sub(r"\\(\d+)", r"defaults[\1]", text)  # the text has their numbers
    code = compile(f"{text}: ...", "<signature>", "exec", annotations.compiler_flag)
    names: dict[str, Any] = {"defaults": more[0] if more else ()}
    exec(code, names)
    return inspect.signature(names[function.__name__])


def without_self(method: Any) -> inspect.Signature:
    """The signature of a method, as callers of an object's method or of a class see it."""
    unbound = signature(method)
    return unbound.replace(parameters=list(unbound.parameters.values())[1:])
