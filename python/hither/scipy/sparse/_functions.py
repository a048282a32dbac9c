"""Functions of hither.numpy of sparse arrays: the operator or method of the same meaning."""

from __future__ import annotations

import functools
import inspect
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
    "not_equal": operator.ne, "subtract": operator.sub,
    "absolute": operator.abs, "negative": operator.neg,
}  # fmt: skip
# Functions of NumPy -> methods with the same arguments behind the array.
_METHODS: dict[str, str | None] = dict.fromkeys(
    "argmax argmin conjugate copy count_nonzero diagonal max mean min nonzero reshape sum trace "
    "transpose power".split()
)
_METHODS |= {"amax": "max", "amin": "min", "conj": "conjugate"}
_METHODS |= dict.fromkeys(("around", "round"), "__round__")
_PROPERTIES = ("real", "imag")
# Symmetric functions of two arrays. The operators of matrices are products of matrices.
_OF_TWO = ("maximum", "minimum", "multiply")
# Keywords of functions that methods call otherwise.
_KEYWORDS = {("diagonal", "offset"): "k"}


def _method(array: SparseArray, name: str, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """A call of the method for a function, or None if it has no such parameters."""
    found = _METHODS[name] or name
    given = {_KEYWORDS.get((found, key), key): value for key, value in options.items()}
    if given.get("keepdims") is False:
        del given["keepdims"]
    if found == "__round__" and "decimals" in given:
        args = (*args, given.pop("decimals"))
    if found == "reshape" and "shape" in given:
        args = (given.pop("shape"), *args)
    method = getattr(array, found)
    try:
        inspect.signature(method).bind(*args, **given)
    except TypeError:
        return None
    return functools.partial(method, *args, **given)


def call_function(
    array: SparseArray, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """The function of hither.numpy of this name, one of whose arguments is the sparse array."""
    options = {key: value for key, value in kwargs.items() if value is not None}
    if args and args[0] is array:
        call = _method(array, name, args[1:], options) if name in _METHODS else None
        if call is not None:
            return call()
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
