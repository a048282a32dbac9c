"""Contestants of benches/gpu.py: launches by other packages, and direct calls of cuBLAS."""

from __future__ import annotations

import importlib
import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np

import hither as ht

CUBLAS_TYPES = {"float16": 2, "float32": 0, "float64": 1, "complex64": 4, "complex128": 5}
COMPUTE_FLOAT, COMPUTE_DOUBLE, DEFAULT_ALGORITHM = 68, 70, -1
COMPUTE_ROUNDED = {"bfloat16": 75, "tensorfloat32": 77}

Launch = tuple[Callable[[], Any], Callable[[], Any]]
"""A call, and a function that waits for it."""


def installed(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def numba_launch(host: np.ndarray) -> Launch | None:
    """z = x + y by numba-cuda."""
    cuda = installed("numba.cuda")
    if cuda is None or not cuda.is_available():
        return None

    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # which numba-cuda 0.28 still asks NumPy 2.5 for

    @cuda.jit
    def add(x, y, z):
        i = cuda.grid(1)
        if i < z.size:
            z[i] = x[i] + y[i]

    x, y, z = (cuda.to_device(host) for _ in range(3))
    configured = add[math.ceil(host.size / 256), 256]
    return lambda: configured(x, y, z), cuda.synchronize


def triton_launch(host: np.ndarray) -> Launch | None:
    """The same by Triton, on tensors of torch."""
    triton, torch = installed("triton"), installed("torch")
    if triton is None or torch is None:
        return None
    from gpu_triton import add

    x, y, z = (torch.from_numpy(host).cuda() for _ in range(3))
    configured = add[(math.ceil(host.size / 1024),)]
    return lambda: configured(x, y, z, host.size, block=1024), torch.cuda.synchronize


def warp_launch(host: np.ndarray) -> Launch | None:
    """The same by Warp."""
    warp = installed("warp")
    if warp is None:
        return None
    from gpu_warp import add

    warp.config.quiet = True
    x, y, z = (warp.array(host, dtype=warp.float64, device="cuda") for _ in range(3))
    return (
        lambda: warp.launch(add, dim=host.size, inputs=[x, y, z], device="cuda"),
        warp.synchronize,
    )


def jax_on_gpu() -> Any:
    """JAX with float64 and without preallocation of the GPU's memory; or None."""
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    jax = installed("jax")
    if jax is None or jax.default_backend() != "gpu":
        return None
    jax.config.update("jax_enable_x64", True)
    return jax


def jax_launch(host: np.ndarray) -> Launch | None:
    """x + y by JAX's jit, which makes a new array."""
    jax = jax_on_gpu()
    if jax is None:
        return None
    x, y = jax.numpy.asarray(host), jax.numpy.asarray(host)
    add = jax.jit(lambda x, y: x + y)
    last = [add(x, y)]

    def call() -> None:
        last[0] = add(x, y)

    return call, lambda: last[0].block_until_ready()


LAUNCHES = {"numba-cuda": numba_launch, "Triton": triton_launch, "Warp": warp_launch,
            "JAX": jax_launch}  # fmt: skip


def product_of_cublas(a: np.ndarray, b: np.ndarray, precision: str | None = None) -> Launch | None:
    """a @ b of square matrices by cuBLAS called directly, through CuPy's bindings of it."""
    cupy = installed("cupy")
    if cupy is None:
        return None
    cublas = importlib.import_module("cupy_backends.cuda.libs.cublas")
    wait = cupy.cuda.get_current_stream().synchronize  # CuPy gives each call its current stream
    n, dtype = a.shape[0], a.dtype
    kind = CUBLAS_TYPES[dtype.name]
    computed = np.dtype(np.float32) if dtype == np.float16 else dtype
    compute = COMPUTE_DOUBLE if dtype.char in "dD" else COMPUTE_FLOAT
    compute = COMPUTE_ROUNDED.get(precision, compute)
    one, zero = np.ones(1, computed), np.zeros(1, computed)
    x, y = cupy.asarray(a), cupy.asarray(b)
    results = [cupy.empty((n, n), dtype) for _ in range(2)]
    handle = cupy.cuda.device.get_cublas_handle()

    def call() -> None:
        results.reverse()
        cublas.gemmEx(
            handle, 0, 0, n, n, n, one.ctypes.data, y.data.ptr, kind, n, x.data.ptr, kind, n,
            zero.ctypes.data, results[0].data.ptr, kind, n, compute, DEFAULT_ALGORITHM,
        )  # fmt: skip

    return call, wait


def product_of_cupy(a: np.ndarray, b: np.ndarray) -> Launch | None:
    """a @ b of integers, for which there is no cuBLAS, by CuPy's kernel."""
    cupy = installed("cupy")
    if cupy is None:
        return None
    x, y = cupy.asarray(a), cupy.asarray(b)
    return lambda: cupy.matmul(x, y), cupy.cuda.get_current_stream().synchronize


def product_of_hither(
    a: np.ndarray, b: np.ndarray, queue: ht.Queue, precision: str | None = None
) -> Launch:
    """a @ b by hither."""
    x, y = (ht.asarray(m, queue=queue) for m in (a, b))
    results: list[Any] = [None, None]

    def call() -> None:
        results.reverse()
        results[0] = ht.matmul(x, y, precision=precision)
        results[0].evaluate()

    return call, queue.wait
