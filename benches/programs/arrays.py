"""Expressions of arrays: one text for all libraries, and the loops of Numba and numexpr."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import gpu
import numba_loops
import numpy as np
from batches import Contestant
from cpu_libraries import array_libraries, of_numpy
from gpu_libraries import Library
from kernel_peers import TAPS
from row_specs import Spec, Work
from timing import HITHER


def of_call(call: Callable[[], Any]) -> Contestant:
    return Contestant(call, lambda: None, call)


def array_work(
    spec: Spec, function: Callable, hosts: list[np.ndarray], tolerance: float = 1e-5,
    read: Callable = lambda a: a, array: Callable = lambda library, host: library.array(host),
    **more: Callable[[], Any],
) -> Work:  # fmt: skip
    """`array` copies an operand to a library. `more` are contestants on CPUs that have no namespace
    of arrays, by their names.
    """
    found = {}
    for library in array_libraries(spec.queue, spec.peers):
        own = [h.copy() for h in hosts]
        own_library = replace(library, array=partial(array, library))
        found[library.name] = gpu.entry(own_library, function, own, read)
    if not spec.on_gpu:
        found |= {name: of_call(lambda call=call: read(call())) for name, call in more.items()}

    def expected() -> Any:
        result = function(of_numpy(), *(h.copy() for h in hosts))
        return result if isinstance(result, tuple) else read(result)

    return Work(found, expected, tolerance)


def triad(spec: Spec) -> Work:
    x, y = (spec.numbers(*spec.sizes, seed=k) for k in range(2))
    return array_work(spec, gpu.triad, [x, y], Numba=lambda: numba_loops.triad(x, y, 3.0))


def chain_of_eight(spec: Spec) -> Work:
    import fuse

    x, y = (spec.numbers(*spec.sizes, seed=k) for k in range(2))
    return array_work(
        spec, lambda lib, a, b: fuse.chain_of_eight(lib.namespace, a, b), [x, y],
        Numba=lambda: numba_loops.chain_of_eight(x, y),
        numexpr=lambda: fuse.numexpr_eight(x, y),
    )  # fmt: skip


def black_scholes(spec: Spec) -> Work:
    hosts = [
        (low + width * spec.numbers(*spec.sizes, seed=k)).astype(spec.dtype)
        for k, (low, width) in enumerate([(5, 25), (10, 90), (0.25, 9.75)])
    ]
    return array_work(
        spec, gpu.black_scholes, hosts, Numba=lambda: numba_loops.black_scholes(*hosts)
    )


def softmax(spec: Spec) -> Work:
    x = spec.numbers(*spec.sizes)
    return array_work(spec, gpu.softmax, [x], Numba=lambda: numba_loops.softmax(x))


def layer_norm(spec: Spec) -> Work:
    rows, columns = spec.sizes
    hosts = [spec.numbers(rows, columns), spec.numbers(columns), spec.numbers(columns, seed=1)]
    return array_work(spec, gpu.layer_norm, hosts, 1e-3)


def cumulative_sum(spec: Spec) -> Work:
    return array_work(spec, gpu.running_sum, [spec.numbers(*spec.sizes)], 1e-4)


def total(spec: Spec) -> Work:
    x = spec.numbers(*spec.sizes)
    return array_work(
        spec, lambda lib, v: lib.namespace.sum(v), [x], 1e-3, Numba=lambda: numba_loops.sum_all(x)
    )


def sum_of_columns(spec: Spec) -> Work:
    x = spec.numbers(*spec.sizes)
    return array_work(
        spec, lambda lib, v: v.sum(0) if lib.name != HITHER else lib.namespace.sum(v, axis=0), [x],
        1e-3, Numba=lambda: numba_loops.sum_axis_0(x),
    )  # fmt: skip


def largest_of_rows(spec: Spec) -> Work:
    x = spec.numbers(*spec.sizes)
    return array_work(
        spec,
        lambda lib, v: v.argmax(1) if lib.name != HITHER else lib.namespace.argmax(v, axis=1),
        [x], read=lambda w: np.take_along_axis(x, np.asarray(w)[:, None], 1),
        Numba=lambda: numba_loops.argmax_axis_1(x),
    )  # fmt: skip


def n_body(spec: Spec) -> Work:
    """Three sums over the same broadcast distances."""
    (n,) = spec.sizes

    def forces(lib: Library, x: Any, y: Any, z: Any, mass: Any) -> Any:
        m = lib.namespace
        dx, dy, dz = (v[None, :] - v[:, None] for v in (x, y, z))
        near = dx * dx + dy * dy + dz * dz + 1e-3
        pull = mass / (near * m.sqrt(near))
        along = {"dim": 1} if lib.is_torch else {"axis": 1}
        return tuple(m.sum(d * pull, **along) for d in (dx, dy, dz))

    hosts = [spec.numbers(n, seed=k) for k in range(4)]
    bodies, out = np.stack(hosts, 1), np.empty((n, 3), spec.dtype)

    def in_numba() -> Any:
        numba_loops.n_body(bodies, out)
        return tuple(out.T)

    return array_work(spec, forces, hosts, 1e-2, Numba=in_numba)


def pairwise(spec: Spec) -> Work:
    def distances(lib: Library, x: Any) -> Any:
        d = x[:, None, :] - x[None, :, :]
        along = {"dim": 2} if lib.is_torch else {"axis": 2}
        return lib.namespace.sqrt(lib.namespace.sum(d * d, **along))

    x = spec.numbers(*spec.sizes)
    return array_work(spec, distances, [x], 1e-4, Numba=lambda: numba_loops.pairwise_distance(x))


def outer_add(spec: Spec) -> Work:
    (n,) = spec.sizes
    x, y = spec.numbers(n), spec.numbers(n, seed=1)
    return array_work(
        spec, lambda lib, a, b: a[:, None] + b[None, :], [x, y],
        Numba=lambda: numba_loops.outer_add(x, y),
    )  # fmt: skip


def conv1d(spec: Spec) -> Work:
    """Of shifted views."""
    (n,) = spec.sizes
    taps = [float(t) for t in spec.numbers(TAPS, seed=1)]

    def convolution(lib: Library, x: Any) -> Any:
        result = taps[0] * x[:n]
        for k in range(1, TAPS):
            result = result + taps[k] * x[k : k + n]
        return result

    x, weights = spec.numbers(n + TAPS - 1), np.array(taps, spec.dtype)
    return array_work(spec, convolution, [x], 1e-4, Numba=lambda: numba_loops.correlate(x, weights))


def jacobi(spec: Spec) -> Work:
    (n,) = spec.sizes

    def step(lib: Library, x: Any) -> Any:
        return 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])

    x = spec.numbers(n, n)
    return array_work(spec, step, [x], Numba=lambda: numba_loops.five_points(x))


def transpose(spec: Spec) -> Work:
    (n,) = spec.sizes
    x = spec.numbers(n, n)

    def copied(lib: Library, v: Any) -> Any:
        return v.T + 1  # one operation, so that no library returns a view

    return array_work(spec, copied, [x])
