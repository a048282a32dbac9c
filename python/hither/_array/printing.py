"""Formats arrays as NumPy does. Of a large array only the corners are copied to the host."""

from __future__ import annotations

import numpy as np

from .._hither import Array, asnumpy

__all__: list[str] = []

_DEFAULT_DTYPES = frozenset("?ldD") | {np.dtype(np.int64).char}


def _corners(x: Array, edge: int, axis: int = 0) -> np.ndarray:
    if axis == x.ndim:
        return asnumpy(x)
    if x.shape[axis] <= 2 * edge + 1:
        return _corners(x, edge, axis + 1)
    before = (slice(None),) * axis
    # NumPy omits at least one middle element, so one element besides the edges is enough.
    head = _corners(x[(*before, slice(None, edge + 1))], edge, axis + 1)
    tail = _corners(x[(*before, slice(x.shape[axis] - edge, None))], edge, axis + 1)
    return np.concatenate([head, tail], axis=axis)


def _text(x: Array, prefix: str, separator: str) -> tuple[str, bool]:
    options = np.get_printoptions()
    summarised = x.size > options["threshold"]
    if summarised:
        x.evaluate()  # once, rather than for each corner
        values, threshold = _corners(x, options["edgeitems"]), 0
    else:
        values, threshold = asnumpy(x), max(x.size, 1)
    text = np.array2string(values, prefix=prefix, separator=separator, threshold=threshold)
    return text, summarised


def array_repr(x: Array) -> str:
    """The text of repr(): Array([1, 2, 3], dtype=int32)."""
    if x.size == 0:
        text, notes = "[]", [f"shape={x.shape}"] if x.shape != (0,) else []
    else:
        text, summarised = _text(x, "Array(", ", ")
        notes = [f"shape={x.shape}"] if summarised else []
    if x.dtype.char not in _DEFAULT_DTYPES or x.size == 0:
        notes.append(f"dtype={x.dtype.name}")
    if not notes:
        return f"Array({text})"
    last_line = len(text) - (text.rfind("\n") + 1) + (6 if "\n" not in text else 0)
    note = ", ".join(notes)
    fits = last_line + 2 + len(note) + 1 <= np.get_printoptions()["linewidth"]
    return f"Array({text},{' ' if fits else chr(10) + ' ' * 6}{note})"


def array_str(x: Array) -> str:
    """The text of str(): [1 2 3]. A 0-d array has the text of its element, with all digits."""
    if x.ndim == 0:
        return str(asnumpy(x)[()])
    return _text(x, "", " ")[0] if x.size else "[]"


def array_format(x: Array, spec: str) -> str:
    """The text of format(). A 0-d array formats its element; others support the empty format."""
    if x.ndim == 0:
        return format(x.item(), spec)
    if spec:
        raise TypeError(f"the format {spec!r} works for 0-dimensional arrays only")
    return array_str(x)


Array.__repr__ = array_repr
Array.__str__ = array_str
Array.__format__ = array_format
