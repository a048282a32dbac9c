"""dpctl.tensor: hither's array namespace, with the additional arguments of dpctl's functions."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np

import hither
from hither.compat.dpctl.execution_queue import ExecutionPlacementError as ExecutionPlacementError
from hither.compat.dpctl.execution_queue import (
    get_coerced_usm_type as get_coerced_usm_type,
)
from hither.compat.dpctl.execution_queue import (
    get_execution_queue as get_execution_queue,
)
from hither.compat.dpctl.tensor import functions, sorting, text
from hither.compat.dpctl.tensor.array import usm_ndarray
from hither.compat.dpctl.tensor.device import Device
from hither.compat.dpctl.tensor.functions import *  # noqa: F403
from hither.compat.dpctl.tensor.layout import made_in_order, with_order, with_out
from hither.compat.dpctl.tensor.sorting import *  # noqa: F403
from hither.compat.dpctl.tensor.text import *  # noqa: F403

__all__ = ["DLDeviceType", "Device", "dtype", "usm_ndarray", *functions.__all__, *sorting.__all__,
           *text.__all__]  # fmt: skip

dtype = np.dtype


# DLPack's types of devices, by DLPack's names.
DLDeviceType: type[enum.IntEnum] = enum.IntEnum(
    "DLDeviceType",
    {"kDLCPU": 1, "kDLCUDA": 2, "kDLCUDAHost": 3, "kDLCUDAManaged": 13, "kDLOneAPI": 14},
)
_DTYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 "
    "complex128"
).split()
_MADE = {
    "empty": False, "zeros": False, "ones": False,
    "empty_like": True, "zeros_like": True, "ones_like": True, "asarray": True,
}  # fmt: skip
_ELEMENTWISE = (
    "abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_invert bitwise_left_shift "
    "bitwise_or bitwise_right_shift bitwise_xor cbrt ceil conj copysign cos cosh divide equal exp "
    "exp2 expm1 floor floor_divide greater greater_equal hypot imag isfinite isinf isnan less "
    "less_equal log log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor "
    "maximum minimum multiply negative nextafter not_equal positive pow real reciprocal remainder "
    "round sign signbit sin sinh sqrt square subtract tan tanh trunc clip where matmul angle proj "
    "rsqrt"
).split()
_REDUCED = (
    "sum prod max min argmax argmin cumulative_sum cumulative_prod count_nonzero searchsorted"
).split()
_OWN = (
    "arange astype copy eye finfo from_dlpack full full_like iinfo meshgrid reshape squeeze take "
    "take_along_axis"
).split()


def __getattr__(name: str) -> Any:
    if name.startswith("_") and name not in ("__array_api_version__", "__array_namespace_info__"):
        raise AttributeError(name)
    value = _made(name)
    globals()[name] = value
    return value


def _made(name: str) -> Any:
    if name in _DTYPES:
        return np.dtype(name)
    if name in _OWN:
        return getattr(functions, name)
    value = getattr(hither, name)
    if name in _MADE:
        return made_in_order(value, like=_MADE[name])
    if name in _REDUCED:
        return with_out(value)
    return with_order(value) if name in _ELEMENTWISE else value


for _name in ("angle", "proj", "rsqrt"):
    globals()[_name] = with_order(getattr(functions, _name))
