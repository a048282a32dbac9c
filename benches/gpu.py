"""NVIDIA GPUs, compared with CuPy, PyTorch and copies of as many bytes within the device.

The calls of a row are submitted in a batch and waited for once, so a row shows the longer of the
device's time and the host's time. Rows named "host" stop the clock before the wait.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import gpu_kernels
import numpy as np
from batches import Contestant, contest
from functions import rows_on_gpu as functions
from gpu_libraries import Library, compiled_libraries, libraries
from gpu_peers import (
    LAUNCHES,
    Launch,
    installed,
    product_of_cublas,
    product_of_cupy,
    product_of_hither,
)  # fmt: skip
from small import chain_of_ten
from timing import HITHER, Budget, Effort, Row

import hither as ht

COPY = "copy"
LARGE = 1 << 26


def entry(
    library: Library, function: Callable, hosts: list[np.ndarray], read: Callable = lambda a: a
) -> Contestant:
    """`read` makes the results of all libraries comparable."""
    arrays = [library.array(h) for h in hosts]
    compiled = library.compiled(partial(function, library))

    def call() -> Any:
        result = compiled(*arrays)
        library.start(*result) if isinstance(result, tuple) else library.start(result)
        return result

    def answer() -> Any:
        result = call()
        if isinstance(result, tuple):
            return tuple(library.numpy(r) for r in result)
        return read(library.numpy(result))

    return Contestant(call, library.wait, answer)


def copying(queue: ht.Queue, nbytes: int) -> Contestant:
    """Reads half of `nbytes` and writes as many."""
    source, target = (ht.MemoryUSMDevice(nbytes // 2, queue=queue) for _ in range(2))
    return Contestant(lambda: queue.memcpy(target, source), queue.wait)


def triad(library: Library, x: Any, y: Any) -> Any:
    return x + 3.0 * y


def chain_of_eight(library: Library, x: Any, y: Any) -> Any:
    m = library.namespace
    return m.sqrt(m.abs((x + y) * (x - y) + 0.5 * x)) * y - 0.25


def black_scholes(library: Library, spot: Any, strike: Any, years: Any) -> Any:
    m, rate, volatility = library.namespace, 0.02, 0.3

    def below(d: Any) -> Any:
        return 0.5 + 0.5 * library.erf(d * 0.5**0.5)

    spread = volatility * m.sqrt(years)
    first = (m.log(spot / strike) + (rate + volatility**2 / 2) * years) / spread
    discounted = strike * m.exp(-rate * years)
    call = spot * below(first) - discounted * below(first - spread)
    return call, call - spot + discounted


def softmax(library: Library, x: Any) -> Any:
    m = library.namespace
    largest = m.amax(x, 1, True) if library.is_torch else m.max(x, axis=1, keepdims=True)
    powers = m.exp(x - largest)
    return powers / m.sum(powers, axis=1, keepdims=True)


def layer_norm(library: Library, x: Any, weight: Any, bias: Any) -> Any:
    m = library.namespace
    along = {"dim": 1, "keepdim": True} if library.is_torch else {"axis": 1, "keepdims": True}
    distance = x - m.mean(x, **along)
    variance = m.mean(distance * distance, **along)
    return distance / m.sqrt(variance + 1e-5) * weight + bias


def running_sum(library: Library, x: Any, axis: int = 0) -> Any:
    if library.name == HITHER:
        return ht.cumulative_sum(x, axis=axis)
    return library.namespace.cumsum(x, axis)


def all_contestants(
    all_of: list[Library], function: Callable, hosts: list[np.ndarray], **read: Callable
) -> dict[str, Contestant]:
    """All libraries, also those that compile the whole function, where they can."""
    found = {library.name: entry(library, function, hosts, **read) for library in all_of}
    for library in compiled_libraries():
        try:
            candidate = entry(library, function, hosts, **read)
            candidate.call()
        except Exception as error:
            reason = str(error).splitlines()[:1]
            print(f"{library.name} is left out of {function.__name__}: {reason}")
        else:
            found[library.name] = candidate
    # The last answer is the expected one: that of an eager library.
    return dict(sorted(found.items(), key=lambda named: named[0] == all_of[-1].name))


def elementwise(effort: Effort, queue: ht.Queue, all_of: list[Library]) -> list[Row]:
    random = np.random.default_rng(1)
    x, y = (random.random(LARGE, dtype=np.float32) for _ in range(2))
    prices = [5 + 25 * random.random(LARGE // 4), 10 + 90 * random.random(LARGE // 4),
              0.25 + 9.75 * random.random(LARGE // 4)]  # fmt: skip
    rows = []
    for case, function, hosts, results, share in (
        ("triad, 64M float32", triad, [x, y], 1, 0.97),
        ("chain of eight, 64M float32", chain_of_eight, [x, y], 1, 0.96),
        ("Black-Scholes, 16M float64", black_scholes, prices, 2, 0.77),
    ):
        contestants = all_contestants(all_of, function, hosts)
        moved = sum(h.nbytes for h in hosts) + results * hosts[0].nbytes
        contestants[COPY] = copying(queue, moved)
        rows.append(contest(case, contestants, effort, Budget(1 / share, COPY)))
    return rows


def mathematics(effort: Effort, queue: ht.Queue, all_of: list[Library]) -> list[Row]:
    """Functions whose arithmetic takes about as long as a copy of their operands."""
    random = np.random.default_rng(6)
    rows = []
    for name, dtype, share in (
        ("pow", "float64", 0.85), ("pow", "float32", 0.7), ("log1p", "float64", 0.9),
        ("tanh", "float64", 0.8), ("sin", "float64", 0.9),
    ):  # fmt: skip
        hosts = [(0.01 + scale * random.random(LARGE // 4)).astype(dtype) for scale in (0.98, 4)]
        hosts = hosts if name == "pow" else hosts[:1]

        def function(library: Library, *x: Any, name: str = name) -> Any:
            m = library.namespace
            return getattr(m, "power" if name == "pow" and not library.is_torch else name)(*x)

        contestants = {library.name: entry(library, function, hosts) for library in all_of}
        contestants[COPY] = copying(queue, (len(hosts) + 1) * hosts[0].nbytes)
        rows.append(contest(f"{name}, 16M {dtype}", contestants, effort, Budget(1 / share, COPY)))
    return rows


def reductions(effort: Effort, queue: ht.Queue, all_of: list[Library]) -> list[Row]:
    side = 16384
    host = np.random.default_rng(2).random((side, side), dtype=np.float32)
    rows = []
    for name, share in (("sum", 0.85), ("mean", 0.85), ("argmax", 0.85)):
        for axis, where in ((None, "all"), (0, "axis 0"), (1, "axis 1")):
            axes = {} if axis is None else {"axis": axis}

            def function(library: Library, x: Any, name: str = name, axes: dict = axes) -> Any:
                return getattr(library.namespace, name)(x, **axes)

            def largest(where: np.ndarray, axis: int | None = axis) -> np.ndarray:
                """The elements: libraries may return different indices of equal elements."""
                if axis is None:
                    return host.reshape(-1)[where]
                return np.take_along_axis(host, np.expand_dims(where, axis), axis)

            read = {"read": largest} if name == "argmax" else {}
            contestants = all_contestants(all_of, function, [host], **read)
            contestants[COPY] = copying(queue, host.nbytes)
            case = f"{name}, {where}, {side} x {side} float32"
            rows.append(contest(case, contestants, effort, Budget(1 / share, COPY), 1e-3))
    return rows


def rows_and_scans(effort: Effort, queue: ht.Queue, all_of: list[Library]) -> list[Row]:
    random = np.random.default_rng(3)
    square = random.random((16384, 16384), dtype=np.float32)
    short = square.reshape(-1, 1024)
    weight, bias = (random.random(1024, dtype=np.float32) for _ in range(2))
    long = square.reshape(-1)[:LARGE]
    rows = []
    for case, function, hosts, share, tolerance in (
        ("softmax of rows of 1024", softmax, [short], 0.8, 1e-5),
        ("layer norm of rows of 1024", layer_norm, [short, weight, bias], 0.8, 1e-3),
        ("cumulative sum, 64M float64", running_sum, [long.astype(np.float64)], 0.7, 1e-5),
        ("cumulative sum, 64M float32", running_sum, [long], 0.7, 1e-2),
        ("cumulative sum, axis 0, 16384 x 16384", running_sum, [square], 0.7, 1e-3),
        ("cumulative sum, axis 1, 16384 x 16384",
         lambda lib, x: running_sum(lib, x, 1), [square], 0.7, 1e-3),
        ("cumulative sum, axis 1, 1M x 16",
         lambda lib, x: running_sum(lib, x, 1), [long.reshape(-1, 16)[: 1 << 20]], 0.7, 1e-3),
        ("cumulative sum, axis 1, 65536 x 256",
         lambda lib, x: running_sum(lib, x, 1), [long.reshape(-1, 256)[:65536]], 0.7, 1e-3),
    ):  # fmt: skip
        contestants = all_contestants(all_of, function, hosts)
        contestants[COPY] = copying(queue, 2 * hosts[0].nbytes)
        rows.append(contest(case, contestants, effort, Budget(1 / share, COPY), tolerance))
    return rows


def sorted_values(library: Library, x: Any) -> Any:
    return library.namespace.sort(x)[0] if library.is_torch else library.namespace.sort(x)


def stable_order(library: Library, x: Any) -> Any:
    m = library.namespace
    return m.argsort(x, stable=True) if library.is_torch else m.argsort(x)


def unique_values(library: Library, x: Any) -> Any:
    m = library.namespace
    return m.unique_values(x) if library.name == HITHER else m.unique(x)


def sorts(effort: Effort, queue: ht.Queue, all_of: list[Library]) -> list[Row]:
    """CuPy's are CUB's radix sorts."""
    random = np.random.default_rng(8)
    numbers = random.standard_normal(8_000_000, dtype=np.float32)
    integers = random.integers(0, 100_000, 8_000_000, dtype=np.int32)
    rows = []
    for case, function, host in (
        ("sort, 8M float32", sorted_values, numbers),
        ("argsort, 8M float32", stable_order, numbers),
        ("sort, rows of 1000 float32", sorted_values, numbers.reshape(-1, 1000)),
        ("unique, 8M int32", unique_values, integers),
    ):
        contestants = {library.name: entry(library, function, [host]) for library in all_of}
        rows.append(contest(case, contestants, effort, Budget(1.0, "best")))
    return rows


@ht.kernel
def add(a, b, c):
    i = ht.get_global_id(0)
    c[i] = a[i] + b[i]


CUDA_ADD = """
extern "C" __global__ void add(const double* a, const double* b, double* c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}
"""


def cupy_launch(host: np.ndarray) -> Launch | None:
    """z = x + y of float64 by a kernel of CUDA C++."""
    cupy = installed("cupy")
    if cupy is None:
        return None
    arrays = tuple(cupy.asarray(host) for _ in range(3))
    raw, groups = cupy.RawKernel(CUDA_ADD, "add"), (host.size // 256,)
    return lambda: raw(groups, (256,), arrays), cupy.cuda.get_current_stream().synchronize


def host_time(effort: Effort, queue: ht.Queue, all_of: list[Library]) -> list[Row]:
    count = 1024
    host = np.linspace(0.0, 1.0, count)
    x, y, z = (ht.asarray(host, queue=queue) for _ in range(3))
    launch = add[ht.Range(count)]
    launches = {HITHER: Contestant(lambda: launch(x, y, z), queue.wait)}
    for name, make in ({"CuPy": cupy_launch} | LAUNCHES).items():
        if pair := make(host):
            try:
                pair[0]()
            except Exception as error:
                print(f"{name} is left out: {error}")
                continue
            launches[name] = Contestant(*pair)

    def with_wait(contestant: Contestant) -> Contestant:
        return Contestant(lambda: (contestant.call(), contestant.wait()), contestant.wait)

    waited = {name: with_wait(c) for name, c in launches.items()}
    ones = {lib.name: entry(lib, lambda lib, v: v + 1.0, [host]) for lib in all_of}
    tens = {lib.name: entry(lib, lambda lib, v: chain_of_ten(v), [host]) for lib in all_of}
    return [
        contest("host: kernel of three arrays", launches, effort, Budget(0.75, "CuPy"),
                until_done=False),
        contest("the same, with a wait", waited, effort, Budget(0.87, "CuPy")),
        contest("host: one add, 1k float64", ones, effort, Budget(0.9, "torch"), until_done=False),
        contest("host: ten operations, 1k float64", tens, effort, Budget(0.12, "torch"),
                until_done=False),
    ]  # fmt: skip


def tiled(effort: Effort, queue: ht.Queue, all_of: list[Library]) -> list[Row]:
    """Kernels with shared memory, compared with the same kernels in numba-cuda and CUDA C++."""
    found = []
    for case in gpu_kernels.cases(1):
        contenders = gpu_kernels.contenders(case, queue)
        expected = case.expected()
        wrong = [n for n, c in contenders.items() if not gpu_kernels.is_right(case, c, expected)]
        timed = {n: Contestant(c.call, c.wait) for n, c in contenders.items() if n not in wrong}
        row = contest(case.title, timed, effort, Budget(1.05, "best"))
        found.append(replace(row, wrong=wrong))
    return found


def products(effort: Effort, queue: ht.Queue, all_of: list[Library]) -> list[Row]:
    """Products of matrices, compared with direct calls of cuBLAS."""
    found = []
    random = np.random.default_rng(1)
    cases = (
        ("float16", 8192, None), ("float32", 4096, None), ("float64", 4096, None),
        ("complex64", 4096, None), ("float32", 512, None), ("float32", 8192, "tensorfloat32"),
        ("float32", 8192, "bfloat16"),
    )  # fmt: skip
    for dtype, n, precision in cases:
        a, b = (random.standard_normal((n, n), np.float32).astype(dtype) for _ in range(2))
        contestants = {HITHER: Contestant(*product_of_hither(a, b, queue, precision))}
        if pair := product_of_cublas(a, b, precision):
            contestants["cuBLAS"] = Contestant(*pair)
        budget = Budget(1.02, "cuBLAS") if n > 1024 else None
        case = f"{n} x {n} product, {dtype}" + (f" in {precision}" if precision else "")
        found.append(contest(case, contestants, effort, budget))
    for dtype in ("int32", "int64"):
        a, b = (random.integers(-9, 9, (2048, 2048)).astype(dtype) for _ in range(2))
        contestants = {HITHER: Contestant(*product_of_hither(a, b, queue))}
        if pair := product_of_cupy(a, b):
            contestants["CuPy"] = Contestant(*pair)
        case = f"2048 x 2048 product, {dtype}"
        found.append(contest(case, contestants, effort, Budget(1.0, "CuPy")))
    return found


def vendor_libraries(effort: Effort, queue: ht.Queue, all_of: list[Library]) -> list[Row]:
    """Transforms and linear algebra; all contestants call the same NVIDIA libraries."""
    random = np.random.default_rng(2)
    signal = random.standard_normal((1 << 22, 2), np.float32).view(np.complex64)[:, 0]
    image = random.standard_normal((4096, 4096), np.float32)
    matrix = random.standard_normal((2048, 2048)) + 60 * np.eye(2048)
    right = image[:2048, :16].astype(np.float64)
    symmetric = matrix[:1024, :1024] + matrix[:1024, :1024].T

    def case(name: str, function: Callable, *hosts: np.ndarray) -> Row:
        contestants = {lib.name: entry(lib, function, list(hosts)) for lib in all_of}
        # Contestants differ in which errors they check, and therefore wait for, in the call.
        budget = None if "cholesky" in name else Budget(1.1, "CuPy")
        return contest(name, contestants, effort, budget, tolerance=1e-3)

    return [
        case("fft, 4M complex64", lambda lib, v: lib.namespace.fft.fft(v), signal),
        case("rfft2, 4096 x 4096 float32",
             lambda lib, v: lib.namespace.fft.rfftn(v), image),
        case("solve, 2048 x 2048 float64",
             lambda lib, a, b: lib.namespace.linalg.solve(a, b), matrix, right),
        case("cholesky, 1024 x 1024 float64",
             lambda lib, a: lib.namespace.linalg.cholesky(a), symmetric),
        case("eigvalsh, 1024 x 1024 float64",
             lambda lib, a: lib.namespace.linalg.eigvalsh(a), symmetric),
    ]  # fmt: skip


def rows(effort: Effort) -> list[Row]:
    """None without an NVIDIA GPU."""
    devices = [d for d in ht.devices() if d.backend == "cuda"]
    if not devices:
        return []
    queue = devices[0].default_queue
    all_of = libraries(queue)
    groups = (host_time, elementwise, mathematics, reductions, rows_and_scans, sorts, functions,
              tiled, products, vendor_libraries)  # fmt: skip
    return [row for group in groups for row in group(effort, queue, all_of)]
