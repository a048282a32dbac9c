"""numpy.lib: `stride_tricks` and `scimath` are hither's, the other names are NumPy's."""

from __future__ import annotations

import sys
from typing import Any

import numpy

from .. import emath as scimath
from . import stride_tricks

sys.modules[f"{__name__}.scimath"] = scimath  # `import hither.numpy.lib.scimath`

__all__ = ["scimath", "stride_tricks"]


def __getattr__(name: str) -> Any:
    return getattr(numpy.lib, name)
