"""Functions of hither.numpy of sparse arrays: the operator or method of the same meaning."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...errors import InvalidTypeError

if TYPE_CHECKING:
    from ._sparse_array import SparseArray

__all__: list[str] = []

_OPERATORS: dict[str, Callable[..., Any]] = {
    "add": operator.add, "divide": operator.truediv, "dot": operator.matmul,
    "equal": operator.eq, "greater": operator.gt, "greater_equal": operator.ge,
    "less": operator.lt, "less_equal": operator.le, "matmul": operator.matmul,
    "multiply": operator.mul, "not_equal": operator.ne, "power": operator.pow,
    "subtract": operator.sub,
    "absolute": operator.abs, "negative": operator.neg,
}  # fmt: skip
# Functions of NumPy -> methods with the same arguments behind the array.
_METHODS: dict[str, str | None] = dict.fromkeys(
    "argmax argmin conjugate copy count_nonzero diagonal max mean min nonzero reshape sum trace "
    "transpose".split()
)
_METHODS |= {"amax": "max", "amin": "min", "conj": "conjugate"}
_METHODS |= dict.fromkeys(("around", "round"), "__round__")
_PROPERTIES = ("real", "imag")
_OF_TWO = ("maximum", "minimum")


def call_function(
    array: SparseArray, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """The function of hither.numpy of this name, one of whose arguments is the sparse array."""
    options = {key: value for key, value in kwargs.items() if value is not None}
    if args and args[0] is array:
        if "decimals" in options:  # of round(), whose method has another name for it
            args = (*args, options.pop("decimals"))
        if name in _METHODS:
            return getattr(array, _METHODS[name] or name)(*args[1:], **options)
        if name in _PROPERTIES and len(args) == 1:
            return getattr(array, name)
        if len(args) == 1 and not options and name in array._fixed_points:
            return getattr(array, name)()
    if name in _OPERATORS and not options:
        return _OPERATORS[name](*args)
    if name in _OF_TWO and len(args) == 2 and not options:
        first, second = args if args[0] is array else args[::-1]
        return getattr(first, name)(second)
    given = f" with {', '.join(options)}=" if options else ""
    raise InvalidTypeError(
        name,
        f"does not take a sparse array{given}; call a method of the array, or pass A.toarray()",
    )
