"""Reductions over each axis of a C-ordered matrix."""

from __future__ import annotations

import numba_loops
import numexpr
import numpy as np
from native_loops import call
from small import done
from timing import Budget, Effort, Row, contest

import hither as ht

ROWS, COLUMNS = 4096, 4096
AXES = {None: "all", 0: "axis 0", 1: "axis 1"}


def _sums(effort: Effort, host: np.ndarray, x: ht.Array) -> list[Row]:
    standing = {0: np.empty(COLUMNS, np.float32), 1: np.empty(ROWS, np.float32)}

    def native(axis: int | None):
        if axis is None:
            return call("sum_all", host, host.size)
        call(f"sum_axis_{axis}", host, standing[axis], ROWS, COLUMNS)
        return standing[axis]

    numba_sum = {None: numba_loops.sum_all, 0: numba_loops.sum_axis_0, 1: numba_loops.sum_axis_1}
    text = {None: "sum(x)", 0: "sum(x, axis=0)", 1: "sum(x, axis=1)"}
    rows = []
    for axis, where in AXES.items():
        contestants = {
            "NumPy": lambda axis=axis: np.sum(host, axis=axis),
            "hither": lambda axis=axis: done(ht.sum(x, axis=axis)),
            "numexpr": lambda axis=axis: numexpr.evaluate(text[axis], {"x": host}),
            "Numba": lambda axis=axis: numba_sum[axis](host),
            "C++": lambda axis=axis: native(axis),
        }
        case = f"sum, {where}, 4096 x 4096 float32"
        rows.append(contest(case, contestants, effort, Budget(1.05, "best"), tolerance=1e-3))
        means = {
            "NumPy": lambda axis=axis: np.mean(host, axis=axis),
            "hither": lambda axis=axis: done(ht.mean(x, axis=axis)),
        }
        case = f"mean, {where}"
        rows.append(contest(case, means, effort, Budget(1.05, "best"), tolerance=1e-3))
    return rows


def _argmaxes(effort: Effort, host: np.ndarray, x: ht.Array) -> list[Row]:
    standing = {0: np.empty(COLUMNS, np.int64), 1: np.empty(ROWS, np.int64)}

    def native(axis: int | None):
        if axis is None:
            return call("argmax_all", host, host.size)
        call(f"argmax_axis_{axis}", host, standing[axis], ROWS, COLUMNS)
        return standing[axis]

    numba_argmax = {
        None: numba_loops.argmax_all,
        0: numba_loops.argmax_axis_0,
        1: numba_loops.argmax_axis_1,
    }
    rows = []
    for axis, where in AXES.items():
        contestants = {
            "NumPy": lambda axis=axis: np.argmax(host, axis=axis),
            "hither": lambda axis=axis: done(ht.argmax(x, axis=axis)),
            "Numba": lambda axis=axis: numba_argmax[axis](host),
            "C++": lambda axis=axis: native(axis),
        }
        rows.append(contest(f"argmax, {where}", contestants, effort, Budget(0.5, "best")))
    return rows


def _fused(effort: Effort, host: np.ndarray, x: ht.Array) -> Row:
    other = host[::-1].copy()
    y = ht.asarray(other)
    return contest(
        "sum of squared differences",
        {
            "NumPy": lambda: np.sum((host - other) ** 2),
            "hither": lambda: done(ht.sum((x - y) ** 2)),
            "numexpr": lambda: numexpr.evaluate("sum((x - y)**2)", {"x": host, "y": other}),
            "Numba": lambda: numba_loops.squared_distance(host, other),
        },
        effort,
        Budget(1.05, "best"),
        tolerance=1e-3,
    )


def rows(effort: Effort) -> list[Row]:
    host = np.random.default_rng(1).random((ROWS, COLUMNS), np.float32)
    x = ht.asarray(host)
    return [*_sums(effort, host, x), *_argmaxes(effort, host, x), _fused(effort, host, x)]
