"""Explicit signatures: `@hither.kernel("void(f8[:], f8)")`."""

from __future__ import annotations

from collections.abc import Callable

from .numba_adapter import normalize_signature, types
from .refused import KernelRefused


def text_of(given) -> str:
    """The text of a signature given as an object: Numba's `void(float64[:])`, or a tuple of
    types."""
    try:
        arguments, result = normalize_signature(given)
    except Exception:
        raise TypeError(
            f'{given!r} is not a signature: write "void(f8[:], f8)", or use Numba\'s types'
        ) from None
    inside = ", ".join(map(_type_text, arguments))
    return f"({inside},)" if result is None else f"{_type_text(result)}({inside})"


def _type_text(numba_type) -> str:
    if isinstance(numba_type, types.Array):
        axes = [":"] * numba_type.ndim
        if numba_type.layout in "CF":
            axes[-1 if numba_type.layout == "C" else 0] = "::1"
        return f"{_type_text(numba_type.dtype)}[{', '.join(axes)}]"
    if isinstance(numba_type, types.Boolean):
        return "boolean"
    if isinstance(numba_type, (types.Number, types.NoneType)):
        return str(numba_type)
    raise TypeError(f"signatures have arrays and numbers, not {numba_type}")


def parse(text: str) -> list:
    """Numba's types of the arguments. Raises TypeError if it is not a signature of a kernel."""
    try:
        arguments, result = normalize_signature(text)
    except Exception as error:
        raise TypeError(f"{text!r} is not a signature: {error}") from error
    if result not in (None, types.none):
        raise TypeError(f"{text!r}: a kernel returns nothing; write void(...)")
    return list(arguments)


def eager_types(text: str) -> list[tuple[str, int, bool]]:
    """The argument types that a signature is compiled for at the decoration: dtype, rank (-1 for a
    number), and whether it is in C order.

    `f8[:]` is compiled for contiguous arrays, the most common ones, and for others at their first
    call. The core distinguishes only C order and other orders, so `f8[::1, :]` takes all strided
    arrays.
    """
    found = []
    for argument in parse(text):
        element = argument.dtype if isinstance(argument, types.Array) else argument
        if not isinstance(element, (types.Number, types.Boolean)):
            raise TypeError(f"{text!r}: signatures have arrays and numbers, not {argument}")
        name = "bool" if isinstance(element, types.Boolean) else str(element)
        in_c_order = getattr(argument, "layout", "C") != "F"
        found.append((name, getattr(argument, "ndim", -1), in_c_order))
    return found


def declared_types(function: Callable, signatures, given: list, typing_context) -> list:
    """The types to compile for. The types of numbers come from the first signature that accepts the
    given types, those of arrays are the given ones. Raises KernelRefused if there are signatures
    and none accepts them."""
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
        return fits and declared.layout in ("AC" if given.layout == "C" else "AF")
    if isinstance(declared, types.Array) or isinstance(given, types.Array):
        return False
    if isinstance(given, types.Float) and isinstance(declared, types.Integer):
        return False  # Numba would truncate the fraction
    return typing_context.can_convert(given, declared) is not None
