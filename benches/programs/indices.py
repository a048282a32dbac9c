"""Programs that move elements by indices or by order, and products of matrices."""

from __future__ import annotations

from typing import Any

import gpu
import numba_loops
import numpy as np
import sort
from gpu_libraries import Library
from programs.arrays import array_work
from row_specs import Spec, Work


def permutation(n: int, seed: int = 7) -> np.ndarray:
    return np.random.default_rng(seed).permutation(n)


def scatter(spec: Spec) -> Work:
    """y[indices] = values, where all indices differ."""
    (n,) = spec.sizes
    y, index, values = np.zeros(n, spec.dtype), permutation(n), spec.numbers(n)

    def assign(lib: Library, y: Any, index: Any, values: Any) -> Any:
        if hasattr(y, "at"):
            return y.at[index].set(values)
        y[index] = values
        return y

    def in_numba() -> np.ndarray:
        numba_loops.scatter(target, index, values)
        return target

    target = y.copy()
    return array_work(spec, assign, [y, index, values], Numba=in_numba)


def gather(spec: Spec) -> Work:
    (n,) = spec.sizes
    x, index = spec.numbers(n), permutation(n)
    return array_work(
        spec, lambda lib, x, i: x[i], [x, index], Numba=lambda: numba_loops.gather(x, index)
    )


def compress(spec: Spec) -> Work:
    (n,) = spec.sizes
    x = spec.numbers(n)
    mask = x > 0.5
    return array_work(
        spec, lambda lib, x, mask: x[mask], [x, mask], Numba=lambda: numba_loops.compress(x, mask)
    )


def take_along_axis(spec: Spec) -> Work:
    rows, columns = spec.sizes
    x = spec.numbers(rows, columns)
    index = np.random.default_rng(3).integers(0, columns, (rows, columns))

    def take(lib: Library, x: Any, index: Any) -> Any:
        if lib.is_torch:
            return lib.namespace.take_along_dim(x, index, 1)
        return lib.namespace.take_along_axis(x, index, axis=1)

    return array_work(spec, take, [x, index], Numba=lambda: numba_loops.take_along_rows(x, index))


def search(spec: Spec) -> Work:
    length, n = spec.sizes
    values, wanted = np.sort(spec.numbers(length)), spec.numbers(n, seed=1)
    return array_work(
        spec, lambda lib, v, w: lib.namespace.searchsorted(v, w), [values, wanted],
        Numba=lambda: numba_loops.search(values, wanted),
    )  # fmt: skip


def product(spec: Spec) -> Work:
    """Of two matrices, or of stacks of them."""
    a, b = (spec.numbers(*spec.sizes, seed=k) for k in range(2))
    return array_work(spec, lambda lib, a, b: a @ b, [a, b], 1e-3)


def sorted_values(spec: Spec) -> Work:
    """Along the last axis."""
    return array_work(spec, gpu.sorted_values, [sort.unsorted(spec.dtype, spec.sizes)])


def order(spec: Spec) -> Work:
    x = sort.unsorted(spec.dtype, spec.sizes)

    def stable(lib: Library, x: Any) -> Any:
        if lib.name == "NumPy":
            return np.argsort(x, kind="stable")
        return gpu.stable_order(lib, x)

    return array_work(spec, stable, [x])


def unique(spec: Spec) -> Work:
    (n,) = spec.sizes
    x = np.random.default_rng(0).integers(0, 100_000, n).astype(spec.dtype)
    return array_work(spec, gpu.unique_values, [x])


def svd(spec: Spec) -> Work:
    """Singular values of a small matrix, which is where a library's preparations show."""
    return array_work(
        spec, lambda lib, x: lib.namespace.linalg.svd(x)[1], [spec.numbers(*spec.sizes)], 1e-3
    )
