"""Sparse products and sums, compared with SciPy, and with CuPy on a GPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse
from programs.scientific import laplacian
from small import done
from timing import Budget, Effort, Row, contest

import hither as ht
import hither.scipy.sparse as sparse

BEST = Budget(1.05, "best")
QUICK = 0.5  # seconds of effort below which problems are a hundredth as large


def cupys(a: Any) -> Any:
    """The matrix as CuPy's, or None without CuPy or a GPU."""
    if ht.default_queue().backend != "cuda":
        return None
    try:
        import cupyx.scipy.sparse as cupyx_sparse
    except ImportError:
        return None
    return cupyx_sparse.csr_matrix(a)


def on_cupy(function: Callable[[], Any]) -> Callable[[], Any]:
    import cupy

    def call() -> Any:
        result = function()
        cupy.cuda.get_current_stream().synchronize()
        return result

    return call


def product(case: str, a: Any, x: np.ndarray, effort: Effort) -> Row:
    mine, given = sparse.csr_array(a), ht.asarray(x)
    contestants: dict[str, Callable[[], Any]] = {
        "SciPy": lambda: a @ x,
        "hither": lambda: done(mine @ given),
    }
    cupys_one = cupys(a)
    if cupys_one is not None:
        import cupy

        factor = cupy.asarray(x)
        contestants["CuPy"] = on_cupy(lambda: cupys_one @ factor)
    return contest(case, contestants, effort, BEST, tolerance=1e-9)


def of_two(case: str, function: Callable[[Any, Any], Any], a: Any, b: Any, effort: Effort) -> Row:
    """A function of two sparse arrays; the sums of the results' elements are compared."""
    mine, other = sparse.csr_array(a), sparse.csr_array(b)

    def by_scipy() -> Any:
        return function(a, b)

    def by_hither() -> Any:
        return done(function(mine, other).data)

    return contest(
        case,
        {
            "SciPy": lambda: np.asarray(by_scipy().sum()),
            "hither": lambda: np.asarray(function(mine, other).sum()),
        },
        effort,
        BEST,
        tolerance=1e-9,
        timed={"SciPy": by_scipy, "hither": by_hither},
    )


def rows(effort: Effort) -> list[Row]:
    quick = effort.seconds < QUICK
    side = 316 if quick else 3163
    small = laplacian(100 if quick else 700)
    rng = np.random.default_rng(2)
    moved = scipy.sparse.csr_array(small[:, ::-1])
    moved.sort_indices()
    size = 2000 if quick else 100_000
    random = scipy.sparse.random_array((size, size), density=50 / size, rng=rng, format="csr")
    large = laplacian(side)
    x = rng.random(large.shape[0])
    of_large = product(f"csr times vector, Laplacian of {large.shape[0]} rows", large, x, effort)
    del large
    return [
        of_large,
        product("csr times vector, 50 random columns", random, rng.random(size), effort),
        product("csr times 16 vectors, 50 random columns", random, rng.random((size, 16)), effort),
        of_two("sum of two, Laplacians of other columns", lambda p, q: p + q, small, moved, effort),
        of_two("product of two, Laplacian", lambda p, q: p @ q, small, small, effort),
    ]
