"""numpy.lib: `stride_tricks` and `scimath` are hither's, the other names are NumPy's."""

from __future__ import annotations

import sys
from typing import Any

import numpy

from .. import emath as scimath
from . import stride_tricks

# `import hither.numpy.lib.scimath`, and of the modules that are NumPy's.
sys.modules[f"{__name__}.scimath"] = scimath
for _name in ("array_utils", "format", "introspect", "mixins", "npyio"):
    sys.modules[f"{__name__}.{_name}"] = getattr(numpy.lib, _name)

__all__ = ["scimath", "stride_tricks"]


def __getattr__(name: str) -> Any:
    return getattr(numpy.lib, name)
