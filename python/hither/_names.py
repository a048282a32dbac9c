"""Proposals for misspelt names."""

from __future__ import annotations

import functools
from collections.abc import Iterable

import numpy

__all__ = ["a_type", "did_you_mean", "missing_attribute", "nearest"]

# Names of NumPy and other libraries: hither's.
_ELSEWHERE = {
    "amax": "max", "amin": "min", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin",
    "arcsinh": "asinh", "arctan": "atan", "arctan2": "atan2", "arctanh": "atanh",
    "array": "asarray", "ascontiguousarray": "asarray", "bitwise_not": "bitwise_invert",
    "concatenate": "concat", "conjugate": "conj", "mod": "remainder", "true_divide": "divide",
    "cumprod": "cumulative_prod", "cumsum": "cumulative_sum", "empty_cache": "release_cached",
    "invert": "bitwise_invert", "jit": "kernel", "left_shift": "bitwise_left_shift",
    "ndarray": "Array", "norm": "linalg.vector_norm", "rand": "random.Generator",
    "randn": "random.Generator", "right_shift": "bitwise_right_shift", "solve": "linalg.solve",
    "svd": "linalg.svd", "tensor": "asarray", "to_numpy": "asnumpy", "transpose": "permute_dims",
    "vector_norm": "linalg.vector_norm", "vmap": "vectorize", "as_tensor": "asarray",
    "cat": "concat", "device_put": "asarray", "from_numpy": "asarray",
}  # fmt: skip

# Modules with NumPy's names and the standard's functions.
_OF_NUMPY = ("hither", "hither.fft", "hither.linalg", "hither.random")


def _numpy_has(module: str, name: str) -> bool:
    part = module.partition(".")[2]
    return hasattr(getattr(numpy, part) if part else numpy, name)


def a_type(value: object) -> str:
    """The type of a value, with its article: "a list" or "an int"."""
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeioAEIO' else 'a'} {name}"


def nearest(given: str, names: Iterable[str], at_least: float = 0.65) -> str | None:
    """The name that is most like `given`, or None if the likeness of all is below `at_least`."""
    import difflib  # seldom needed, and slow to import

    found = difflib.get_close_matches(given, list(names), n=1, cutoff=at_least)
    return found[0] if found else None


def did_you_mean(given: str, names: Iterable[str]) -> str:
    """'; did you mean "name"?' for the nearest name, or an empty string."""
    proposed = nearest(given, names)
    return f'; did you mean "{proposed}"?' if proposed else ""


def missing_attribute(module: str, name: str, names: Iterable[str]) -> AttributeError:
    """The error for a module that has no attribute `name`, with a proposal."""
    proposal = _proposal(module, name, frozenset(names))
    text = f"module {module!r} has no attribute {name!r}{proposal}"
    # With an object, Python would append a proposal of its own to tracebacks.
    return AttributeError(text, name=name, obj=None)


@functools.lru_cache(256)  # compilers ask many modules for the same names
def _proposal(module: str, name: str, known: frozenset[str]) -> str:
    elsewhere = _ELSEWHERE.get(name, "") if module == "hither" else ""
    if elsewhere.partition(".")[0] in known:
        return f"; use {module}.{elsewhere}"
    if name.startswith("_"):  # Python and tools ask for many such names
        return ""
    if module not in _OF_NUMPY or not _numpy_has(module, name):
        return did_you_mean(name, known)
    proposal = f"; hither.numpy{module.removeprefix('hither')} has NumPy's functions"
    return proposal + (" (import hither.numpy as np)" if module == "hither" else "")
