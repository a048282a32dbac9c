"""Explicit signatures: `@hither.kernel("void(f8[:], f8)")`."""

from __future__ import annotations

from collections.abc import Callable

from .explain import KernelRefused
from .numba_adapter import normalize_signature, types


def text_of(given) -> str:
    """A signature that is not text: Numba's `void(float64[:])`, or a tuple of its types."""
    try:
        arguments, result = normalize_signature(given)
    except Exception:
        raise TypeError(
            f'{given!r} is no signature: write "void(f8[:], f8)", or use Numba\'s types'
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

    `f8[:]` is compiled for contiguous arrays, the common ones; others follow when they come. Every
    order but C's is one to the core: `f8[::1, :]` takes strided arrays as well.
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
        return fits and declared.layout in ("AC" if given.layout == "C" else "AF")
    if isinstance(declared, types.Array) or isinstance(given, types.Array):
        return False
    if isinstance(given, types.Float) and isinstance(declared, types.Integer):
        return False  # Numba would cut the fraction off
    return typing_context.can_convert(given, declared) is not None
