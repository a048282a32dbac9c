"""ctypes numbers, which dpctl accepts as arguments."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

__all__ = ["number_of"]


def number_of(value: Any) -> Any:
    """Converts a ctypes number to NumPy's of the same size. Other values are unchanged."""
    if type(value).__mro__[1:2] == (ctypes._SimpleCData,):
        return np.dtype(type(value)).type(value.value)
    return value
