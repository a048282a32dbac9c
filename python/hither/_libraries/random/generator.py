"""The class Generator, which makes arrays of random numbers on the device."""

from __future__ import annotations

import importlib
import inspect
import operator
from typing import Any

import numpy as np

from ..._checked_call import check_calls
from ..._compile.draws import note_generator, refuse_state_of
from ..._device_context import check_usm_type
from ..._hither import default_queue
from ...errors import InvalidTypeError
from .continuous import ContinuousDraws
from .counted_draws import recordable
from .discrete import DiscreteDraws
from .draw import key_of_seed
from .selection import Selections
from .vectors import VectorDraws

__all__ = ["Generator", "default_rng"]


class Generator(ContinuousDraws, DiscreteDraws, VectorDraws, Selections):
    """A generator of random arrays with the methods of numpy.random.Generator.

    ``seed`` is an int, a sequence of ints, a numpy.random.SeedSequence, or None for a seed from the
    system. An int below 2**64 gives the same numbers as this seed in kernels. ``queue`` is the
    queue, device or filter string for all draws. By default they are made on the queue of the
    parameters that are arrays, else the device context's, else the default device's.

    Methods take numbers or arrays that are broadcast. ``size`` is None (the parameters' shape), an
    int or a tuple. Results are arrays, possibly 0-dimensional. Parameters that are arrays are
    waited for, because their values are checked. Thread-safe; each call is the next draw, whether
    its numbers are read or not. A pickle continues the draws, without a queue.

    Raises InvalidValueError and InvalidTypeError at the call.
    """

    def __init__(self, seed: Any = None, *, queue: Any = None, usm_type: str = "device") -> None:
        where = None if queue is None else default_queue(queue)
        check_usm_type(usm_type)
        super().__init__(key_of_seed(seed), where, usm_type)
        self._streams = 0
        if isinstance(seed, (int, np.integer, list, tuple)):
            note_generator(self)  # others have seeds that may change

    def stream(self, index: int, *, queue: Any = None) -> Generator:
        """The generator for this seed and ``index``, which is independent of all others.

        Programs with several devices or threads use one stream for each.
        """
        refuse_state_of(self)
        sequence = np.random.SeedSequence(self._seed, spawn_key=(operator.index(index),))
        where_ = self._queue if queue is None else queue
        return Generator(sequence, queue=where_, usm_type=self._usm_type)

    def spawn(self, n_children: int) -> list[Generator]:
        """The next ``n_children`` streams."""
        refuse_state_of(self)
        with self._lock:
            first = self._streams
            self._streams += operator.index(n_children)
        return [self.stream(first + i) for i in range(n_children)]

    @property
    def state(self) -> dict[str, Any]:
        """The seed, the number of the next draw, and the number of streams. Setting it continues
        from there."""
        refuse_state_of(self)
        with self._lock:
            return {"seed": self._seed, "draw": self._draw, "streams": self._streams}

    @state.setter
    def state(self, state: dict[str, Any]) -> None:
        try:
            seed, draw, streams = (operator.index(state[k]) for k in ("seed", "draw", "streams"))
        except (KeyError, TypeError):
            raise InvalidTypeError(
                "state", f"{state!r} is no state; pass what state or get_state() gave"
            ) from None
        refuse_state_of(self)
        with self._lock:
            self._seed, self._draw, self._streams = seed, draw, streams

    def __getstate__(self) -> dict[str, Any]:
        return {**self.state, "usm_type": self._usm_type}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["seed"], usm_type=state["usm_type"])  # type: ignore[misc]
        self._draw, self._streams = state["draw"], state["streams"]

    def __repr__(self) -> str:
        return f"<hither.random.Generator of seed {self._seed} at draw {self._draw}>"


def default_rng(seed: Any = None, *, queue: Any = None) -> Generator:
    """A generator of this seed. A Generator is returned unchanged. A bit generator of NumPy gives
    the generator of hither.numpy.random, with NumPy's parameters, of its seed."""
    if isinstance(seed, np.random.BitGenerator):
        numpys = importlib.import_module("hither.numpy.random")
        return numpys.default_rng(seed, queue=queue)
    return seed if isinstance(seed, Generator) else Generator(seed, queue=queue)


def _own(cls: type) -> None:
    """Makes the methods of base classes the class's own, whose calls are checked and whose errors
    name it."""
    for base in reversed(cls.__mro__[1:-1]):
        for name, method in list(vars(base).items()):
            if inspect.isfunction(method) and not name.startswith("_"):
                method.__qualname__ = f"{cls.__name__}.{name}"
                setattr(cls, name, method)


def _make_recordable(cls: type) -> None:
    on_host: dict[str, bool | None] = dict.fromkeys({*vars(VectorDraws), *vars(Selections)}, True)
    on_host.update(permutation=False, permuted=False, shuffle=False)
    for base in cls.__mro__[1:-1]:
        for name, method in vars(base).items():
            if inspect.isfunction(method) and not name.startswith("_"):
                setattr(cls, name, recordable(vars(cls)[name], on_host.get(name)))


_own(Generator)
check_calls(globals(), __all__)
_make_recordable(Generator)
