"""numpy.testing for arrays on devices: assertions compare copies of the elements on the host."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from .._hither import Array, asnumpy

__all__: list[str] = []


def _on_host(value: Any) -> Any:
    if isinstance(value, Array):
        return asnumpy(value)
    if type(value) in (list, tuple):
        return type(value)(map(_on_host, value))
    if type(value) is dict:
        return {key: _on_host(item) for key, item in value.items()}
    if hasattr(type(value), "__array__") and not isinstance(value, (np.ndarray, np.generic)):
        made = value.__array__()  # NumPy refuses hither's arrays from it
        return asnumpy(made) if isinstance(made, Array) else value
    return value


def _assertion(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def check(*args: Any, **kwargs: Any) -> Any:
        return function(*map(_on_host, args), **{k: _on_host(v) for k, v in kwargs.items()})

    return check


# Assertions about elements. The other names are NumPy's objects.
_OF_ARRAYS = {
    "assert_allclose", "assert_almost_equal", "assert_approx_equal", "assert_array_almost_equal",
    "assert_array_almost_equal_nulp", "assert_array_compare", "assert_array_equal",
    "assert_array_less", "assert_array_max_ulp", "assert_equal",
}  # fmt: skip

for _name in np.testing.__all__:
    _value = getattr(np.testing, _name)
    globals()[_name] = _assertion(_value) if _name in _OF_ARRAYS else _value
    __all__.append(_name)
