"""SciPy's solvers, filters and special functions, and the same functions of other libraries."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse
from cpu_libraries import of_numpy
from gpu_libraries import Library
from programs.arrays import array_work
from row_specs import Spec, Work
from timing import HITHER

import hither.numpy

PACKAGES = {
    HITHER: "hither.scipy", "NumPy": "scipy", "JAX jit": "jax.scipy", "CuPy": "cupyx.scipy",
}  # fmt: skip


def of_scipy(lib: Library, module: str) -> Any:
    return importlib.import_module(f"{PACKAGES[lib.name]}.{module}")


def scipy_work(
    spec: Spec, function: Callable, hosts: list[Any], tolerance: float, **more: Any
) -> Work:
    return array_work(
        spec, function, hosts, tolerance, SciPy=lambda: function(of_numpy(), *hosts), **more
    )


def laplacian(side: int) -> Any:
    """The five-point Laplacian of a square grid with Dirichlet boundaries."""
    line = scipy.sparse.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(side, side))
    one = scipy.sparse.eye_array(side)
    made = scipy.sparse.kron(line, one, "csr") + scipy.sparse.kron(one, line, "csr")
    return scipy.sparse.csr_array(made)


def with_matrices(lib: Library, host: Any) -> Any:
    """An array of the library, or its matrix of compressed rows."""
    if not scipy.sparse.issparse(host):
        return lib.array(host)
    if lib.name == "JAX jit":
        from jax.experimental.sparse import BCSR

        return BCSR.from_scipy_sparse(scipy.sparse.csr_matrix(host))
    parts = tuple(lib.array(part) for part in (host.data, host.indices, host.indptr))
    return of_scipy(lib, "sparse").csr_matrix(parts, shape=host.shape)


def steps_of_cg(lib: Library, a: Any, b: Any, steps: int) -> Any:
    """So many iterations: none reaches the tolerance 0, which JAX and older CuPys call tol."""
    cg = of_scipy(lib, "sparse.linalg").cg
    name = "tol" if "tol" in inspect.signature(cg).parameters else "rtol"
    return cg(a, b, maxiter=steps, **{name: 0.0})[0]


def conjugate_gradients(spec: Spec) -> Work:
    """Of a sparse matrix. PyTorch has no iterative solver."""
    side, steps = spec.sizes
    hosts = [laplacian(side).astype(spec.dtype), spec.numbers(side * side)]
    return scipy_work(
        spec, lambda lib, a, b: steps_of_cg(lib, a, b, steps), hosts, 1e-8, array=with_matrices
    )


def conjugate_gradients_of_stencil(spec: Spec) -> Work:
    """Of the same Laplacian as a function of a vector, which is how users of JAX write it."""
    side, steps = spec.sizes

    def solution(lib: Library, b: Any) -> Any:
        namespace = hither.numpy if lib.name == HITHER else lib.namespace

        def times(v: Any) -> Any:
            u = namespace.pad(v.reshape(side, side), 1)
            near = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
            return (4 * u[1:-1, 1:-1] - near).reshape(-1)

        if lib.name == "JAX jit":
            return steps_of_cg(lib, times, b, steps)
        operator = of_scipy(lib, "sparse.linalg").LinearOperator
        a = operator((side * side, side * side), matvec=times, dtype=np.dtype(spec.dtype))
        return steps_of_cg(lib, a, b, steps)

    return scipy_work(spec, solution, [spec.numbers(side * side)], 1e-8)


def batched_solve(spec: Spec) -> Work:
    """Of one vector for each matrix. SciPy's solve is NumPy's with more checks."""
    count, side = spec.sizes
    a = spec.numbers(count, side, side) + side * np.eye(side, dtype=spec.dtype)
    b = spec.numbers(count, side, 1, seed=1)
    return array_work(spec, lambda lib, a, b: lib.namespace.linalg.solve(a, b), [a, b], 1e-8)


def gaussian_filter(spec: Spec) -> Work:
    """JAX and PyTorch have none: they convolve along one axis and then along the other."""
    side, sigma = spec.sizes
    radius = int(4 * sigma + 0.5)
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    taps = (weights / weights.sum()).tolist()

    def smooth(lib: Library, x: Any) -> Any:
        if lib.is_torch:
            return convolved_by_torch(lib.namespace, x, taps)
        if lib.name == "JAX jit":
            return convolved_by_jax(lib.namespace, x, taps)
        return of_scipy(lib, "ndimage").gaussian_filter(x, sigma)

    tolerance = 1e-5 if spec.dtype == "float32" else 1e-10
    return scipy_work(spec, smooth, [spec.numbers(side, side)], tolerance)


def convolved_by_jax(namespace: Any, x: Any, taps: list[float]) -> Any:
    """As a sum of shifted slices, which is compiled to one loop for each axis."""
    radius = len(taps) // 2
    for axis in (0, 1):
        width = [(radius, radius) if a == axis else (0, 0) for a in (0, 1)]
        wide = namespace.moveaxis(namespace.pad(x, width, mode="symmetric"), axis, 0)
        total = sum(tap * wide[k : k + x.shape[axis]] for k, tap in enumerate(taps))
        x = namespace.moveaxis(total, 0, axis)
    return x


def convolved_by_torch(torch: Any, x: Any, taps: list[float]) -> Any:
    torch.backends.cudnn.allow_tf32 = False  # the others compute float32
    radius = len(taps) // 2
    kernel = x.new_tensor(taps)
    for axis, shape in ((0, (1, 1, -1, 1)), (1, (1, 1, 1, -1))):
        first, last = (x.narrow(axis, start, radius).flip(axis)
                       for start in (0, x.shape[axis] - radius))  # fmt: skip
        wide = torch.cat([first, x, last], axis)
        x = torch.nn.functional.conv2d(wide[None, None], kernel.reshape(shape))[0, 0]
    return x


def erfinv(spec: Spec) -> Work:
    """Of numbers between -1 and 1, near which some libraries lose half of the digits."""

    def inverse(lib: Library, x: Any) -> Any:
        return (lib.namespace if lib.is_torch else of_scipy(lib, "special")).erfinv(x)

    tolerance = 1e-4 if spec.dtype == "float32" else 1e-8
    return scipy_work(spec, inverse, [2 * spec.numbers(*spec.sizes) - 1], tolerance)
