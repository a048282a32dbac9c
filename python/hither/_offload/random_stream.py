"""np.random inside parallel regions.

Each launch of a region draws a seed from the generator of np.random in Numba functions, so that
np.random.seed() in such a function makes the following numbers reproducible. Each iteration has its
own stream. Its numbers depend on the seed, the iteration and the count of draws, but not on the
device or the number of threads. They differ from those of NumPy's and Numba's generators.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from contextlib import suppress
from random import Random

import numpy as np

from .._kernel.language.device_func import device_func
from .._kernel.language.random import bits, uniform_float64
from .numba_adapter import Dispatcher

# A stream's state: seed, iteration, number of draws.


@device_func
def start(state, seed, item):
    state[0], state[1], state[2] = np.uint64(seed), np.uint64(item), np.uint64(0)


@device_func
def random(state):
    value = uniform_float64(state[0], state[1], state[2])
    state[2] += np.uint64(1)
    return value


@device_func
def uniform(state, low=0.0, high=1.0):
    return low + (high - low) * random(state)


@device_func
def standard_normal(state):
    radius = math.sqrt(-2.0 * math.log(1.0 - random(state)))
    return radius * math.cos(2.0 * math.pi * random(state))


@device_func
def normal(state, loc=0.0, scale=1.0):
    return loc + scale * standard_normal(state)


@device_func
def exponential(state, scale=1.0):
    return -scale * math.log(1.0 - random(state))


@device_func
def randint(state, low, high):
    """Uniform in [low, high). Probabilities differ by at most (high - low) / 2**64, relatively."""
    if high <= low:
        raise ValueError("randint() is given an empty range")
    x = bits(state[0], state[1], state[2])
    state[2] += np.uint64(1)
    word = (np.uint64(x[1]) << np.uint64(32)) | np.uint64(x[0])
    return np.int64(low) + np.int64(word % np.uint64(high - low))


@device_func
def randint_below(state, high):
    return randint(state, 0, high)


_REPLACEMENTS: dict = {
    np.random.random: random,
    np.random.random_sample: random,
    np.random.ranf: random,
    np.random.sample: random,
    np.random.rand: random,
    np.random.uniform: uniform,
    np.random.standard_normal: standard_normal,
    np.random.randn: standard_normal,
    np.random.normal: normal,
    np.random.exponential: exponential,
    np.random.standard_exponential: exponential,
}
_RANDINT = {1: randint_below, 2: randint}
SHOWN = ", ".join(sorted(function.__name__ for function in [*_REPLACEMENTS, np.random.randint]))


def is_numpys(function) -> bool:
    """Whether it is a function of np.random, which draws from the global generator."""
    # ranf and sample are functions that call a method of the generator.
    return function in (np.random.ranf, np.random.sample) or (
        getattr(function, "__self__", None) is np.random.random.__self__
    )


def draws(function, seen: tuple = ()) -> bool:
    """Whether a value of a program may be a function that draws from a global generator: NumPy's or
    Python's own, or a Numba function that may call one."""
    if isinstance(function, Hashable) and (is_numpys(function) or is_pythons(function)):
        return True
    if not isinstance(function, Dispatcher) or function in seen:
        return False
    code, names = function.py_func.__code__, function.py_func.__globals__
    values = [names[name] for name in code.co_names if name in names]
    with suppress(ValueError):  # a cell that is empty yet
        values += [cell.cell_contents for cell in function.py_func.__closure__ or ()]
    return "random" in code.co_names or any(
        value is np.random or draws(value, (*seen, function)) for value in values
    )


def is_pythons(function) -> bool:
    """Whether it is a function of Python's module random."""
    return isinstance(getattr(function, "__self__", None), Random)


def replacement(function, given: int):
    """The function that draws from an iteration's stream instead, or None."""
    if function == np.random.randint:
        return _RANDINT.get(given)
    return _REPLACEMENTS.get(function)
