"""Compiled functions: small steps as one call, and loops of them."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numba_loops
import numpy as np
from small import chain_of_ten
from timing import Budget, Effort, Row, contest

import hither as ht

CALLS, STEPS = 100, 1000


def jax_on_cpu() -> Any:
    """JAX with float64, or None."""
    try:
        jax = importlib.import_module("jax")
    except ImportError:
        return None
    jax.config.update("jax_enable_x64", True)
    return jax if jax.default_backend() == "cpu" else None


def diffuse(xp: Any, u: Any) -> Any:
    inner = u[1:-1, 1:-1] + 0.1 * (
        u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
    )
    if hasattr(u, "at"):
        return u.at[1:-1, 1:-1].set(inner)
    v = xp.asarray(u, copy=True)
    v[1:-1, 1:-1] = inner
    return v


def orbit(xp: Any, state: Any) -> Any:
    """A step of Runge and Kutta's method for three bodies."""
    dt = 0.01

    def pull(p: Any) -> Any:
        d = p[:, None, :] - p[None, :, :]
        r2 = xp.sum(d * d, axis=-1) + 0.01
        return -xp.sum(d / (r2 * xp.sqrt(r2))[:, :, None], axis=1)

    p, v = state
    p1, v1 = v, pull(p)
    p2, v2 = v + dt / 2 * v1, pull(p + dt / 2 * p1)
    p3, v3 = v + dt / 2 * v2, pull(p + dt / 2 * p2)
    p4, v4 = v + dt * v3, pull(p + dt * p3)
    return (p + dt / 6 * (p1 + 2 * p2 + 2 * p3 + p4), v + dt / 6 * (v1 + 2 * v2 + 2 * v3 + v4))


def adam(xp: Any, state: Any) -> Any:
    """A step of the optimiser Adam for the arrays of a list; the gradient is the array itself."""
    parameters, means, squares, t = state
    made: tuple[list[Any], list[Any], list[Any]] = ([], [], [])
    t = t + 1
    for p, m, v in zip(parameters, means, squares, strict=True):
        m = 0.9 * m + 0.1 * p
        v = 0.999 * v + 0.001 * p * p
        made[0].append(p - 1e-3 * (m / (1 - 0.9**t)) / (xp.sqrt(v / (1 - 0.999**t)) + 1e-8))
        made[1].append(m)
        made[2].append(v)
    return (*made, t)


def leaves(state: Any) -> list[Any]:
    if isinstance(state, (list, tuple)):
        return [x for part in state for x in leaves(part)]
    return [] if np.ndim(state) == 0 else [state]  # JAX makes an array of Adam's counter


def on_host(state: Any) -> tuple[Any, ...]:
    return tuple(np.asarray(ht.asnumpy(x) if isinstance(x, ht.Array) else x) for x in leaves(state))


def mapped(convert: Callable[[Any], Any], state: Any) -> Any:
    if isinstance(state, (list, tuple)):
        return type(state)(mapped(convert, part) for part in state)
    return state if isinstance(state, (int, float)) else convert(state)


def starts() -> dict[str, tuple[Any, Any]]:
    random = np.random.default_rng(1)
    arrays = [random.standard_normal(50) for _ in range(20)]
    none = [np.zeros(50) for _ in range(20)]
    return {
        "heat, 64 x 64": (diffuse, random.random((64, 64))),
        "Runge-Kutta, three bodies": (orbit, (random.random((3, 2)), random.random((3, 2)))),
        "Adam, 20 arrays of 50": (adam, (arrays, none, list(none), 0)),
    }


Calls = dict[str, Callable[[], Any]]


def on_queue(queue: Any) -> Callable[[Any], Any]:
    return lambda x: ht.asarray(x, queue=queue)


def stepwise(call: Callable[[Any], Any], state: Any) -> Any:
    for _ in range(CALLS):
        state = call(state)
    return state


def step_calls(step: Any, start: Any, jax: Any, queue: Any = None) -> Calls:
    """CALLS steps, each by a call with the results of the one before, and a wait for the last."""
    own = mapped(on_queue(queue), start)
    compiled = ht.compile(lambda state: step(ht, state))

    def run(call: Callable[[Any], Any]) -> Any:
        made = stepwise(call, own)
        ht.synchronize(*leaves(made))
        return made

    runs: Calls = {
        "hither": lambda: run(compiled),
        "hither plain": lambda: run(lambda state: step(ht, state)),
    }
    if jax is not None:
        peer = mapped(jax.numpy.asarray, start)
        jitted = jax.jit(lambda state: step(jax.numpy, state))
        runs["JAX jit"] = lambda: jax.block_until_ready(stepwise(jitted, peer))
    return runs


def loop_calls(step: Any, start: Any, jax: Any, queue: Any = None) -> Calls:
    """STEPS steps by one call."""
    own = mapped(on_queue(queue), start)

    def body(_i: int, state: Any) -> Any:
        return step(ht, state)

    def run_loop() -> Any:
        made = ht.fori_loop(STEPS, body, own)
        ht.synchronize(*leaves(made))
        return made

    def run_plainly() -> Any:
        made = own
        for i in range(STEPS):
            made = body(i, made)
        ht.synchronize(*leaves(made))
        return made

    runs: Calls = {"hither": run_loop, "hither plain": run_plainly}
    if jax is not None:
        peer = mapped(jax.numpy.asarray, start)
        loop = jax.jit(
            lambda state: jax.lax.fori_loop(0, STEPS, lambda _i, s: step(jax.numpy, s), state)
        )
        runs["lax.fori_loop"] = lambda: jax.block_until_ready(loop(peer))
    return runs


def by_numpy(step: Any, state: Any, calls: Any) -> tuple[Any, ...]:
    """What those calls compute."""
    for _ in range(STEPS if calls is loop_calls else CALLS):
        state = step(np, state)
    return on_host(state)


def row(case: str, runs: Calls, peer: str, effort: Effort) -> Row:
    shown = {name: (lambda run=run: on_host(run())) for name, run in runs.items()}
    return contest(case, shown, effort, Budget(1.0, peer), 1e-6, timed=runs)


def rows(effort: Effort) -> list[Row]:
    host = np.linspace(0.0, 1.0, 1000)
    x = ht.asarray(host)
    compiled = ht.compile(chain_of_ten)
    found = [
        contest(
            "chain of ten, 1k float64",
            {
                "hither": lambda: ht.asnumpy(compiled(x)),
                "hither plain": lambda: ht.asnumpy(chain_of_ten(x)),
                "Numba": lambda: numba_loops.chain_of_ten(host),
            },
            effort,
            Budget(1.0, "Numba"),
            timed={
                "hither": lambda: compiled(x).synchronize(),
                "hither plain": lambda: chain_of_ten(x).synchronize(),
            },
        )
    ]
    jax = jax_on_cpu()
    for name, (step, start) in starts().items():
        found.append(row(f"{CALLS} steps: {name}", step_calls(step, start, jax), "JAX jit", effort))
        runs = loop_calls(step, start, jax)
        found.append(row(f"loop of {STEPS}: {name}", runs, "lax.fori_loop", effort))
    return found
