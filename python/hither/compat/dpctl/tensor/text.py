"""Formatting of arrays with NumPy's options, under dpctl's names."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np

import hither
from hither._names import a_type

__all__ = [
    "get_print_options",
    "print_options",
    "set_print_options",
    "usm_ndarray_repr",
    "usm_ndarray_str",
]

_OPTIONS = "linewidth edgeitems threshold precision floatmode suppress sign nanstr infstr".split()


def _checked(given: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in given.items() if value is not None}
    unknown = [name for name in kept if name not in (*_OPTIONS, "numpy")]
    if unknown:
        raise hither.InvalidTypeError("print options", f"{unknown[0]!r} is none of {_OPTIONS}")
    kept.pop("numpy", None)  # the options are NumPy's anyway
    return kept


def get_print_options() -> dict[str, Any]:
    """The current options, which are NumPy's."""
    options: dict[str, Any] = {**np.get_printoptions()}
    return {name: options[name] for name in _OPTIONS}


def set_print_options(**options: Any) -> None:
    """Sets the given options, which changes NumPy's options."""
    np.set_printoptions(**_checked(options))


def print_options(**options: Any) -> AbstractContextManager[Any]:
    """A context with the given options."""
    return np.printoptions(**_checked(options))


def _values(x: Any) -> Any:
    if not isinstance(x, hither.Array):
        raise hither.InvalidTypeError("x", f"is {a_type(x)}, not an array")
    return hither.asnumpy(x)


def usm_ndarray_str(
    x: Any,
    line_width: int | None = None,
    edge_items: int | None = None,
    threshold: int | None = None,
    precision: int | None = None,
    floatmode: str | None = None,
    suppress: bool | None = None,
    sign: str | None = None,
    numpy: bool = False,
    separator: str = " ",
    prefix: str = "",
    suffix: str = "",
) -> str:
    """The elements as text, with the given options."""
    options = _checked(
        {
            "linewidth": line_width,
            "edgeitems": edge_items,
            "threshold": threshold,
            "precision": precision,
            "floatmode": floatmode,
            "suppress": suppress,
            "sign": sign,
        }
    )
    values = _values(x)
    with np.printoptions(**options):
        return np.array2string(values, separator=separator, prefix=prefix, suffix=suffix)


def usm_ndarray_repr(
    x: Any,
    line_width: int | None = None,
    precision: int | None = None,
    suppress: bool | None = None,
    prefix: str = "usm_ndarray",
) -> str:
    """``prefix(...)`` with the elements and, unless it is a default dtype, the dtype."""
    values = _values(x)
    given = _checked({"linewidth": line_width, "precision": precision, "suppress": suppress})
    with np.printoptions(**given):
        text = repr(values)
    opening = "array("
    return text.replace(opening, f"{prefix}(", 1).replace(
        "\n" + " " * len(opening), "\n" + " " * (len(prefix) + 1)
    )
