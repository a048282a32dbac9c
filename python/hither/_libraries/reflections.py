"""QR factors of stacks of small matrices by Householder's reflections, in a kernel.

A group of items computes some matrices, with an item for each column. Signs are LAPACK's.
"""

from __future__ import annotations

import functools
import importlib.util
import math
from typing import Any

import numpy as np

from .._hither import Array, NdRange, Range, empty

__all__ = ["has_kernel", "qr_of_stack"]

_ITEMS = 128  # of a group


def has_kernel() -> bool:
    """Whether Numba, which compiles the kernel, is installed."""
    return importlib.util.find_spec("numba") is not None


def _reflection() -> tuple[Any, Any]:
    """The functions of the kernel that determine the reflection of a column."""
    from .._kernel.language.device_func import device_func

    @device_func
    def scaled_length(a: Any, i: int, j: int, scale: Any) -> Any:
        """The length of column j from row j on, whose squares may be too large or too small."""
        total = (a[i, j, j].real / scale) ** 2
        total += (a[i, j, j].imag / scale) ** 2
        for row in range(j + 1, a.shape[1]):
            total += (a[i, row, j].real / scale) ** 2 + (a[i, row, j].imag / scale) ** 2
        return scale * math.sqrt(total)

    @device_func
    def reflection(a: Any, i: int, j: int, low: Any, high: Any) -> Any:
        """beta, t, d and f: 1 - t v v^H reflects the column from row j on to beta and zeros, where
        v is 1 and the column below its diagonal over d. f is 1 / d, or 0 where that is too large.
        """
        first = a[i, j, j]
        size, rest = abs(first.imag), first.imag * first.imag
        for row in range(j + 1, a.shape[1]):
            x = a[i, row, j]
            size = max(size, abs(x.real), abs(x.imag))
            rest += x.real * x.real + x.imag * x.imag
        one = a.dtype.type(1)
        if size == 0 and rest == 0:  # rest may be NaN
            return first.real, one - one, one, one
        square = first.real * first.real + rest
        length = math.sqrt(square)
        if not (low < square and square < high):
            length = scaled_length(a, i, j, max(size, abs(first.real)))
        beta = -math.copysign(length, first.real)
        d = first - beta
        return beta, (beta - first) / beta, d, one / d if abs(beta) > low * low else one - one

    @device_func
    def over(x: Any, d: Any, f: Any) -> Any:
        return x / d if f == 0 else x * f

    return reflection, over


@functools.cache
def _kernel() -> Any:
    from .._kernel.language.decorator import kernel
    from .._kernel.language.group_function import barrier
    from .._kernel.language.work_item import get_global_id, get_local_id

    reflection, over = _reflection()

    @kernel(cache=True)
    def factor(a: Any, q: Any, r: Any, scalars: Any, low: Any, high: Any) -> None:
        given, column = get_global_id(0), get_local_id(1)
        present = given < a.shape[0]
        i = min(given, a.shape[0] - 1)
        rows, columns = a.shape[1], a.shape[2]
        steps = min(rows, columns)
        for j in range(steps):
            beta, t, d, f = reflection(a, i, j, low, high)
            if present and j < column and column < columns:
                share = a[i, j, column]
                for row in range(j + 1, rows):
                    share += over(a[i, row, j], d, f).conjugate() * a[i, row, column]
                share *= t.conjugate()
                a[i, j, column] -= share
                for row in range(j + 1, rows):
                    a[i, row, column] -= over(a[i, row, j], d, f) * share
            barrier()
            if present and column == j:  # nobody reads this column before the last barrier
                a[i, j, j] = beta
                scalars[i, j] = t
                for row in range(j + 1, rows):
                    a[i, row, j] = over(a[i, row, j], d, f)
        barrier()
        zero = a.dtype.type(0)
        if present and column < columns:
            for row in range(r.shape[1]):
                r[i, row, column] = a[i, row, column] if row <= column else zero
        if present and column < q.shape[2]:
            for row in range(rows):
                q[i, row, column] = a.dtype.type(1) if row == column else zero
            for back in range(steps):
                j = steps - 1 - back
                share = q[i, j, column]
                for row in range(j + 1, rows):
                    share += a[i, row, j].conjugate() * q[i, row, column]
                share *= scalars[i, j]
                q[i, j, column] -= share
                for row in range(j + 1, rows):
                    q[i, row, column] -= a[i, row, j] * share

    return factor


def qr_of_stack(a: Array, complete: bool) -> tuple[Array, Array]:
    """Q and R of the matrices a, of shape (matrices, rows, columns). Overwrites a."""
    count, rows, columns = a.shape
    steps = min(rows, columns)
    width = rows if complete else steps

    def new(*shape: int) -> Array:
        return empty(shape, dtype=a.dtype, queue=a.queue, usm_type=a.usm_type)

    q, r, scalars = new(count, rows, width), new(count, width, columns), new(count, steps)
    limits = np.finfo(a.dtype.char.lower())
    low = np.sqrt(limits.tiny)  # lost squares of smaller numbers do not change a larger square
    items = 1 << (max(width, columns) - 1).bit_length()
    matrices = max(1, _ITEMS // items)
    padded = -(-count // matrices) * matrices
    over = NdRange(Range(padded, items), Range(matrices, items))
    _kernel()[over](a, q, r, scalars, low, limits.max / 4)
    return q, r
