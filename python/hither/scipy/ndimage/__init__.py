"""scipy.ndimage for arrays on devices.

Filters are array expressions: what they compute of shifted views becomes fused kernels, on every
device. Interpolation and labels are kernels in Python and need Numba. Names, parameters, values and
dtypes are SciPy's, and each function also takes ``queue=``, ``device=`` and ``usm_type=``.
"""

from __future__ import annotations

from typing import Any

from ..._documentation import complete
from ..._libraries.scipy_module import absent_from
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
from ._interpolation import (
    affine_transform,
    map_coordinates,
    rotate,
    shift,
    spline_filter,
    spline_filter1d,
    zoom,
)
from ._labels import generate_binary_structure, label
from ._smoothing import gaussian_filter, gaussian_filter1d, uniform_filter, uniform_filter1d

__all__ = [
    "affine_transform", "convolve", "convolve1d", "correlate", "correlate1d", "gaussian_filter",
    "gaussian_filter1d", "gaussian_gradient_magnitude", "gaussian_laplace",
    "generate_binary_structure", "generic_gradient_magnitude", "generic_laplace", "label",
    "laplace", "map_coordinates", "maximum_filter", "maximum_filter1d", "median_filter",
    "minimum_filter", "minimum_filter1d", "percentile_filter", "prewitt", "rank_filter",
    "rotate", "shift", "sobel", "spline_filter", "spline_filter1d", "uniform_filter",
    "uniform_filter1d", "zoom",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    raise absent_from("scipy.ndimage", __name__, name, __all__)


complete("scipy.ndimage", globals())
