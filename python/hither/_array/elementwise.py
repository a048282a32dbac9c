"""Element-wise functions: those of the op table, and the Array API's names for some of them."""

from __future__ import annotations

from .. import _hither
from .._hither import absolute as abs
from .._hither import clip
from .._hither import power as pow

__all__ = ["abs", "clip", "pow", *_hither.elementwise_functions]

globals().update({name: getattr(_hither, name) for name in _hither.elementwise_functions})
