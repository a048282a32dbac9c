"""Functions of dpctl.tensor that are composed of hither's."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import hither
from hither._names import a_type
from hither.compat import _flavour
from hither.compat.dpctl.tensor.layout import extents_of, in_order, laid_out, stored, turned

__all__ = [
    "allclose",
    "angle",
    "asnumpy",
    "dldevice_to_sycl_device",
    "extract",
    "from_numpy",
    "logsumexp",
    "place",
    "proj",
    "put",
    "put_along_axis",
    "reduce_hypot",
    "rsqrt",
    "swapaxes",
    "sycl_device_to_dldevice",
    "to_numpy",
]


def to_numpy(usm_ary: Any, /) -> Any:
    """A NumPy array with a copy of the elements."""
    return hither.asnumpy(usm_ary)


asnumpy = to_numpy


def from_numpy(
    np_ary: Any, /, *, device: Any = None, usm_type: Any = "device", sycl_queue: Any = None
) -> Any:
    """An array with a copy of a NumPy array."""
    return hither.asarray(np_ary, device=device, usm_type=usm_type, sycl_queue=sycl_queue)


def rsqrt(x: Any, /) -> Any:
    """1 / sqrt(x)."""
    return hither.reciprocal(hither.sqrt(x))


def angle(x: Any, /) -> Any:
    """The argument of complex numbers, in radians."""
    return hither.atan2(hither.imag(x), hither.real(x))


def proj(x: Any, /) -> Any:
    """The projection of complex numbers: those with an infinite part become inf, with the sign of
    the imaginary part."""
    infinite = hither.isinf(hither.real(x)) | hither.isinf(hither.imag(x))
    below = infinite & hither.signbit(hither.imag(x))
    above = hither.where(infinite, complex(math.inf, 0.0), x)
    return hither.where(below, complex(math.inf, -0.0), above)


def allclose(
    a1: Any, a2: Any, atol: float = 1e-8, rtol: float = 1e-5, equal_nan: bool = False
) -> Any:
    """Whether all elements are within ``atol``, or within ``rtol`` of the larger of both.

    The result is a 0-d bool array. Infinite elements are close only to equal ones, and NaN to NaN
    with ``equal_nan``.
    """
    _check_arrays("allclose", a1, a2)
    if min(atol, rtol) < 0:
        raise hither.InvalidValueError("allclose", "atol and rtol must not be negative")
    same = a1 == a2
    if a1.dtype.kind == "b" or a2.dtype.kind == "b":
        return hither.all(same)
    a1, a2 = (hither.astype(x, float) if x.dtype.kind in "iu" else x for x in (a1, a2))
    finite = hither.isfinite(a1) & hither.isfinite(a2)
    larger = hither.maximum(hither.abs(a1), hither.abs(a2))
    close = same | (finite & (hither.abs(a1 - a2) <= hither.maximum(rtol * larger, atol)))
    if equal_nan:
        close = close | (hither.isnan(a1) & hither.isnan(a2))
    return hither.all(close)


def logsumexp(
    x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False, out: Any = None
) -> Any:
    """log(sum(exp(x))), without overflow of exp()."""
    x, wanted = _real_floating("logsumexp", x, dtype)
    if x.size == 0:
        total = hither.log(hither.sum(hither.exp(x), axis=axis, keepdims=True))
    else:
        shift = _finite(hither.max(x, axis=axis, keepdims=True), 0.0)
        total = hither.log(hither.sum(hither.exp(x - shift), axis=axis, keepdims=True)) + shift
    return stored(hither.astype(_dropped(total, x, axis, keepdims), wanted, copy=False), out)


def reduce_hypot(
    x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: bool = False, out: Any = None
) -> Any:
    """sqrt(sum(x * x)), without overflow of the squares."""
    x, wanted = _real_floating("reduce_hypot", x, dtype)
    scale: Any = 1.0
    if x.size > 0:
        largest = hither.max(hither.abs(x), axis=axis, keepdims=True)
        scale = _finite(hither.where(largest > 0, largest, 1.0), 1.0)
    total = hither.sqrt(hither.sum(hither.square(x / scale), axis=axis, keepdims=True)) * scale
    return stored(hither.astype(_dropped(total, x, axis, keepdims), wanted, copy=False), out)


def _finite(x: hither.Array, other: float) -> hither.Array:
    return hither.where(hither.isfinite(x), x, other)


def _real_floating(where: str, x: hither.Array, dtype: Any) -> tuple[hither.Array, np.dtype]:
    """x in the dtype of the computation, and the dtype of the result."""
    _check_arrays(where, x)
    if x.dtype.kind == "c":
        raise hither.InvalidTypeError("x", "is complex; the function takes real numbers")
    inside = x.dtype if x.dtype.kind == "f" else np.dtype(np.float64)
    wanted = inside if dtype is None else np.dtype(dtype)
    if wanted.kind == "f":
        inside = wanted
    return hither.astype(x, inside, copy=False), wanted


def _dropped(total: hither.Array, x: hither.Array, axis: Any, keepdims: bool) -> hither.Array:
    if keepdims:
        return total
    axes = tuple(range(x.ndim)) if axis is None else axis
    return hither.squeeze(total, axes) if axes != () else total


def swapaxes(x: Any, axis1: int, axis2: int) -> Any:
    """A view of x with two axes exchanged."""
    axes = list(range(x.ndim))
    try:
        axes[axis1], axes[axis2] = axes[axis2], axes[axis1]
    except IndexError:
        raise hither.OutOfRangeError(
            "swapaxes", f"axis {axis1} or {axis2} is out of range for {x.ndim} dimensions"
        ) from None
    return hither.permute_dims(x, tuple(axes))


def extract(condition: Any, arr: Any) -> Any:
    """The elements of arr, in C order, for which the condition is true."""
    _check_arrays("extract", condition, arr)
    if condition.size != arr.size:
        raise hither.InvalidValueError("extract", "condition and arr differ in size")
    true = hither.astype(condition, bool, copy=False)
    return hither.reshape(arr, -1)[hither.reshape(true, -1)]


def place(arr: Any, mask: Any, vals: Any) -> None:
    """arr[mask] = vals. vals is repeated or truncated to fit."""
    _check_arrays("place", arr, mask, vals)
    true = hither.astype(mask, bool, copy=False)
    count = int(hither.count_nonzero(true))
    if count == 0:
        return
    if vals.size == 0:
        raise hither.InvalidValueError("vals", "is empty, but the mask selects elements")
    values = hither.astype(hither.reshape(vals, -1), arr.dtype)
    arr[true] = hither.tile(values, (math.ceil(count / vals.size),))[:count]


def _check_arrays(where: str, *arrays: Any) -> None:
    for number, array in enumerate(arrays):
        if not isinstance(array, hither.Array):
            raise hither.InvalidTypeError(
                where, f"argument {number} is {a_type(array)}, not an array"
            )


def _wrapped(indices: hither.Array, extent: int, mode: str) -> hither.Array:
    """Indices clipped to the range. With mode "wrap", negative ones first count from the end."""
    if mode not in ("wrap", "clip"):
        raise hither.InvalidValueError("mode", f'{mode!r} is neither "wrap" nor "clip"')
    if mode == "wrap":
        indices = hither.where(indices < 0, indices + extent, indices)
    return hither.clip(indices, 0, extent - 1)


def _axis_of(where: str, x: hither.Array, axis: int | None) -> int:
    """The axis, counted from 0. None selects the axis of a 1-d array."""
    if axis is None:
        if x.ndim > 1:
            raise hither.InvalidValueError("axis", "needed for more than one dimension")
        axis = 0
    if not -x.ndim <= axis < x.ndim:
        raise hither.OutOfRangeError(where, f"axis {axis} is out of range for {x.ndim} dimensions")
    return axis % x.ndim


def put(x: Any, indices: Any, vals: Any, /, *, axis: int | None = None, mode: str = "wrap") -> None:
    """x[..., indices, ...] = vals along an axis of x. The axis is optional for 1-d arrays."""
    _check_arrays("put", x, indices)
    x = hither.reshape(x, -1) if x.ndim == 0 else x
    axis = _axis_of("put", x, axis)
    where = _wrapped(indices, x.shape[axis], mode)
    x[(slice(None),) * axis + (where,)] = vals


def put_along_axis(
    x: Any, indices: Any, vals: Any, /, *, axis: int = -1, mode: str = "wrap"
) -> None:
    """numpy.put_along_axis: assigns vals to the elements of x that the indices select along the
    axis."""
    _check_arrays("put_along_axis", x, indices)
    axis = _axis_of("put_along_axis", x, axis)
    if indices.ndim != x.ndim:
        raise hither.InvalidValueError("indices", f"have {indices.ndim} dimensions, x has {x.ndim}")
    places = [
        hither.reshape(
            hither.arange(extent, queue=x.queue, usm_type=x.usm_type),
            tuple(extent if a == b else 1 for b in range(x.ndim)),
        )
        for a, extent in enumerate(indices.shape)
    ]
    places[axis] = _wrapped(indices, x.shape[axis], mode)
    x[tuple(places)] = vals


def take(x: Any, indices: Any, /, *, axis: int | None = None, out: Any = None,
         mode: str = "wrap") -> Any:  # fmt: skip
    """hither.take() with out-of-range indices wrapped or clipped."""
    _check_arrays("take", x, indices)
    x = hither.reshape(x, -1) if x.ndim == 0 else x
    axis = _axis_of("take", x, axis)
    return stored(hither.take(x, _wrapped(indices, x.shape[axis], mode), axis=axis), out)


def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1, mode: str = "wrap") -> Any:
    """hither.take_along_axis() with out-of-range indices wrapped or clipped."""
    _check_arrays("take_along_axis", x, indices)
    axis = _axis_of("take_along_axis", x, axis)
    return hither.take_along_axis(x, _wrapped(indices, x.shape[axis], mode), axis=axis)


def astype(
    usm_ary: Any, newdtype: Any, /, *, order: str = "K", casting: Any = "unsafe",
    copy: bool = True, device: Any = None,
) -> Any:  # fmt: skip
    """The elements in another dtype. Raises TypeError if ``casting`` does not allow it."""
    if not isinstance(usm_ary, hither.Array):
        raise hither.InvalidTypeError("astype", f"{type(usm_ary).__name__} is not an array")
    to = usm_ary.dtype if newdtype is None else np.dtype(newdtype)
    if not np.can_cast(usm_ary.dtype, to, casting=casting):
        raise hither.InvalidTypeError(
            "casting", f'"{casting}" does not allow {usm_ary.dtype} to {to}'
        )
    if order not in ("C", "F", "A", "K"):
        raise hither.InvalidValueError("order", f"{order!r} is none of C, F, A, K")
    fits = order in "KA" or getattr(usm_ary.flags, order.lower() + "_contiguous")
    if not copy and fits and to == usm_ary.dtype and device in (None, usm_ary.device):
        return usm_ary
    return laid_out(hither.astype(usm_ary, to, device=device), order, (usm_ary,))


def copy(usm_ary: Any, /, *, order: str = "K") -> Any:
    """A new array with the same elements."""
    if not isinstance(usm_ary, hither.Array):
        raise hither.InvalidTypeError("copy", f"{type(usm_ary).__name__} is not an array")
    return laid_out(hither.copy(usm_ary), order, (usm_ary,))


def reshape(x: Any, /, shape: Any, *, order: str = "C", copy: bool | None = None) -> Any:
    """hither.reshape(). With order "F", elements are read and placed in Fortran order."""
    if order not in ("C", "F"):
        raise hither.InvalidValueError("order", f'{order!r} is neither "C" nor "F"')
    if order == "C":
        return hither.reshape(x, shape, copy=copy)
    return turned(hither.reshape(turned(x), extents_of(shape)[::-1], copy=copy))


def sycl_device_to_dldevice(device: hither.Device) -> tuple[int, int]:
    """DLPack's type and number of a device."""
    if not isinstance(device, hither.Device):
        raise hither.InvalidTypeError("device", f"{device!r} is not a device")
    return hither.empty(1, device=device).__dlpack_device__()


def dldevice_to_sycl_device(dl_dev: tuple[int, int]) -> hither.Device:
    """The device of DLPack's type and number."""
    if not isinstance(dl_dev, tuple):
        raise hither.InvalidTypeError("dl_dev", f"{dl_dev!r} is not a tuple")
    if len(dl_dev) != 2:
        raise hither.InvalidValueError("dl_dev", f"{dl_dev!r} is not a type and a number")
    for device in hither.devices():
        if sycl_device_to_dldevice(device) == dl_dev:
            return device
    raise hither.InvalidValueError("dl_dev", f"no device is {dl_dev}")


def _cast(value: Any, dtype: Any) -> Any:
    """A number as numpy.full() stores it: converted to the dtype. Raises OverflowError for an int
    that is out of range."""
    if dtype is None or not isinstance(value, int | float | complex | np.generic):
        return value
    return np.full((), value, dtype=dtype).item()


def full(
    shape: Any, fill_value: Any, *, dtype: Any = None, order: str = "C", device: Any = None,
    usm_type: Any = None, sycl_queue: Any = None,
) -> Any:  # fmt: skip
    """hither.full(). The value may also be an array, which is broadcast.

    If ``dtype`` is given, the value is cast to it as in NumPy.
    """
    fill_value = _cast(fill_value, dtype)
    where = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
    if not isinstance(fill_value, hither.Array | np.ndarray):
        return in_order(
            lambda extents: hither.full(extents, fill_value, dtype=dtype, **where), shape, order
        )
    given = {name: value for name, value in where.items() if value is not None}
    value = hither.asarray(fill_value, dtype=dtype, **given)
    return laid_out(hither.copy(hither.broadcast_to(value, shape)), order)


def eye(n_rows: int, n_cols: int | None = None, /, *, order: str = "C", **options: Any) -> Any:
    """hither.eye()."""
    return laid_out(hither.eye(n_rows, n_cols, **options), order)


def meshgrid(*arrays: Any, indexing: str = "xy") -> list[Any]:
    """hither.meshgrid(), as a list."""
    return list(hither.meshgrid(*arrays, indexing=indexing))


def full_like(
    x: Any, /, fill_value: Any, *, dtype: Any = None, order: str = "K", device: Any = None,
    usm_type: Any = None, sycl_queue: Any = None,
) -> Any:  # fmt: skip
    """hither.full_like(). The value may also be an array, which is broadcast.

    It is cast as in NumPy.
    """
    fill_value = _cast(fill_value, x.dtype if dtype is None else dtype)
    where = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
    if not isinstance(fill_value, hither.Array | np.ndarray):
        made = hither.full_like(x, fill_value, dtype=dtype, **where)
        return laid_out(made, order, (x,))
    given = {name: value for name, value in where.items() if value is not None}
    if "device" not in given and "sycl_queue" not in given:
        given["sycl_queue"] = x.queue
    given.setdefault("usm_type", x.usm_type)
    value = hither.asarray(fill_value, dtype=x.dtype if dtype is None else dtype, **given)
    return laid_out(hither.copy(hither.broadcast_to(value, x.shape)), order, (x,))


def squeeze(x: Any, /, axis: Any = None) -> Any:
    """x without the given axes of extent 1, or without all of them."""
    if axis is None:
        axis = tuple(number for number, extent in enumerate(x.shape) if extent == 1)
    return x if axis == () else hither.squeeze(x, axis)


def finfo(dtype: Any, /) -> np.finfo:
    """NumPy's, for a dtype or an array."""
    return np.finfo(getattr(dtype, "dtype", dtype))


def iinfo(dtype: Any, /) -> np.iinfo:
    """NumPy's, for a dtype or an array."""
    return np.iinfo(getattr(dtype, "dtype", dtype))


def arange(start: Any, /, stop: Any = None, step: Any = 1, **options: Any) -> Any:
    """hither.arange()."""
    return hither.arange(start, stop, 1 if step is None else step, **options)


def _is_of_host(x: Any) -> bool:
    """Whether x is another library's array in the host's memory."""
    if isinstance(x, hither.Array) or not hasattr(x, "__dlpack_device__"):
        return False
    return x.__dlpack_device__()[0] == 1


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Any:
    """hither.from_dlpack(). device=(DLDeviceType.kDLCPU, 0) gives a NumPy array.

    In flavour "dpctl-0.21", host memory gives a NumPy array also without ``device``.
    """
    if device is None and _flavour.current() == "dpctl-0.21" and _is_of_host(x):
        return np.from_dlpack(x, copy=copy)
    if not isinstance(device, tuple):
        return hither.from_dlpack(x, device=device, copy=copy)
    kind, number = device
    if int(kind) == 1:
        if _is_of_host(x):
            return np.from_dlpack(x, copy=copy)
        array = hither.from_dlpack(x)
        if copy is False:
            return np.asarray(array)
        return hither.asnumpy(array)
    return hither.from_dlpack(x, device=dldevice_to_sycl_device((int(kind), number)), copy=copy)
