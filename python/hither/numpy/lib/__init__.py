"""numpy.lib: `stride_tricks` is hither's, the other names are NumPy's."""

from __future__ import annotations

from typing import Any

import numpy

from . import stride_tricks

__all__ = ["stride_tricks"]


def __getattr__(name: str) -> Any:
    return getattr(numpy.lib, name)
