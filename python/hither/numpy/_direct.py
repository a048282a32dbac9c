"""Functions that call hither's own directly where their arguments need no conversion."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterable
from typing import Any

from .._hither import Array, DirectCall
from ._names_in_errors import named

__all__: list[str] = []


class ByDtype:
    """A function that is `these` for arrays of such kinds of dtypes and `others` for other arrays.
    `among` is all or any: whether all arrays or one of them have to be of such a kind."""

    def __init__(
        self,
        kinds: str,
        these: Callable[..., Any],
        others: Callable[..., Any],
        among: Callable[[Iterable[bool]], bool] = all,
    ) -> None:
        self.kinds, self.these, self.others, self.among = kinds, these, others, among

    def chosen(self, *operands: Any) -> Callable[..., Any]:
        """The function for these operands."""
        matches = self.among(x.dtype.kind in self.kinds for x in operands if isinstance(x, Array))
        function = self.these if matches else self.others
        return function.chosen(*operands) if isinstance(function, ByDtype) else function

    def __call__(self, *operands: Any) -> Any:
        return self.chosen(*operands)(*operands)


class DirectFunction(DirectCall):
    """A function of hither.numpy. It calls hither's function without a step in Python where the
    arguments need no conversion."""

    __name__: str
    __qualname__: str

    def __repr__(self) -> str:
        return f"<function {self.__qualname__} of hither.numpy>"

    def __reduce__(self) -> str:
        return self.__qualname__

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)


def direct(
    native: Callable[..., Any],
    dtypes: str = "?bhilBHILefdFD",
    *,
    operands: int = 1,
    positional: int = 0,
    keywords: str = "",
) -> Callable[[Callable[..., Any]], Any]:
    """Decorates a function that gives the result of `native` if the dtypes of its first `operands`
    arguments, which are arrays, are among the characters `dtypes`.

    This also holds with up to `positional` further arguments, and with the keywords `keywords`.
    """

    def chosen(*given: Any) -> Any:
        return native if all(x.dtype.char in dtypes for x in given) else None

    return directly(chosen, operands=operands, positional=positional, keywords=keywords)


def directly(
    chosen: Callable[..., Any], *, operands: int, positional: int = 0, keywords: str = ""
) -> Callable[[Callable[..., Any]], Any]:
    """Decorates a function that gives the result of chosen(*operands), unless that is None. The
    choice depends on the types of the operands, arrays and Python numbers, alone."""

    def decorate(general: Callable[..., Any]) -> Any:
        function = DirectFunction(
            named(general), chosen, operands, positional, tuple(keywords.split())
        )
        return functools.update_wrapper(function, general)

    return decorate
