"""Discrete Fourier transforms: the Array API standard's fft extension (2025.12).

On CPUs pocketfft computes them: SciPy's, which uses the device's cores, or NumPy's if SciPy is not
installed. Devices with a library of their own (cuFFT, oneMKL) use that. Transforms run in the
queue's order, and a call returns when the result is complete. float32 gives complex64; integers are
converted to float64 and float16 to float32. Arrays that the host cannot access are copied to it for
pocketfft, and results back. ``hither.fft(queue=q)`` gives the same functions bound to a queue.

``norm``: "backward" scales inverse transforms by 1/n, "ortho" both directions by 1/sqrt(n),
"forward" forward transforms by 1/n. Lengths ``n`` and ``s`` truncate or
zero-pad the input.

Errors are raised at the call: InvalidValueError, InvalidTypeError, AxisError, PlacementError.

https://data-apis.org/array-api/2025.12/extensions/fourier_transform_functions.html
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np

from ._array.dtypes import is_of_ml_dtypes, refuse_float8
from ._checked_call import check_calls
from ._compile.host_steps import make_host_steps
from ._documentation import complete
from ._hither import Array, astype, conj, copy, iota, roll, where
from ._libraries import transform_library
from ._libraries.bound_library import LibraryModule
from ._libraries.host_call import HostCall, place
from ._libraries.scipy_module import scipy_module
from .errors import AxisError, InvalidTypeError, InvalidValueError

__all__ = [
    "fft",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfftn",
    "rfft",
    "rfftfreq",
    "rfftn",
]

# Number of elements from which threads save more time than starting them costs.
_WORTH_THREADS = 1 << 15
# The norm of the transform in the other direction.
_OTHER_NORM = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


def _check_norm(function: str, norm: Any) -> str:
    if norm is None:
        return "backward"
    if norm not in _OTHER_NORM:
        names = ", ".join(map(repr, _OTHER_NORM))
        raise InvalidValueError(function, f"norm={norm!r} is none of {names}")
    return norm


def _axes(function: str, x: Array, s: Any, axes: Any) -> tuple[int, ...]:
    """The axes to transform, as negative numbers. The last axes if only s is given."""
    if axes is None:
        count = x.ndim if s is None else len(s)
        axes = range(-count, 0)
    else:
        axes = [operator.index(axis) for axis in axes]
    for axis in axes:
        if not -x.ndim <= axis < x.ndim:
            raise AxisError(function, f"axis {axis} is out of range for shape {x.shape}")
    found = tuple(axis if axis < 0 else axis - x.ndim for axis in axes)
    if len(set(found)) < len(found):
        raise InvalidValueError(function, f"axes={tuple(axes)} contains an axis twice")
    return found


def _check_lengths(function: str, x: Array, s: Any, axes: tuple[int, ...], half: bool) -> Any:
    """s as ints. Checks that every transform reads and writes at least one element."""
    if s is not None:
        s = tuple(operator.index(n) for n in s)
        if len(s) != len(axes):
            raise InvalidValueError(function, f"s has {len(s)} lengths for {len(axes)} axes")
    for i, axis in enumerate(axes):
        given = x.shape[axis]
        doubled = half and i == len(axes) - 1
        length = s[i] if s is not None else 2 * (given - 1) if doubled else given
        if length < 1:
            raise InvalidValueError(
                function, f"a transform of {length} elements along axis {axis} needs at least one"
            )
    return s


def _source(function: str, work: str, x: Array, in_place: bool) -> Array:
    """x in a dtype that pocketfft supports, copied for a transform in place."""
    if work == "rfftn" and x.dtype.kind == "c":
        raise InvalidTypeError(function, f"x is {x.dtype}; it takes real numbers (see fft)")
    refuse_float8(function, (x,))
    single = x.dtype.char in "efF" or is_of_ml_dtypes(x.dtype)
    if work == "irfftn" or x.dtype.kind == "c":
        return astype(x, np.complex64 if single else np.complex128, copy=in_place)
    return astype(x, np.float32 if single else np.float64, copy=False)


def _result_dtype(work: str, source: Array) -> type:
    single = source.dtype.char in "fF"
    if work == "irfftn":
        return np.float32 if single else np.float64
    return np.complex64 if single else np.complex128


def _library(function: str) -> Any:
    """SciPy's fft module, or NumPy's where SciPy is not installed."""
    return scipy_module("fft", function) or np.fft


def _transform(
    function: str, work: str, x: Any, s: Any, axes: Any, norm: str | None, queue: Any
) -> Array:
    """pocketfft's function ``work`` ("fftn", "ifftn", "rfftn" or "irfftn") of x."""
    norm = _check_norm(function, norm)
    call = HostCall(function, x, queue=queue)
    (x,) = call.arrays
    axes = _axes(function, x, s, axes)
    if not axes and work in ("rfftn", "irfftn"):
        raise AxisError(
            function, "there is no axis to transform; a real transform needs at least one"
        )
    s = _check_lengths(function, x, s, axes, half=work == "irfftn")
    same_shape = s is None or all(n == x.shape[axis] for n, axis in zip(s, axes, strict=True))
    device_library = call.device_module("fft")  # it allocates its results
    in_place = not device_library and work != "irfftn" and x.dtype.kind == "c" and same_shape
    source = _source(function, work, x, in_place)
    if not axes:
        return astype(source, _result_dtype(work, source), copy=True)
    if device_library:
        result = transform_library.transform(device_library, work, source, s, axes, norm)
        return astype(result, _result_dtype(work, source), copy=False)
    library = _library(function)
    options: dict[str, Any] = {}
    if library is not np.fft:
        options["overwrite_x"] = in_place
        if x.size >= _WORTH_THREADS:
            options["workers"] = call.queue.device.max_compute_units
    call.arrays = (source,)

    def run(view: np.ndarray) -> np.ndarray | None:
        result = getattr(library, work)(view, s, axes, norm, **options)
        done = in_place and call.in_place and np.may_share_memory(result, view)
        return None if done else result

    result = call.run(run)
    if result is None:
        return source
    return astype(call.array(result), _result_dtype(work, source), copy=False)


def fft(
    x: Any, /, *, n: Any = None, axis: int = -1, norm: Any = "backward", queue: Any = None
) -> Array:
    """The transform along ``axis``: sum over j of x[j] exp(-2 pi i j k / n)."""
    return _transform("fft", "fftn", x, None if n is None else (n,), (axis,), norm, queue)


def ifft(
    x: Any, /, *, n: Any = None, axis: int = -1, norm: Any = "backward", queue: Any = None
) -> Array:
    """The inverse of :func:`fft`."""
    return _transform("ifft", "ifftn", x, None if n is None else (n,), (axis,), norm, queue)


def fftn(
    x: Any, /, *, s: Any = None, axes: Any = None, norm: Any = "backward", queue: Any = None
) -> Array:
    """The transform along several axes: all by default, or the last len(s) axes."""
    return _transform("fftn", "fftn", x, s, axes, norm, queue)


def ifftn(
    x: Any, /, *, s: Any = None, axes: Any = None, norm: Any = "backward", queue: Any = None
) -> Array:
    """The inverse of :func:`fftn`."""
    return _transform("ifftn", "ifftn", x, s, axes, norm, queue)


def rfft(
    x: Any, /, *, n: Any = None, axis: int = -1, norm: Any = "backward", queue: Any = None
) -> Array:
    """The first n // 2 + 1 elements of the transform of real numbers. The others are their complex
    conjugates."""
    return _transform("rfft", "rfftn", x, None if n is None else (n,), (axis,), norm, queue)


def irfft(
    x: Any, /, *, n: Any = None, axis: int = -1, norm: Any = "backward", queue: Any = None
) -> Array:
    """The inverse of :func:`rfft`: n real elements (default: 2 * (x.shape[axis] - 1))."""
    return _transform("irfft", "irfftn", x, None if n is None else (n,), (axis,), norm, queue)


def rfftn(
    x: Any, /, *, s: Any = None, axes: Any = None, norm: Any = "backward", queue: Any = None
) -> Array:
    """:func:`rfft` along the last of ``axes``, then :func:`fft` along the others."""
    return _transform("rfftn", "rfftn", x, s, axes, norm, queue)


def irfftn(
    x: Any, /, *, s: Any = None, axes: Any = None, norm: Any = "backward", queue: Any = None
) -> Array:
    """The inverse of :func:`rfftn`. ``s`` is the shape of the result along the axes."""
    return _transform("irfftn", "irfftn", x, s, axes, norm, queue)


def _conjugate(function: str, x: Any, queue: Any) -> Array:
    x = place(function, (x,), queue)[2][0]
    return conj(x) if x.dtype.kind == "c" else x


def hfft(
    x: Any, /, *, n: Any = None, axis: int = -1, norm: Any = "backward", queue: Any = None
) -> Array:
    """The real transform of a Hermitian-symmetric signal of n elements, of which x is the first
    half."""
    norm = _OTHER_NORM[_check_norm("hfft", norm)]
    x = _conjugate("hfft", x, queue)
    return _transform("hfft", "irfftn", x, None if n is None else (n,), (axis,), norm, queue)


def ihfft(
    x: Any, /, *, n: Any = None, axis: int = -1, norm: Any = "backward", queue: Any = None
) -> Array:
    """The inverse of :func:`hfft`."""
    norm = _OTHER_NORM[_check_norm("ihfft", norm)]
    half = _transform("ihfft", "rfftn", x, None if n is None else (n,), (axis,), norm, queue)
    return conj(half)


def fftfreq(
    n: int,
    /,
    *,
    d: float = 1.0,
    dtype: Any = None,
    device: Any = None,
    queue: Any = None,
    usm_type: Any = None,
) -> Array:
    """The frequencies of :func:`fft`'s n elements for sample spacing ``d``: 0, 1, ..., -1 over
    n * d."""
    n = _sample_count("fftfreq", n, d)
    where_ = {"device": device, "queue": queue, "usm_type": usm_type}
    order = iota(n, 0, 1, np.float64, **where_)
    values = where(order < (n + 1) // 2, order, order - n) / (n * d)
    return _as_floating("fftfreq", values, dtype)


def rfftfreq(
    n: int,
    /,
    *,
    d: float = 1.0,
    dtype: Any = None,
    device: Any = None,
    queue: Any = None,
    usm_type: Any = None,
) -> Array:
    """The frequencies of :func:`rfft`'s n // 2 + 1 elements for sample spacing ``d``."""
    n = _sample_count("rfftfreq", n, d)
    where_ = {"device": device, "queue": queue, "usm_type": usm_type}
    values = iota(n // 2 + 1, 0, 1, np.float64, **where_) / (n * d)
    return _as_floating("rfftfreq", values, dtype)


def _sample_count(function: str, n: Any, d: float) -> int:
    n = operator.index(n)
    if n < 1:
        raise InvalidValueError(function, f"n={n}; it must be at least 1")
    if d == 0:
        raise InvalidValueError(function, "d=0; the sample spacing must not be 0")
    return n


def _as_floating(function: str, values: Array, dtype: Any) -> Array:
    wanted = np.dtype(np.float64 if dtype is None else dtype)
    if wanted.kind != "f":
        raise InvalidTypeError(function, f"dtype={wanted}; frequencies are floating-point")
    return astype(values, wanted, copy=False)


def _shift(function: str, x: Any, axes: Any, queue: Any, sign: int) -> Array:
    x = place(function, (x,), queue)[2][0]
    if axes is None:
        axes = range(x.ndim)
    elif not isinstance(axes, Iterable) or getattr(axes, "ndim", 1) == 0:
        axes = (operator.index(axes),)
    found = _axes(function, x, None, axes)
    if not found:
        return copy(x)
    # fftshift rolls by n // 2, and ifftshift by -(n // 2).
    return roll(x, tuple(sign * (x.shape[axis] // 2) for axis in found), found)


def fftshift(x: Any, /, *, axes: Any = None, queue: Any = None) -> Array:
    """x with the zero frequency in the middle of each axis. Lazy."""
    return _shift("fftshift", x, axes, queue, 1)


def ifftshift(x: Any, /, *, axes: Any = None, queue: Any = None) -> Array:
    """The inverse of :func:`fftshift`. Lazy."""
    return _shift("ifftshift", x, axes, queue, -1)


check_calls(globals(), __all__)
make_host_steps(globals(), [n for n in __all__ if n.endswith(("fft", "fftn"))])
complete("fft", globals())
sys.modules[__name__].__class__ = LibraryModule
