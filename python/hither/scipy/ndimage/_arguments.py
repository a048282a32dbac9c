"""Arguments that the functions of scipy.ndimage share: axes, modes, sequences and output."""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ... import _hither as h
from ..._hither import Array, astype
from ...errors import AxisError, InvalidTypeError, OutOfMemoryError
from ...numpy._arguments import dtype_of

__all__: list[str] = []

# Names of ways to extend an array -> the names by which the modules of this package compute.
FILTER_MODES = {
    "reflect": "reflect", "grid-mirror": "reflect", "mirror": "mirror", "nearest": "nearest",
    "wrap": "wrap", "grid-wrap": "wrap", "constant": "constant", "grid-constant": "constant",
}  # fmt: skip


def filter_mode(function: str, mode: Any) -> str:
    """How a filter extends its input."""
    if not isinstance(mode, str):
        raise RuntimeError(f"{function}: mode={mode!r}; a sequence of modes is not supported here")
    if mode not in FILTER_MODES:
        names = ", ".join(map(repr, FILTER_MODES))
        raise RuntimeError(f"{function}: mode={mode!r} is none of {names}")
    return FILTER_MODES[mode]


def check_modes(function: str, modes: Any) -> None:
    """Checks one mode or a sequence of modes."""
    for mode in [modes] if isinstance(modes, str) or not np.iterable(modes) else modes:
        filter_mode(function, mode)


def check_number(function: str, name: str, value: Any) -> None:
    """Raises TypeError unless the value is a real number."""
    try:
        float("a" if isinstance(value, str) else value)
    except (TypeError, ValueError):
        raise InvalidTypeError(function, f"{name} is {value!r}; it must be a number") from None


def check_memory(function: str, shape: Sequence[int], dtype: np.dtype, x: Array) -> None:
    """Raises OutOfMemoryError if no array of this shape fits into the memory of x's device."""
    size, room = math.prod(map(int, shape)) * dtype.itemsize, x.device.global_mem_size
    if size > room:
        raise OutOfMemoryError(
            function,
            f"an array of shape {tuple(shape)} and dtype {dtype} needs {size} bytes, and "
            f"{x.device} has {room}; compute in parts, or use a smaller size",
        )


def axes_of(function: str, axes: Any, ndim: int) -> tuple[int, ...]:
    """The axes as numbers from 0 to ndim - 1; all for None."""
    if axes is None:
        return tuple(range(ndim))
    if np.isscalar(axes):
        axes = (axes,)
    elif not isinstance(axes, Iterable):
        raise ValueError(f"{function}: axes={axes!r}; axes must be an integer, iterable of "
                         "integers, or None")  # fmt: skip
    found = tuple(operator.index(axis) for axis in axes)
    for axis in found:
        if not -ndim <= axis < ndim:
            raise AxisError(
                function, f"specified axis: {axis} is out of range; the input has {ndim} dimensions"
            )
    found = tuple(axis % ndim for axis in found)
    if len(set(found)) != len(found):
        raise ValueError(f"{function}: axes={axes}; axes must be unique")
    return found


def for_each(function: str, name: str, value: Any, count: int) -> list[Any]:
    """A value for each of `count` axes, from one value or a sequence of so many."""
    if isinstance(value, Array):
        value = h.asnumpy(value).tolist()
    if isinstance(value, str) or not np.iterable(value):
        return [value] * count
    values = list(value)
    if len(values) != count:
        raise RuntimeError(f"{function}: {name} has {len(values)} values for {count} axes; "
                           "sequence argument must have length equal to input rank")  # fmt: skip
    return values


def host(values: Any, dtype: Any = None) -> np.ndarray:
    """Weights, footprints and similar arguments, which determine the kernels, as NumPy's arrays."""
    if isinstance(values, Array):
        values = h.asnumpy(values)
    return np.asarray(values, dtype)


def refuse_complex(function: str, x: Array) -> None:
    """Raises TypeError for complex input."""
    if x.dtype.kind == "c":
        raise InvalidTypeError(function, "Complex type not supported; filter x.real and x.imag")


def accumulator(x: Array) -> np.dtype:
    """The dtype in which filters add: float64, or float32 on devices without float64."""
    return np.dtype(np.float64 if x.queue.device.has_aspect_fp64 else np.float32)


def converted(x: Array, dtype: Any) -> Array:
    """x in the dtype of an output, as C converts numbers: fractions are dropped."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b" and x.dtype.kind == "f":
        return h.trunc(x) != 0
    if x.dtype.kind == "c" and dtype.kind != "c":
        x = x.real
    return astype(x, dtype, copy=False)


class Output:
    """The argument `output`: a dtype of the result, or an array to write the result to."""

    def __init__(
        self, function: str, output: Any, x: Array, shape: Sequence[int], is_complex: bool = False
    ) -> None:
        self.function = function
        self.target: Array | None = None
        default = np.promote_types(x.dtype, np.complex64) if is_complex else x.dtype
        if output is None:
            self.dtype = np.dtype(default)
        elif isinstance(output, Array):
            if output.shape != tuple(shape):
                raise RuntimeError(f"{function}: output shape not correct: output has shape "
                                   f"{output.shape}, the result {tuple(shape)}")  # fmt: skip
            self.target, self.dtype = output, output.dtype
        elif isinstance(output, np.ndarray):
            raise InvalidTypeError(
                function, "output is a NumPy array; pass a hither.Array, a dtype or None"
            )
        else:
            self.dtype = dtype_of(function, output)
        if is_complex and self.dtype.kind != "c":
            if self.target is not None or isinstance(output, str):
                raise RuntimeError(f"{function}: output must have complex dtype, not {self.dtype}")
            warnings.warn("promoting specified output dtype to complex", UserWarning, stacklevel=4)
            self.dtype = np.promote_types(self.dtype, np.complex64)

    def __call__(self, result: Array) -> Array:
        """The result, or the array that was given with the result in it."""
        if self.target is None:
            return result
        self.target[...] = result
        return self.target
