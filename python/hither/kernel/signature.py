"""Explicit signatures: `@hither.kernel("void(f8[:], f8)")`."""

from __future__ import annotations

from collections.abc import Callable

from .explain import KernelRefused
from .numba_adapter import normalize_signature, types


def parse(text: str) -> list:
    """Numba's types of the arguments. Raises TypeError for what is no signature of a kernel."""
    try:
        arguments, result = normalize_signature(text)
    except Exception as error:
        raise TypeError(f"{text!r} is no signature: {error}") from error
    if result not in (None, types.none):
        raise TypeError(f"{text!r}: a kernel returns nothing; write void(...)")
    return list(arguments)


def eager_types(text: str) -> list[tuple[str, int, bool]]:
    """What the core compiles a signature for at once: dtype, rank (-1 for a number), C order.

    `f8[:]` is compiled for contiguous arrays, the common ones; others follow when they come.
    """
    found = []
    for argument in parse(text):
        element = argument.dtype if isinstance(argument, types.Array) else argument
        if not isinstance(element, (types.Number, types.Boolean)):
            raise TypeError(f"{text!r}: signatures have arrays and numbers, not {argument}")
        name = "bool" if isinstance(element, types.Boolean) else str(element)
        found.append((name, getattr(argument, "ndim", -1), True))
    return found


def declared_types(function: Callable, signatures, given: list, typing_context) -> list:
    """The types to compile for: numbers as declared by the first signature that takes what is
    given, which must be one if there are any; arrays as given."""
    if not signatures:
        return given
    for text in signatures:
        declared = parse(text)
        if len(declared) == len(given) and all(
            _takes(*pair, typing_context) for pair in zip(declared, given, strict=True)
        ):
            return [
                g if isinstance(g, types.Array) else d for d, g in zip(declared, given, strict=True)
            ]
    raise KernelRefused(
        f"the arguments are ({', '.join(map(str, given))}), and {function.__name__} is declared "
        f"for {' or '.join(signatures)} only"
    )


def _takes(declared, given, typing_context) -> bool:
    if isinstance(declared, types.Array) and isinstance(given, types.Array):
        fits = declared.dtype == given.dtype and declared.ndim == given.ndim
        return fits and declared.layout in ("A", given.layout)
    if isinstance(declared, types.Array) or isinstance(given, types.Array):
        return False
    if isinstance(given, types.Float) and isinstance(declared, types.Integer):
        return False  # Numba would cut the fraction off
    return typing_context.can_convert(given, declared) is not None
