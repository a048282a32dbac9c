"""Operations on few elements, steps of simulations, and the first calls of a process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import compile_time
import compiled
import gpu
import launch
import numba_loops
import numpy as np
from batches import Contestant
from cpu_libraries import array_libraries
from gpu_libraries import Library
from gpu_peers import LAUNCHES, jax_on_gpu
from numba import njit
from programs.arrays import array_work, of_call
from row_specs import Spec, Work
from small import chain_of_ten
from timing import HITHER

import hither as ht

serial_add, serial_chain = njit(numba_loops.add.py_func), njit(numba_loops.chain_of_ten.py_func)


def with_waits(work: Work) -> Work:
    def waited(c: Contestant) -> Contestant:
        def call() -> None:
            c.call()
            c.wait()

        return replace(c, call=call)

    return replace(work, contestants={n: waited(c) for n, c in work.contestants.items()})


def direct(spec: Spec, work: Work, calls: dict[str, Callable[[], Any]]) -> Work:
    """The work with these calls on CPUs: no function in between costs as much as they do."""
    if spec.on_gpu:
        return replace(work, batched=True, until_done=False)
    found = {n: replace(c, call=calls.get(n, c.call)) for n, c in work.contestants.items()}
    return replace(work, contestants=found, batched=True)


def add(spec: Spec) -> Work:
    """Submitted in batches with one wait."""
    x, y = (spec.numbers(*spec.sizes, seed=k) for k in range(2))
    a, b = (ht.asarray(h, queue=spec.queue) for h in (x, y))
    made = array_work(
        spec, lambda lib, x, y: x + y, [x, y], Numba=lambda: numba_loops.add(x, y),
        **{"Numba njit": lambda: serial_add(x, y)},
    )  # fmt: skip
    calls = {HITHER: lambda: ht.evaluate(a + b), "NumPy": lambda: x + y}
    return direct(spec, made, calls)


def add_waited(spec: Spec) -> Work:
    made = add(spec)
    x, y = (spec.numbers(*spec.sizes, seed=k) for k in range(2))
    a, b = (ht.asarray(h, queue=spec.queue) for h in (x, y))
    if spec.on_gpu:
        return with_waits(replace(made, until_done=True))
    return direct(spec, made, {HITHER: lambda: (a + b).synchronize()})


def ten(spec: Spec) -> Work:
    """Ten operations, fused by those libraries that are lazy or compile."""
    x = spec.numbers(*spec.sizes)
    a = ht.asarray(x, queue=spec.queue)
    made = array_work(
        spec, lambda lib, v: chain_of_ten(v), [x], Numba=lambda: numba_loops.chain_of_ten(x),
        **{"Numba njit": lambda: serial_chain(x)},
    )  # fmt: skip
    calls = {HITHER: lambda: chain_of_ten(a).synchronize(), "NumPy": lambda: chain_of_ten(x)}
    return direct(spec, made, calls)


def ten_compiled(spec: Spec) -> Work:
    made = ten(spec)
    x = ht.asarray(spec.numbers(*spec.sizes), queue=spec.queue)
    function = ht.compile(chain_of_ten)
    plain = made.contestants[HITHER]

    def call() -> None:
        made_now = function(x)
        made_now.evaluate() if spec.on_gpu else made_now.synchronize()

    own = Contestant(call, spec.queue.wait, lambda: ht.asnumpy(function(x)))
    found = made.contestants | {HITHER: own, "hither plain": plain, "one launch": one_launch(spec)}
    return replace(made, contestants=found)


def one_launch(spec: Spec) -> Contestant:
    arrays = [ht.zeros(spec.sizes, dtype=spec.dtype, queue=spec.queue) for _ in range(3)]
    configured = launch.add[ht.Range(*spec.sizes)]
    return Contestant(lambda: configured(*arrays), spec.queue.wait)


def launched(spec: Spec) -> Work:
    """A kernel of three arrays, by hither and by other packages."""
    host = spec.numbers(*spec.sizes)
    found = {HITHER: one_launch(spec)}
    if spec.on_gpu:
        for name, make in (LAUNCHES | {"CuPy": gpu.cupy_launch}).items():
            if name in spec.peers and (pair := make(host)):
                found[name] = Contestant(*pair)
        return Work(found, batched=True, until_done=False)
    out = np.empty_like(host)
    found["Numba"] = of_call(lambda: launch.add_in_numba(host, host, out))
    found["Numba"] = replace(found["Numba"], answer=None)
    return Work(found, batched=True)


def launched_waited(spec: Spec) -> Work:
    return with_waits(replace(launched(spec), until_done=True))


def total(spec: Spec) -> Work:
    """To a Python number."""
    x = spec.numbers(*spec.sizes)
    a = ht.asarray(x, queue=spec.queue)
    made = array_work(spec, lambda lib, x: lib.namespace.sum(x), [x])
    calls = {HITHER: lambda: float(ht.sum(a)), "NumPy": lambda: float(x.sum())}
    return direct(spec, made, calls)


def zeros(spec: Spec) -> Work:
    def made(lib: Library, x: Any) -> Any:
        if lib.name == HITHER:
            return ht.zeros(spec.sizes, dtype=spec.dtype, queue=spec.queue)
        device = {"device": x.device} if lib.is_torch else {}
        return lib.namespace.zeros(spec.sizes, dtype=x.dtype, **device)

    (n,), dtype, queue = spec.sizes, np.dtype(spec.dtype), spec.queue
    calls = {
        HITHER: lambda: ht.evaluate(ht.zeros(n, dtype=dtype, queue=queue)),
        "NumPy": lambda: np.zeros(n, dtype),
    }
    return direct(spec, array_work(spec, made, [spec.numbers(1)]), calls)


def read_one(spec: Spec) -> Work:
    host = spec.numbers(*spec.sizes)
    found = {}
    for library in array_libraries(spec.queue, spec.peers):
        x = library.array(host)
        found[library.name] = of_call(lambda x=x: float(x[7]))
    return Work(found, lambda: float(host[7]))


def write_one(spec: Spec) -> Work:
    """Each write is submitted; a batch of them has one wait."""
    found = {}
    for library in array_libraries(spec.queue, spec.peers):
        x = library.array(spec.numbers(*spec.sizes))
        call = submitted_write(x) if library.name == HITHER else plain_write(x)

        def answer(call: Callable = call, library: Library = library, x: Any = x) -> Any:
            call()
            return library.numpy(x)

        found[library.name] = Contestant(call, library.wait, answer)

    def expected() -> np.ndarray:
        x = spec.numbers(*spec.sizes)
        x[7] = 2.5
        return x

    return Work(found, expected, batched=True)


def plain_write(x: Any) -> Callable[[], None]:
    def call() -> None:
        x[7] = 2.5

    return call


def submitted_write(x: ht.Array) -> Callable[[], None]:
    def call() -> None:
        x[7] = 2.5
        x.evaluate()

    return call


def of_steps(spec: Spec, name: str, calls: Callable[..., dict[str, Callable[[], Any]]]) -> Work:
    jax = jax_on_gpu() if spec.on_gpu else compiled.jax_on_cpu()
    step, start = compiled.starts()[name]
    runs = calls(step, start, jax, spec.queue)

    def contestant(run: Callable[[], Any]) -> Contestant:
        return Contestant(run, lambda: None, lambda: compiled.on_host(run()))

    found = {name: contestant(run) for name, run in runs.items()}
    return Work(found, lambda: compiled.by_numpy(step, start, calls), 1e-5)


def heat_step(spec: Spec) -> Work:
    return of_steps(spec, "heat, 64 x 64", compiled.step_calls)


def heat_loop(spec: Spec) -> Work:
    return of_steps(spec, "heat, 64 x 64", compiled.loop_calls)


def bodies_step(spec: Spec) -> Work:
    return of_steps(spec, "Runge-Kutta, three bodies", compiled.step_calls)


def bodies_loop(spec: Spec) -> Work:
    return of_steps(spec, "Runge-Kutta, three bodies", compiled.loop_calls)


def adam_step(spec: Spec) -> Work:
    return of_steps(spec, "Adam, 20 arrays of 50", compiled.step_calls)


def adam_loop(spec: Spec) -> Work:
    return of_steps(spec, "Adam, 20 arrays of 50", compiled.loop_calls)


def first_calls(spec: Spec, program: str, cached: bool) -> Work:
    """The second, different call of a process, with an empty or a filled disk cache."""
    environment = {"HITHER_DEVICE": spec.device.filter_string}
    both = compile_time.cold_and_cached(program, 3, environment)
    times = {HITHER: both[cached][1]}
    if not cached and "Numba" in spec.peers:
        runs = [compile_time.seconds(compile_time.NUMBA) for _ in range(3)]
        times["Numba"] = compile_time.fastest(runs)[1]
    return Work({}, seconds=times)


def first_expression(spec: Spec) -> Work:
    return first_calls(spec, compile_time.ARRAYS, cached=False)


def stored_expression(spec: Spec) -> Work:
    return first_calls(spec, compile_time.ARRAYS, cached=True)


def first_kernel(spec: Spec) -> Work:
    return first_calls(spec, compile_time.KERNEL, cached=False)


def stored_kernel(spec: Spec) -> Work:
    """The first kernel of a process, by kernels that are stored with Numba's output."""
    environment = {"HITHER_DEVICE": spec.device.filter_string}
    both = compile_time.cold_and_cached(compile_time.STORED_KERNEL, 3, environment)
    return Work({}, seconds={HITHER: both[1][0]})


def imports(spec: Spec) -> Work:
    modules = {HITHER: "hither", "NumPy": "numpy"}
    times = {}
    for name, module in modules.items():
        program = compile_time.IMPORT.format(module=module)
        times[name] = compile_time.fastest([compile_time.seconds(program) for _ in range(7)])[0]
    return Work({}, seconds=times)
