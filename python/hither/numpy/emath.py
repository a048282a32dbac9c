"""numpy.emath: functions that give complex numbers where those of real numbers would give NaN.

Whether any element needs a complex result decides the dtype of the whole result. So these functions
evaluate their arguments, and wait for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _hither as h
from .._documentation import complete
from .._hither import Array, astype
from ._elementwise import UFUNCS
from ._placement import operands

__all__ = ["arccos", "arcsin", "arctanh", "log", "log2", "log10", "logn", "power", "sqrt"]


def _complex_if(x: Array, outside: Callable[[Array], Array]) -> Array:
    if x.dtype.kind in "bc" or not bool(h.any(outside(x))):
        return x
    single = x.dtype.char in "fbBhH"
    return astype(x, np.complex64 if single else np.complex128)


def _negative(x: Array) -> Array:
    return x < 0


def _beyond_one(x: Array) -> Array:
    return UFUNCS["absolute"](x) > 1


def _make(name: str, outside: Callable[[Array], Array], where: str) -> Callable[..., Any]:
    def call(x: Any) -> Any:
        return UFUNCS[name](_complex_if(x, outside))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"numpy.{name}, whose result is complex if any element of x is {where}. Blocks."
    return operands("x")(call)


sqrt: Callable[..., Any]
log: Callable[..., Any]
log2: Callable[..., Any]
log10: Callable[..., Any]
arccos: Callable[..., Any]
arcsin: Callable[..., Any]
arctanh: Callable[..., Any]

sqrt, log, log2, log10 = (
    _make(name, _negative, "negative") for name in ("sqrt", "log", "log2", "log10")
)
arccos, arcsin, arctanh = (
    _make(name, _beyond_one, "outside of [-1, 1]") for name in ("arccos", "arcsin", "arctanh")
)


@operands("n x")
def logn(n: Any, x: Any) -> Any:
    """The logarithm of x to the base n, complex if any element of either is negative. Blocks."""
    return h.log(_complex_if(x, _negative)) / h.log(_complex_if(n, _negative))


@operands("x p")
def power(x: Any, p: Any) -> Any:
    """x to the power p, complex if any element of x is negative. Blocks.

    Integers to negative powers are floating-point numbers.
    """
    if p.dtype.kind == "i" and bool(h.any(p < 0)):
        p = astype(p, np.float64)
    return UFUNCS["power"](_complex_if(x, _negative), p)


complete("numpy.emath", globals())
