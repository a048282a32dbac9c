"""Kernels with shared memory on NVIDIA GPUs: one source for hither and numba-cuda, and CUDA C++.

The Python kernels are compiled twice from the same source, once for each namespace. NVRTC compiles
the C++ kernels, through CuPy. The results are compared with NumPy's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from gpu_peers import installed

import hither as ht
from hither.compat import numba_cuda as hither_cuda

TILE, RADIUS, GROUP, BINS = 16, 2, 256, 256
EDGE, SPAN = TILE + 2 * RADIUS, 2 * RADIUS + 1
BLOCKS = 2112  # sixteen a multiprocessor of an H200
SOFT = np.float32(1e-3)


def planes(cuda: Any) -> dict[str, Any]:
    """Kernels of two dimensions for the namespace `cuda`: numba.cuda, or hither's module for it."""

    @cuda.jit
    def product(a, b, c):
        rows = cuda.shared.array((TILE, TILE), np.float32)
        columns = cuda.shared.array((TILE, TILE), np.float32)
        j, i = cuda.grid(2)
        x, y = cuda.threadIdx.x, cuda.threadIdx.y
        total = np.float32(0)
        for t in range(0, a.shape[1], TILE):
            rows[y, x] = a[i, t + x]
            columns[y, x] = b[t + y, j]
            cuda.syncthreads()
            for k in range(TILE):
                total += rows[y, k] * columns[k, x]
            cuda.syncthreads()
        c[i, j] = total

    @cuda.jit
    def convolve(image, weights, out):
        tile = cuda.shared.array((EDGE, EDGE), np.float32)
        n = image.shape[0]
        x, y = cuda.threadIdx.x, cuda.threadIdx.y
        left, top = cuda.blockIdx.x * TILE, cuda.blockIdx.y * TILE
        for a in range(y, EDGE, TILE):
            for b in range(x, EDGE, TILE):
                tile[a, b] = image[
                    min(max(top + a - RADIUS, 0), n - 1), min(max(left + b - RADIUS, 0), n - 1)
                ]
        cuda.syncthreads()
        total = np.float32(0)
        for a in range(SPAN):
            for b in range(SPAN):
                total += weights[a, b] * tile[y + a, x + b]
        out[top + y, left + x] = total

    return {"product": product, "convolve": convolve}


def lines(cuda: Any) -> dict[str, Any]:
    """Kernels of one dimension."""

    @cuda.jit
    def reduce(values, sums):
        tile = cuda.shared.array(GROUP, np.float32)
        item = cuda.threadIdx.x
        total = np.float32(0)
        for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
            total += values[i]
        tile[item] = total
        cuda.syncthreads()
        half = GROUP // 2
        while half > 0:
            if item < half:
                tile[item] += tile[item + half]
            cuda.syncthreads()
            half //= 2
        if item == 0:
            sums[cuda.blockIdx.x] = tile[0]

    @cuda.jit
    def attract(bodies, forces):
        tile = cuda.shared.array((GROUP, 4), np.float32)
        item, i = cuda.threadIdx.x, cuda.grid(1)
        x, y, z = bodies[i, 0], bodies[i, 1], bodies[i, 2]
        fx, fy, fz = np.float32(0), np.float32(0), np.float32(0)
        for t in range(0, bodies.shape[0], GROUP):
            for k in range(4):
                tile[item, k] = bodies[t + item, k]
            cuda.syncthreads()
            for k in range(GROUP):
                dx, dy, dz = tile[k, 0] - x, tile[k, 1] - y, tile[k, 2] - z
                near = dx * dx + dy * dy + dz * dz + SOFT
                pull = tile[k, 3] / (near * math.sqrt(near))
                fx += dx * pull
                fy += dy * pull
                fz += dz * pull
            cuda.syncthreads()
        forces[i, 0], forces[i, 1], forces[i, 2] = fx, fy, fz

    @cuda.jit
    def histogram(values, counts):
        bins = cuda.shared.array(BINS, np.int32)
        item = cuda.threadIdx.x
        bins[item] = 0
        cuda.syncthreads()
        for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
            cuda.atomic.add(bins, values[i], 1)
        cuda.syncthreads()
        cuda.atomic.add(counts, item, bins[item])

    return {"reduce": reduce, "attract": attract, "histogram": histogram}


def kernel_of(cuda: Any, name: str) -> Any:
    return (planes(cuda) | lines(cuda))[name]


@dataclass(frozen=True)
class Case:
    """`sizes` are the arguments of the C++ kernel after its arrays; `result` begins as zeros."""

    title: str
    kernel: str
    arrays: list[np.ndarray]
    result: np.ndarray
    blocks: tuple[int, ...]
    threads: tuple[int, ...]
    sizes: tuple[int, ...]
    expected: Callable[[], np.ndarray]
    read: Callable[[np.ndarray], np.ndarray] = lambda result: result
    tolerance: float = 1e-4


def pulls(bodies: np.ndarray, count: int) -> np.ndarray:
    """The first `count` forces, in float64."""
    place, mass = bodies[:, :3].astype(np.float64), bodies[:, 3].astype(np.float64)
    forces = np.empty((count, 3))
    for i in range(count):
        d = place - place[i]
        near = (d * d).sum(1) + SOFT
        forces[i] = (d * (mass / (near * np.sqrt(near)))[:, None]).sum(0)
    return forces


def convolved(image: np.ndarray, weights: np.ndarray) -> np.ndarray:
    padded = np.pad(image, RADIUS, mode="edge")
    n = image.shape[0]
    return sum(
        weights[a, b] * padded[a : a + n, b : b + n] for a in range(SPAN) for b in range(SPAN)
    )


def cases(scale: int) -> list[Case]:
    """Sizes are divided by `scale`, so that the kernels can be tried on slower devices."""
    random = np.random.default_rng(5)
    side, edge, bodies = 4096 // scale, 8192 // scale, 65536 // scale
    long, checked = (1 << 26) // scale**2, 64
    a, b = (random.random((side, side), np.float32) for _ in range(2))
    line = random.random(long, np.float32)
    image, weights = random.random((edge, edge), np.float32), random.random((5, 5), np.float32)
    stars = random.random((bodies, 4), np.float32)
    bins = random.integers(0, BINS, long).astype(np.int32)
    tiles, few = (TILE, TILE), min(BLOCKS, long // GROUP)
    return [
        Case(f"tiled product, {side} x {side} float32", "product", [a, b],
             np.zeros_like(a), (side // TILE,) * 2, tiles, (side,), lambda: a @ b),
        Case(f"reduction, {long >> 20}M float32", "reduce", [line], np.zeros(few, np.float32),
             (few,), (GROUP,), (long,), lambda: line.sum(dtype=np.float64),
             lambda sums: sums.sum(dtype=np.float64)),
        Case(f"convolution 5 x 5, {edge} x {edge} float32", "convolve", [image, weights],
             np.zeros_like(image), (edge // TILE,) * 2, tiles, (edge,),
             lambda: convolved(image, weights)),
        Case(f"n-body, {bodies >> 10}k float32", "attract", [stars],
             np.zeros((bodies, 3), np.float32), (bodies // GROUP,), (GROUP,), (bodies,),
             lambda: pulls(stars, checked), lambda forces: forces[:checked], 1e-3),
        Case(f"histogram of 256, {long >> 20}M int32", "histogram", [bins],
             np.zeros(BINS, np.int32), (few,), (GROUP,), (long,),
             lambda: np.bincount(bins, minlength=BINS)),
    ]  # fmt: skip


@dataclass(frozen=True)
class Contender:
    call: Callable[[], Any]
    wait: Callable[[], Any]
    answer: Callable[[], np.ndarray]


def by_ours(case: Case, queue: ht.Queue) -> Contender:
    kernel = kernel_of(hither_cuda, case.kernel)
    arrays = [ht.asarray(a, queue=queue) for a in (*case.arrays, case.result)]
    launch = kernel[case.blocks, case.threads]
    return Contender(lambda: launch(*arrays), queue.wait, lambda: ht.asnumpy(arrays[-1]))


def by_numba(case: Case) -> Contender | None:
    cuda = installed("numba.cuda")
    if cuda is None or not cuda.is_available():
        return None
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # which numba-cuda 0.28 still asks NumPy 2.5 for
    kernel = kernel_of(cuda, case.kernel)
    arrays = [cuda.to_device(a) for a in (*case.arrays, case.result)]
    launch = kernel[case.blocks, case.threads]
    return Contender(lambda: launch(*arrays), cuda.synchronize, arrays[-1].copy_to_host)


def by_cuda(case: Case) -> Contender | None:
    cupy = installed("cupy")
    if cupy is None:
        return None
    source = (Path(__file__).parent / "native" / "gpu_kernels.cu").read_text()
    kernel = cupy.RawModule(code=source).get_function(case.kernel)
    arrays = [cupy.asarray(a) for a in (*case.arrays, case.result)]
    arguments = (*arrays, *map(np.int32, case.sizes))
    return Contender(
        lambda: kernel(case.blocks, case.threads, arguments),
        cupy.cuda.get_current_stream().synchronize,
        lambda: cupy.asnumpy(arrays[-1]),
    )


def contenders(case: Case, queue: ht.Queue) -> dict[str, Contender]:
    found = {
        "hither": by_ours(case, queue),
        "numba-cuda": by_numba(case),
        "CUDA C++": by_cuda(case),
    }
    return {name: made for name, made in found.items() if made}


def is_right(case: Case, contender: Contender, expected: np.ndarray) -> bool:
    """Runs it once, as the first."""
    contender.call()
    contender.wait()
    given = case.read(contender.answer())
    return bool(np.allclose(given, expected, rtol=case.tolerance, atol=case.tolerance))
