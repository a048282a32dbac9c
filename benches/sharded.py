"""Sharded arrays compared with arrays of one queue: the parts of one device, which may take at most
1 / 0.85 of the time of the undivided device, and several devices.

`python benches/sharded.py cuda:gpu:0 cuda:gpu:1 ...` compares several devices with the first one,
on the sizes of issue 29 (`--scale 4` divides each extent by 4).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from table import compare_devices
from timing import Budget, Effort, Row, contest

import hither as ht
import hither.numpy as hnp

EFFICIENCY = 0.85
UNDIVIDED = "undivided"
QUICK = 0.5  # seconds of effort below which arrays are smaller
STEPS = 8


def heat(x: Any, y: Any) -> Any:
    """Steps of Jacobi's iteration: each part needs one row of its neighbours."""
    for _ in range(STEPS):
        y[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
        x, y = y, x
    return x


def chain(x: Any) -> Any:
    """Ten element-wise operations."""
    y = hnp.sqrt(x * x + 1) - x
    return hnp.exp(-y) * hnp.sin(y) + 0.5 * y


def black_scholes(price: Any, strike: Any) -> Any:
    """Prices of European call options, without interest, after one year."""
    volatility = 0.2
    d1 = hnp.log(price / strike) / volatility + volatility / 2
    d2 = d1 - volatility

    def normal(d: Any) -> Any:  # Abramowitz and Stegun 26.2.17
        k = 1 / (1 + 0.2316419 * abs(d))
        sum_ = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (
            -1.821255978 + k * 1.330274429))))  # fmt: skip
        tail = 0.3989422804014327 * hnp.exp(-0.5 * d * d) * sum_
        return hnp.where(d > 0, 1 - tail, tail)

    return price * normal(d1) - strike * normal(d2)


@ht.kernel
def five_points(x, y):  # type: ignore[no-untyped-def]
    i, j = ht.get_global_id(0), ht.get_global_id(1)
    if i > 0 and i + 1 < x.shape[0] and j > 0 and j + 1 < x.shape[1]:
        y[i, j] = 0.25 * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])


def heat_kernel(x: Any, y: Any) -> Any:
    for _ in range(STEPS):
        if isinstance(x, ht.Array):
            five_points(x, y)
        else:
            five_points.sharded(x.mesh, halo=1)(x, y)
        x, y = y, x
    return x


Making = Callable[[tuple[int, ...], int, str], Any]
# case -> (function, shapes of its operands on CPUs and on several GPUs, dtype)
CASES: dict[str, tuple[Callable[..., Any], list[tuple[int, ...]], list[tuple[int, ...]], str]] = {
    "heat": (heat, [(8192, 8192)] * 2, [(16384, 16384)] * 2, "float64"),
    "heat, a kernel": (heat_kernel, [(8192, 8192)] * 2, [(16384, 16384)] * 2, "float64"),
    "ten operations": (chain, [(8192, 8192)], [(16384, 16384)], "float64"),
    "matmul": (lambda x, y: x @ y, [(8192, 8192)] * 2, [(16384, 16384)] * 2, "float32"),
    "Black-Scholes": (black_scholes, [(40_000_000,)] * 2, [(400_000_000,)] * 2, "float64"),
    "sum": (lambda x: x.sum(), [(8192, 8192)], [(16384, 16384)], "float64"),
}


def operand(shape: tuple[int, ...], place: int, dtype: str, queue: Any) -> Any:
    """An array of numbers between 0.5 and 1.5."""
    size = 1
    for extent in shape:
        size *= extent
    ramp = ht.arange(size, dtype="int64", queue=queue)
    values = ht.astype((ramp * (place + 7919)) % 1009, dtype) * (1 / 1009) + 0.5
    return ht.reshape(ht.astype(values, dtype), shape)


def calls(case: str, mesh: ht.Mesh | None, queue: Any, shapes: list[tuple[int, ...]]) -> Any:
    """Two calls: one that returns a number of the result, and one that computes it."""
    function, _, _, dtype = CASES[case]
    given = [operand(shape, k, dtype, queue) for k, shape in enumerate(shapes)]
    for x in given:
        ht.synchronize(x)
    operands = given if mesh is None else [ht.shard(x, mesh) for x in given]
    # Iterations exchange their operands, and each measurement begins with the same ones.

    def compute() -> Any:
        result = function(*operands)
        result.synchronize()
        return result

    def answer() -> float:
        return float(compute().mean())

    return answer, compute


def contest_of(
    case: str, meshes: dict[str, ht.Mesh], queue: Any, shapes: list[tuple[int, ...]],
    effort: Effort,
) -> dict[str, float]:  # fmt: skip
    """The seconds of each mesh, and of the undivided array."""
    made = {UNDIVIDED: calls(case, None, queue, shapes)}
    made |= {name: calls(case, mesh, queue, shapes) for name, mesh in meshes.items()}
    answers = {name: both[0] for name, both in made.items()}
    row = contest(case, answers, effort, None, 1e-5, {n: both[1] for n, both in made.items()})
    if row.wrong:
        raise SystemExit(f"{case}: {', '.join(row.wrong)} differ from the undivided array")
    return row.times


def rows(effort: Effort) -> list[Row]:
    """The parts of the CPU."""
    cpu = ht.Device("cpu")
    scale = 4 if effort.seconds < QUICK else 1
    counts = [1, *(p for p in (2, 4, 8) if p <= cpu.max_compute_units)]
    meshes = {f"{p} parts": ht.Mesh(cpu, parts=p) for p in counts}
    found = []
    for case, (_, shapes, _, _) in CASES.items():
        small = [tuple(extent // scale for extent in shape) for shape in shapes]
        times = contest_of(case, meshes, cpu.default_queue, small, effort)
        for name in meshes:
            pair = {UNDIVIDED: times[UNDIVIDED], "hither": times[name]}
            found.append(Row(f"{case}, {name}", pair, Budget(1 / EFFICIENCY, UNDIVIDED)))
    return found


def rows_of_devices(names: list[str], effort: Effort, scale: int) -> list[Row]:
    """2, 4, ... of the devices, compared with the first."""
    first = ht.default_queue(names[0])
    counts = [p for p in (2, 4, 8) if p <= len(names)]
    found = []
    for case, (_, _, shapes, _) in CASES.items():
        small = [tuple(extent // scale for extent in shape) for shape in shapes]
        for count in counts:
            mesh = ht.Mesh(names[:count])
            times = contest_of(case, {"hither": mesh}, first, small, effort)
            against = Budget(1 / (EFFICIENCY * count), UNDIVIDED)
            found.append(Row(f"{case}, {count} devices", times, against))
            ht.release_cached()
    return found


if __name__ == "__main__":
    sys.exit(compare_devices("sharded", __doc__, rows_of_devices, 1))
