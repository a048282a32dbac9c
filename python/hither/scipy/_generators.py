"""The generators of NumPy that functions draw from on the host: rng= and random_state=."""

from __future__ import annotations

import operator
import sys
from typing import Any

import numpy as np

from ..errors import InvalidTypeError, InvalidValueError

__all__: list[str] = []


def generator_of(function: str, rng: Any, random_state: Any) -> Any:
    """The generator for the arguments rng and random_state, as SciPy chooses it: an int is the seed
    of a new generator (rng) or of NumPy's older one (random_state)."""
    if rng is not None and random_state is not None:
        raise InvalidTypeError(
            function, "rng and random_state are two names of one argument; pass one of them"
        )
    given, name = (rng, "rng") if random_state is None else (random_state, "random_state")
    if given is None:
        return _shared()
    if given is np.random or given is sys.modules.get("hither.numpy.random"):
        return _shared()
    if isinstance(given, (np.random.Generator, np.random.RandomState)):
        return given
    if hasattr(given, "integers") and hasattr(given, "stream"):  # hither's generators
        return np.random.default_rng(int(given.integers(0, 2**63 - 1)))
    try:
        if random_state is None:
            return np.random.default_rng(given)
        return np.random.RandomState(operator.index(given))
    except TypeError:
        raise InvalidTypeError(
            function, f"{name} is {given!r}; pass a seed or a generator"
        ) from None
    except ValueError as error:
        raise InvalidValueError(function, f"{name} is {given!r}: {error}") from None


def _shared() -> Any:
    """NumPy's shared generator, as in SciPy; the numbers that hither.numpy.random.seed() determines
    if the program called that."""
    own = sys.modules.get("hither.numpy.random")
    if own is not None and own._shared._was_seeded:
        return np.random.RandomState(own._shared.randint(2**32))
    return np.random.mtrand._rand
