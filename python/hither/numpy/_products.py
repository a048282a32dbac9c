"""Products of vectors, matrices and tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _hither as h
from .. import linalg
from .._array.manipulation import element_strides
from .._device_context import check_usm_type
from .._hither import Array
from ._arguments import dtype_of
from ._direct import directly
from ._einsum import check_optimize, contracted, is_view, parsed
from ._elementwise import UFUNCS
from ._memory_order import memory_order, ordered
from ._placement import all_placed, deliver, moved, operands

__all__ = [
    "convolve", "correlate", "cross", "dot", "einsum", "einsum_path", "inner", "kron", "outer",
    "tensordot", "vdot",
]  # fmt: skip


def _of_one_dtype(native: Any) -> Any:
    """Decorates a product that is `native` for two arrays of one dtype other than bool, for which
    hither's rules of dtypes and NumPy's are the same."""

    def chosen(a: Any, b: Any) -> Any:
        are_arrays = isinstance(a, Array) and isinstance(b, Array)
        is_one = are_arrays and a.dtype == b.dtype and a.dtype.char in "bhilBHILefdFD"
        return native if is_one else None

    return directly(chosen, operands=2)


@_of_one_dtype(h.dot)
@operands("a b", out="no")
def dot(a: Any, b: Any, out: Any = None) -> Any:
    """The product of two matrices or vectors, or over the last axis of a and the last but one of b.

    >>> import hither.numpy as np
    >>> float(np.dot([1.0, 2.0], [3.0, 4.0]))
    11.0
    """
    if a.ndim == 0 or b.ndim == 0:
        return UFUNCS["multiply"](a, b)
    if a.ndim <= 2 and b.ndim <= 2:
        return _contract(h.matmul, a, b)
    return tensordot(a, b, ((-1,), (-2 if b.ndim > 1 else -1,)))


def _contract(function: Any, a: Array, b: Array, **options: Any) -> Any:
    """A product, in which bools are combined by `or`."""
    if a.dtype.kind == "b" and b.dtype.kind == "b":
        counts = function(h.astype(a, np.int64), h.astype(b, np.int64), **options)
        return counts != 0
    return function(a, b, **options)


@operands("a b")
def vdot(a: Any, b: Any, /) -> Any:
    """The sum of conj(a) * b of the flattened arrays."""
    first, second = h.reshape(a, (-1,)), h.reshape(b, (-1,))
    return _contract(h.matmul, h.conj(first) if a.dtype.kind == "c" else first, second)


@_of_one_dtype(h.inner)
@operands("a b")
def inner(a: Any, b: Any, /) -> Any:
    """The product over the last axes of both arrays."""
    if a.ndim == 0 or b.ndim == 0:
        return UFUNCS["multiply"](a, b)
    return tensordot(a, b, ((-1,), (-1,)))


@operands("a b", out="same_kind")
def outer(a: Any, b: Any, out: Any = None) -> Any:
    """The products of all pairs of elements of the flattened arrays."""
    return UFUNCS["multiply"](h.reshape(a, (-1, 1)), h.reshape(b, (1, -1)))


@operands("a b")
def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """The sum of products over axes of both arrays.

    >>> import hither.numpy as np
    >>> np.tensordot(np.ones((2, 3)), np.ones((3, 4)), 1).shape
    (2, 4)
    """
    if isinstance(axes, (list, tuple)):
        pairs = [tuple(x) if np.iterable(x) else (x,) for x in axes]
        first = tuple(int(i) % a.ndim if -a.ndim <= i < a.ndim else int(i) for i in pairs[0])
        second = tuple(int(i) % b.ndim if -b.ndim <= i < b.ndim else int(i) for i in pairs[1])
        axes = (first, second)
    return _contract(h.tensordot, a, b, axes=axes)


@operands("a b")
def cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: Any = None
) -> Any:
    """The cross products of vectors along an axis.

    Vectors have three elements, or two, whose third one is 0. Of two vectors of two elements the
    result is the third element alone.
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = h.moveaxis(a, axisa, -1), h.moveaxis(b, axisb, -1)
    if 2 not in (a.shape[-1], b.shape[-1]):
        return h.moveaxis(linalg.cross(a, b, axis=-1), -1, axisc)
    for v in (a, b):
        if v.shape[-1] not in (2, 3):
            raise ValueError(f"cross: vectors have {v.shape[-1]} elements; they need 2 or 3")
    third = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    if a.shape[-1] == b.shape[-1]:
        return third
    if a.shape[-1] == 2:
        result = [a[..., 1] * b[..., 2], -(a[..., 0] * b[..., 2]), third]
    else:
        result = [-(a[..., 2] * b[..., 1]), a[..., 2] * b[..., 0], third]
    return h.moveaxis(h.stack(result, axis=-1), -1, axisc)


@operands("a b")
def kron(a: Any, b: Any) -> Any:
    """The Kronecker product: b times each element of a, as blocks.

    >>> import hither.numpy as np
    >>> np.kron([1, 10], [1, 2]).tolist()
    [1, 2, 10, 20]
    """
    ndim = max(a.ndim, b.ndim)
    first = (1,) * (ndim - a.ndim) + a.shape
    second = (1,) * (ndim - b.ndim) + b.shape
    left: list[int] = []
    right: list[int] = []
    for m, n in zip(first, second, strict=True):
        if m != 1:
            left, right = [*left, m], [*right, 1]
        if n != 1:
            left, right = [*left, 1], [*right, n]
    product = UFUNCS["multiply"](h.reshape(a, left), h.reshape(b, right))
    return h.reshape(product, tuple(m * n for m, n in zip(first, second, strict=True)))


def _sliding(a: Array, v: Array, mode: Any) -> Array:
    """Sums of a[i : i + v.size] * v, for the positions of `mode`."""
    names = {0: "valid", 1: "same", 2: "full"}
    mode = names.get(mode, mode)
    if mode not in names.values():
        raise ValueError(f"mode={mode!r}; it is 'full', 'same' or 'valid'")
    n, m = a.size, v.size
    before = 0 if mode == "valid" else m - 1 if mode == "full" else m // 2
    after = 0 if mode == "valid" else m - 1 if mode == "full" else (m - 1) // 2
    kind = np.result_type(a.dtype, v.dtype)
    a, v = h.astype(a, kind, copy=False), h.astype(v, kind, copy=False)
    if before or after:
        first = h.zeros((before,), kind, queue=a.queue)
        last = first if after == before else h.zeros((after,), kind, queue=a.queue)
        a = h.concat([first, a, last])
    # The windows are rows of a view whose columns are the positions, so that the sum runs over many
    # positions at a time.
    steps = element_strides(a) * 2
    windows = h.strided_view(a, (m, n + before + after - m + 1), steps)
    factors = h.expand_dims(v, 1)

    def summed(part: Array) -> Array:
        if kind.kind == "b":
            return h.any(part & factors, axis=0)
        return h.sum(part * factors, axis=0, dtype=kind)

    most = max(1, (1 << 24) // m)  # eager products of more positions would take too much memory
    if windows.shape[1] <= most:
        return summed(windows)
    starts = range(0, windows.shape[1], most)
    return h.concat([summed(windows[:, start : start + most]) for start in starts])


def _vectors(name: str, a: Array, v: Array) -> None:
    for x in (a, v):
        if x.ndim > 1 or x.size == 0:
            raise ValueError(f"{name}: takes vectors of one or more elements, not shape {x.shape}")


@operands("a v")
def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    """The discrete convolution of two vectors.

    >>> import hither.numpy as np
    >>> np.convolve([1, 2, 3], [0, 1, 0.5]).tolist()
    [0.0, 1.0, 2.5, 4.0, 1.5]
    """
    a, v = h.reshape(a, (-1,)) if a.ndim == 0 else a, h.reshape(v, (-1,)) if v.ndim == 0 else v
    _vectors("convolve", a, v)
    if v.size > a.size:
        a, v = v, a
    return _sliding(a, h.flip(v), mode)


@operands("a v")
def correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    """The cross-correlation of two vectors."""
    if a.ndim == 0 or v.ndim == 0:
        raise ValueError("correlate: a and v must be vectors, not numbers")
    _vectors("correlate", a, v)
    conjugate = h.conj(v) if v.dtype.kind == "c" else v
    if v.size > a.size:
        # The longer vector slides over the shorter one: the result runs in the other direction.
        return h.copy(h.flip(_sliding(conjugate, a, mode)))
    return _sliding(a, conjugate, mode)


def einsum(
    *operands: Any, out: Any = None, optimize: Any = False, queue: Any = None, device: Any = None,
    usm_type: Any = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """Sums of products over axes that a text names, such as "ij,jk->ik".

    Each pair of operands becomes one batched matrix product, or an element-wise product with a sum.

    >>> import hither.numpy as np
    >>> np.einsum("ij->i", np.ones((2, 3))).tolist()
    [3.0, 3.0]
    """
    text, values = parsed(operands)
    arrays = all_placed("einsum", values, queue, device)
    check_optimize(optimize, len(arrays))
    unknown = set(kwargs) - {"dtype", "order", "casting"}
    if unknown:
        raise TypeError(
            f"einsum: takes no keyword {min(unknown)}=; it takes out=, optimize=, dtype=, order=, "
            "casting=, queue=, device=, usm_type="
        )
    if usm_type is not None:
        check_usm_type(usm_type)
    order, casting = "K", "safe"
    if kwargs or any(x.dtype != arrays[0].dtype for x in arrays[1:]) or not arrays:
        casting = kwargs.get("casting", "safe")
        order = memory_order("einsum", kwargs.get("order"), "K")
        as_view = len(arrays) == 1 and out is None and is_view(text, arrays[0])
        arrays = _cast_together(arrays, kwargs.get("dtype"), casting, as_view)
    result = contracted(text, arrays, optimize)
    if order in "CF" and len(arrays) > 1:  # as in NumPy, a view stays one
        result = ordered(result, order)
    if out is not None:
        return deliver("einsum", result, out, "safe" if casting == "safe" else casting)
    return moved(result, usm_type)


def _cast_together(arrays: list[Array], dtype: Any, casting: Any, as_view: bool) -> list[Array]:
    """einsum's operands in the dtype that it computes in."""
    kinds = {x.dtype for x in arrays}
    kind = dtype_of("einsum", dtype) if dtype is not None else np.result_type(*kinds)
    if as_view:
        kind = arrays[0].dtype  # as in NumPy, a view keeps its dtype
    for x in arrays:
        if not np.can_cast(x.dtype, kind, casting):
            raise TypeError(f"einsum: {x.dtype} cannot be cast to {kind} by casting={casting!r}")
    return [h.astype(x, kind, copy=False) for x in arrays]


def einsum_path(*operands: Any, optimize: Any = "greedy", einsum_call: bool = False) -> Any:
    """The order of contractions that NumPy's einsum_path finds, from the shapes of the arrays."""
    shapes = [np.broadcast_to(np.int8(0), x.shape) if isinstance(x, Array) else x for x in operands]
    return np.einsum_path(*shapes, optimize=optimize)
