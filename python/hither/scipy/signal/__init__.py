"""scipy.signal for arrays on devices.

Convolutions are transforms or sums of products on the device. Recursive filters are kernels in
Python and need Numba: the lines of an array are filtered side by side, each in order. Names,
parameters, values and dtypes are SciPy's, and each function also takes ``queue=``, ``device=`` and
``usm_type=``. Coefficients of filters may be NumPy's arrays, as SciPy's design functions make them.
"""

from __future__ import annotations

from typing import Any

from ..._documentation import complete
from ..._libraries.scipy_module import absent_from
from ._convolution import (
    choose_conv_method,
    convolve,
    convolve2d,
    correlate,
    correlate2d,
    correlation_lags,
    fftconvolve,
    oaconvolve,
)
from ._medians import medfilt, medfilt2d, order_filter, wiener
from ._recursion import filtfilt, lfilter, lfilter_zi, sosfilt, sosfilt_zi, sosfiltfilt

__all__ = [
    "choose_conv_method", "convolve", "convolve2d", "correlate", "correlate2d", "correlation_lags",
    "fftconvolve", "filtfilt", "lfilter", "lfilter_zi", "medfilt", "medfilt2d", "oaconvolve",
    "order_filter", "sosfilt", "sosfilt_zi", "sosfiltfilt", "wiener",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    raise absent_from("scipy.signal", __name__, name, __all__)


complete("scipy.signal", globals())
