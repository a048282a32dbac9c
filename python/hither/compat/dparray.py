"""dparray: the module hither.dparray."""

from __future__ import annotations

import sys

import hither.dparray

# `import dparray` and `import hither.dparray` give one module.
sys.modules[__name__] = hither.dparray
for _name in ("fft", "linalg", "random"):
    sys.modules[f"{__name__}.{_name}"] = getattr(hither.dparray, _name)
