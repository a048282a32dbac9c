"""The forms in which the built-in CPU device computes a mathematical function.

A form takes arrays of one dtype and of the same length, a multiple of LENGTH, and gives the
results as a NumPy array; forms that make a launch for a few elements compute the first ones only.
"""

from __future__ import annotations

import contextlib
import functools
import math
import os
from collections.abc import Callable, Iterator
from typing import Any

import numba
import numpy as np
from numba import prange

import hither as ht
from hither import numpy as hnp
from hither.scipy import special

Form = Callable[[list[np.ndarray]], np.ndarray]

DEVICE = "native_cpu"
GROUP = 13  # a length that no vector has
LENGTH = GROUP * 3
FEW = 100  # launches of small arrays
COPIES = 2
VARIABLE = "HITHER_MASKED_LOOPS"
ONE_OPERAND = (
    "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh "
    "atanh sqrt rsqrt cbrt cube erf erfc".split()
)
TWO_OPERANDS = "power atan2 hypot logaddexp fmod remainder floor_divide".split()
KERNELS_ONLY = "gamma lgamma".split()  # of Python's math; hither.scipy.special has its own
NAMES = ONE_OPERAND + KERNELS_ONLY + TWO_OPERANDS
SPECIAL = [n for n in special.__all__ if hasattr(getattr(special, n), "nin") and n not in NAMES]
IN_KERNELS = {
    "power": math.pow,
    "cbrt": np.cbrt,
    "cube": None,
    "fmod": np.fmod,
    "remainder": np.remainder,
    "rsqrt": None,
}


def operands_of(name: str) -> int:
    return getattr(special, name).nin if name in SPECIAL else 1 + (name in TWO_OPERANDS)


def array_function(name: str) -> Any:
    """The function of arrays, or None."""
    if name in KERNELS_ONLY:
        return None
    return next(getattr(m, name) for m in (ht, hnp, special) if hasattr(m, name))


def kernel_function(name: str) -> Any:
    """The function that kernels and Numba's functions call, or None."""
    if name in SPECIAL or name in IN_KERNELS:
        return IN_KERNELS.get(name)
    return getattr(math if hasattr(math, name) else np, name, None)


_copies: dict[int, tuple[np.ndarray, Any]] = {}  # arrays and their copies, by id()


def on_device(arrays: list[np.ndarray]) -> list[Any]:
    """Copies of the arrays, made once until forget_copies()."""
    for a in arrays:
        if id(a) not in _copies:
            _copies[id(a)] = a, ht.asarray(a, device=DEVICE)
    return [_copies[id(a)][1] for a in arrays]


def forget_copies() -> None:
    _copies.clear()


@functools.cache
def first_ones(count: int) -> np.ndarray:
    """Two of five items."""
    return np.arange(count) % 5 < 2


@functools.cache
def iterations(count: int) -> np.ndarray:
    """Those of an item, from 1 to COPIES."""
    return 1 + np.arange(count) * 7 % 11 % COPIES


def array_forms(f: Any) -> dict[str, Form]:
    """Forms of array operations."""

    def vectors(xs: list[np.ndarray]) -> np.ndarray:
        return ht.asnumpy(f(*on_device(xs)))

    def short_rows(xs: list[np.ndarray]) -> np.ndarray:
        """Rows of GROUP elements, each with an odd offset."""
        rows = [np.zeros((x.size // GROUP, GROUP + 3), x.dtype) for x in xs]
        for row, x in zip(rows, xs, strict=True):
            row[:, 1 : GROUP + 1] = x.reshape(-1, GROUP)
        views = [row[:, 1 : GROUP + 1] for row in on_device(rows)]
        return ht.asnumpy(f(*views)).ravel()

    def backwards(xs: list[np.ndarray]) -> np.ndarray:
        return ht.asnumpy(f(*(x[::-1] for x in on_device(xs))))[::-1]

    def strided(xs: list[np.ndarray]) -> np.ndarray:
        return ht.asnumpy(f(*(x[1::3] for x in on_device([np.repeat(x, 3) for x in xs]))))

    def fused(xs: list[np.ndarray]) -> np.ndarray:
        one, *arrays = on_device([np.ones_like(xs[0]), *xs])
        return ht.asnumpy(f(*(x * one for x in arrays)) * one)

    def chosen(xs: list[np.ndarray]) -> np.ndarray:
        is_first = first_ones(xs[0].size)
        first, *arrays = on_device([is_first, *xs])
        other = -arrays[0]
        results = [ht.where(first, f(*arrays), other), ht.where(first, other, f(*arrays))]
        return np.where(is_first, *map(ht.asnumpy, results))

    def in_reduction(xs: list[np.ndarray]) -> np.ndarray:
        pairs = [ht.broadcast_to(x[:, None], (x.size, 2)) for x in on_device(xs)]
        return ht.asnumpy(ht.max(f(*pairs), axis=1))

    def small_arrays(xs: list[np.ndarray]) -> np.ndarray:
        arrays, results, at = on_device(xs), [], 0
        for k in range(FEW):
            size = 1 + k % 17
            results.append(ht.asnumpy(f(*(x[at : at + size] for x in arrays))))
            at += size
            if at + 17 > xs[0].size:
                break
        return np.concatenate(results)

    found = [vectors, short_rows, backwards, strided, fused, chosen, in_reduction, small_arrays]
    return {form.__name__: form for form in found}


def value_of(f: Any, operands: int) -> Any:
    """f as a Python function of two operands."""

    def first(x, y):  # type: ignore[no-untyped-def]
        return f(x)

    def both(x, y):  # type: ignore[no-untyped-def]
        return f(x, y)

    return both if operands == 2 else first


def with_two(form: Callable[[Any, Any], np.ndarray]) -> Form:
    """A form of one operand or two by a function of two."""
    return lambda xs: form(xs[0], xs[-1])


@contextlib.contextmanager
def masked_loops(choice: str) -> Iterator[None]:
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = choice
    try:
        yield
    finally:
        del os.environ[VARIABLE]
        if before is not None:
            os.environ[VARIABLE] = before


def results_of(kernel: Any, arrays: list[np.ndarray], *more: Any, group: int = 0) -> np.ndarray:
    """The results of a kernel of (arrays, results, more), in the dtype of the first array."""
    n = arrays[0].shape[-1]
    out = ht.empty(n, dtype=arrays[0].dtype, device=DEVICE)
    kernel[ht.NdRange(n, group) if group else n](*on_device(arrays), out, *more)
    return ht.asnumpy(out)


def loop_kernel(f: Any, operands: int) -> Any:
    """Items run a loop that they leave at different times; `end` is infinite."""
    value = ht.device_func(value_of(f, operands))

    @ht.kernel
    def loop(x, y, counts, out, end):
        i = ht.get_global_id(0)
        result = x[0, i]
        k = 0
        while k < counts[i]:
            result = value(x[k, i], y[k, i])
            k += 1
            if result > end:
                break
        out[i] = result

    return loop


def loop_forms(f: Any, operands: int) -> dict[str, Form]:
    """One kernel, whose items run in vectors with masks, or one at a time."""

    def form(choice: str) -> Form:
        loop = loop_kernel(f, operands)
        checked: set[Any] = set()

        def run(x: np.ndarray, y: np.ndarray) -> np.ndarray:
            copies = [np.tile(a, (COPIES, 1)) for a in (x, y)]
            counts = iterations(x.size)
            with masked_loops(choice):
                results = results_of(loop, [*copies, counts], x.dtype.type(np.inf))
                if x.dtype not in checked:
                    check_masks(loop, choice)
            checked.add(x.dtype)
            return results

        return with_two(run)

    return {"masked_loop": form("always"), "single_items": form("never")}


def check_masks(kernel: Any, choice: str) -> None:
    """The code of the last dtype must have masks or none, as chosen."""
    code = list(kernel.inspect_llvm().values())[-1]
    if ("llvm.masked" in code) != (choice == "always"):
        raise RuntimeError(f"{kernel} is compiled otherwise than for {VARIABLE}={choice}")


def kernel_forms(f: Any, operands: int) -> dict[str, Form]:
    value = ht.device_func(value_of(f, operands))

    @ht.kernel
    def each(x, y, out):
        i = ht.get_global_id(0)
        out[i] = value(x[i], y[i])

    @ht.kernel
    def branch(x, y, is_first, out):
        i = ht.get_global_id(0)
        if is_first[i]:
            out[i] = value(x[i], y[i])
        else:
            out[i] = -x[i]

    @ht.kernel
    def barrier(x, y, out):
        results = ht.local.array(GROUP, ht.float64)
        i, j = ht.get_global_id(0), ht.get_local_id(0)
        results[j] = value(x[i], y[i])
        ht.barrier(ht.LOCAL_MEM_FENCE)
        other = GROUP - 1 - j
        out[i - j + other] = results[other]

    @ht.kernel
    def uniform(x, y, out):
        group = ht.get_group_id(0)
        out[ht.get_global_id(0)] = value(x[group], y[group])

    def kernel(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return results_of(each, [x, y])

    def branches(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        first = first_ones(x.size)
        return np.where(first, *(results_of(branch, [x, y, m]) for m in (first, ~first)))

    def groups(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return results_of(barrier, [x, y], group=GROUP)

    def one_for_group(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        rows = np.arange(x.size // GROUP)
        found = results_of(uniform, [x, y], group=GROUP).reshape(-1, GROUP)
        return found[rows, rows % GROUP]

    found = [kernel, branches, groups, one_for_group]
    return {form.__name__: with_two(form) for form in found} | loop_forms(f, operands)


def vectorized_form(f: Any, operands: int) -> dict[str, Form]:
    """A user's function of elements among array operations."""
    of_elements = ht.vectorize(value_of(f, operands))

    def user_function(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return ht.asnumpy(of_elements(*on_device([x, y])))

    return {"user_function": with_two(user_function)}


def numba_forms(f: Any, operands: int) -> dict[str, Form]:
    """Offloaded loops of Numba's functions; the host itself runs those of few elements."""
    value = numba.njit(value_of(f, operands))

    @numba.njit
    def loop(x, y, out):
        for i in prange(x.size):
            out[i] = value(x[i], y[i])

    def offloaded(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        out = np.empty_like(x)
        with ht.device_context(DEVICE):
            loop(x, y, out)
        return out

    def small_loops(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        out = np.empty_like(x[: FEW * GROUP])
        with ht.device_context(DEVICE):
            for at in range(0, out.size, GROUP):
                part = slice(at, at + GROUP)
                loop(x[part], y[part], out[part])
        return out

    return {form.__name__: with_two(form) for form in (offloaded, small_loops)}


def constant_form(f: Any, operands: int) -> dict[str, Form]:
    """Arguments that the compiler knows; they are not among those that are counted."""
    value = ht.device_func(value_of(f, operands))

    def constants(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        (a, b, c, d), (p, q, r, s) = x[:4], y[:4]

        @ht.kernel
        def of_constants(out):
            out[0] = value(a, p)
            out[1] = value(b, q)
            out[2] = value(c, r)
            out[3] = value(d, s)

        out = ht.empty(4, dtype=x.dtype, device=DEVICE)
        of_constants[1](out)
        return ht.asnumpy(out)

    return {"constants": with_two(constants)}


def forms_of(name: str) -> dict[str, Form]:
    """All forms of a function by their names. The first one is the reference."""
    found: dict[str, Form] = {}
    in_arrays, in_kernels, operands = array_function(name), kernel_function(name), operands_of(name)
    if in_arrays is not None:
        found |= array_forms(in_arrays)
    if in_kernels is not None:
        for make in (kernel_forms, vectorized_form, numba_forms, constant_form):
            found |= make(in_kernels, operands)
    return found
