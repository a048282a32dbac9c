"""scipy.ndimage for arrays on devices.

Filters are array expressions: what they compute of shifted views becomes fused kernels, on every
device. Interpolation and labels are kernels in Python and need Numba. Names, parameters, values and
dtypes are SciPy's, and each function also takes ``queue=``, ``device=`` and ``usm_type=``.
"""

from __future__ import annotations

from typing import Any

from ..._documentation import complete
from .._absent import absent
from ._correlation import convolve, convolve1d, correlate, correlate1d
from ._derivatives import (
    gaussian_gradient_magnitude,
    gaussian_laplace,
    generic_gradient_magnitude,
    generic_laplace,
    laplace,
    prewitt,
    sobel,
)
from ._extremes import (
    maximum_filter,
    maximum_filter1d,
    median_filter,
    minimum_filter,
    minimum_filter1d,
    percentile_filter,
    rank_filter,
)
from ._smoothing import gaussian_filter, gaussian_filter1d, uniform_filter, uniform_filter1d

__all__ = [
    "convolve", "convolve1d", "correlate", "correlate1d", "gaussian_filter", "gaussian_filter1d",
    "gaussian_gradient_magnitude", "gaussian_laplace", "generic_gradient_magnitude",
    "generic_laplace", "laplace", "maximum_filter", "maximum_filter1d", "median_filter",
    "minimum_filter", "minimum_filter1d", "percentile_filter", "prewitt", "rank_filter", "sobel",
    "uniform_filter", "uniform_filter1d",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    raise absent("ndimage", name, __all__)


complete("scipy.ndimage", globals())
