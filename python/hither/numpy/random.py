"""numpy.random for arrays on devices: NumPy's signatures and distributions, not its numbers.

The functions of this module draw from one generator, which seed() resets. Draws are made on the
device, by hither.random.Generator.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from numpy.random import MT19937, PCG64, PCG64DXSM, SFC64, BitGenerator, Philox, SeedSequence

from .. import _hither as h
from .. import random as native
from .._documentation import complete
from .._hither import Array, asarray
from .._names import a_type
from ..errors import InvalidTypeError
from ._placement import as_array, chosen_queue, deliver, first_array, with_place
from ._scalar_draws import ScalarDraws, alone, as_number

__all__ = [
    "MT19937", "PCG64", "PCG64DXSM", "SFC64", "BitGenerator", "Generator", "Philox", "RandomState",
    "SeedSequence", "default_rng",
]  # fmt: skip

mtrand: ModuleType = sys.modules[__name__]  # The module that has RandomState in NumPy.


def _seed_of(source: Any) -> Any:
    """The seed of a NumPy bit generator or its seed sequence, or the seed itself."""
    if isinstance(source, BitGenerator):
        return source.seed_seq
    return h.asnumpy(source).tolist() if isinstance(source, Array) else source


def _as_number(parameter: Any, kinds: str = "iuf") -> Any:
    """The number in an array of no dimension; other parameters unchanged."""
    if type(parameter) is Array and parameter.ndim == 0 and parameter.dtype.kind in kinds:
        return parameter.item()
    return parameter


def _truncated(bound: Any) -> Any:
    """A bound of integers(): as in NumPy, numbers and arrays with fractions lose these."""
    if isinstance(bound, (list, tuple)) and np.asarray(bound).dtype.kind == "f":
        bound = np.asarray(bound).astype(np.int64).tolist()
    if isinstance(bound, (float, np.floating)) and np.isfinite(bound):
        return int(bound)
    if isinstance(bound, (Array, np.ndarray)) and bound.dtype.kind == "f":
        return bound.astype(np.int64)
    return bound


class Generator(ScalarDraws, native.Generator):
    """A generator with the methods of numpy.random.Generator, which make arrays on a device.

    ``bit_generator`` is a seed, or a bit generator of NumPy whose seed is taken.

    >>> import hither.numpy as np
    >>> np.random.default_rng(3).random((2, 2)).shape
    (2, 2)
    """

    def __init__(
        self, bit_generator: Any = None, *, queue: Any = None, device: Any = None,
        usm_type: Any = None,
    ) -> None:  # fmt: skip
        where = chosen_queue(queue, device, type(self).__name__)
        kind = "device" if usm_type is None else usm_type
        super().__init__(_seed_of(bit_generator), queue=where, usm_type=kind)

    def _start(self, function: str, size: Any, *parameters: Any) -> tuple[Any, ...]:
        """As in the base class. Parameters may be lists and NumPy arrays, a size may be an array of
        extents."""
        if isinstance(size, (Array, np.ndarray)):
            size = size.tolist()
        if not parameters:
            return alone(super()._start(function, size), size)
        home = first_array(parameters)
        queue = self.queue if home is None else home.queue
        placed = [
            p if isinstance(p, (int, float, np.number, Array))
            else as_array(function, self._parameter_name(function, i), p, queue, home)
            for i, p in enumerate(parameters)
        ]  # fmt: skip
        started = super()._start(function, size, *placed)
        return started if function == "integers" else alone(started, size)

    @property
    def bit_generator(self) -> Generator:
        """The generator itself, which holds its seed and the number of the next draw."""
        return self

    _sequence: SeedSequence | None = None

    @property
    def seed_seq(self) -> SeedSequence:
        """A seed sequence of NumPy that depends on this generator's seed. Its children differ from
        those of spawn()."""
        if self._sequence is None or self._sequence.entropy != self._seed:
            self._sequence = SeedSequence(self._seed, spawn_key=(2**32 - 1,))
        return self._sequence

    @property
    def _seed_seq(self) -> SeedSequence:
        """The name by which Dask derives the generators of chunks."""
        return self.seed_seq

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Uniform numbers in [0, 1)."""
        if size is None and out is None and dtype is np.float64:
            return self._unit()
        return _drawn_into(out, "random", super().random(_size(size, out), dtype))

    def uniform(
        self, low: Any = 0.0, high: Any = 1.0, size: Any = None, dtype: Any = np.float64
    ) -> Any:
        """Uniform numbers in [low, high)."""
        if size is None and dtype is np.float64:
            low, high = _as_number(low), _as_number(high)
            made = self._between(low, high) if {type(low), type(high)} <= {int, float} else None
            if made is not None:
                return made
        return super().uniform(low, high, size, dtype)

    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Normal numbers of mean 0 and variance 1."""
        return _drawn_into(out, "standard_normal", super().standard_normal(_size(size, out), dtype))

    def standard_exponential(
        self, size: Any = None, dtype: Any = np.float64, method: str = "zig", out: Any = None
    ) -> Array:
        """Numbers of density exp(-x). `method` has no effect."""
        made = super().standard_exponential(_size(size, out), dtype)
        return _drawn_into(out, "standard_exponential", made)

    def standard_gamma(
        self, shape: Any, size: Any = None, dtype: Any = np.float64, out: Any = None
    ) -> Array:
        """Gamma numbers of scale 1."""
        made = super().standard_gamma(shape, _size(size, out), dtype)
        return _drawn_into(out, "standard_gamma", made)

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64,
        endpoint: bool = False,
    ) -> Array:  # fmt: skip
        """Integers in [low, high), or [low, high] with endpoint=True."""
        if size is None and dtype in (int, np.int64):
            home = first_array((low, high))
            low, high = _as_number(low, "iu"), _as_number(high, "iu")
            least, most = (0, low) if high is None else (low, high)
            if type(least) is int and type(most) is int and -(2**63) <= least < most < 2**63:
                made = self._integer(least, most - least + endpoint)
                queue = self.queue if home is None else home.queue
                return asarray(made, queue=queue, usm_type=self._usm_type)
        return super().integers(_truncated(low), _truncated(high), size, dtype, endpoint)

    def choice(
        self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0,
        shuffle: bool = True,
    ) -> Any:  # fmt: skip
        """Random elements of a, or of range(a) for an int, with the probabilities p."""
        if size is None and p is None and replace and type(a) is int and 0 < a <= 2**63:
            return self._integer(0, a)
        a = _population(self, a)
        made = super().choice(a, size, replace, p, axis, shuffle)
        return made if isinstance(a, Array) or size is not None else made.item()

    def permuted(self, x: Any, axis: Any = None, out: Any = None) -> Array:
        """The elements of x in random order, each line along `axis` in its own."""
        return _drawn_into(out, "permuted", super().permuted(_array(self, x), axis))

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Puts an array, or a list on the host, in random order along an axis, in place."""
        if isinstance(x, Array):
            super().shuffle(x, axis)
        elif isinstance(x, np.ndarray):
            x[...] = x.take(h.asnumpy(self.permutation(x.shape[axis])), axis)
        else:
            x[:] = [x[i] for i in self.permutation(len(x)).tolist()]

    def permutation(self, x: Any, axis: int = 0) -> Array:
        """x, or range(x) for an int, in random order along an axis."""
        return super().permutation(_population(self, x), axis)


# NumPy's generators return Python numbers where neither the size nor a parameter has dimensions.
for _name in (
    "beta binomial chisquare exponential f gamma geometric gumbel hypergeometric laplace logistic "
    "lognormal logseries negative_binomial noncentral_chisquare noncentral_f normal pareto poisson "
    "power random rayleigh standard_cauchy standard_exponential standard_gamma standard_normal "
    "standard_t triangular uniform vonmises wald weibull zipf"
).split():
    setattr(Generator, _name, as_number(getattr(Generator, _name)))


def _array(generator: Generator, x: Any) -> Any:
    return x if isinstance(x, Array) else asarray(x, queue=generator.queue)


def _population(generator: Generator, x: Any) -> Any:
    """An int, which stands for range(x), or an array."""
    return x if isinstance(x, (int, np.integer)) else _array(generator, x)


def _size(size: Any, out: Any) -> Any:
    if out is None:
        return size
    if not isinstance(out, Array):
        raise InvalidTypeError("out", f"is {a_type(out)}; it must be a hither.Array")
    return out.shape if size is None else size


def _drawn_into(out: Any, name: str, made: Array) -> Array:
    return made if out is None else deliver(name, made, out, "no")


class RandomState(Generator):
    """A generator with the methods of numpy.random.RandomState."""

    _any_bounds = True
    _was_seeded = False  # whether the program called seed()

    def __init__(
        self, seed: Any = None, *, queue: Any = None, device: Any = None, usm_type: Any = None
    ) -> None:
        super().__init__(seed, queue=queue, device=device, usm_type=usm_type)

    def seed(self, seed: Any = None) -> None:
        """Begins again with another seed."""
        key = Generator(seed)._seed
        with self._lock:
            self._seed, self._draw, self._streams = key, 0, 0
            self._was_seeded = True

    def get_state(self, legacy: bool = True) -> Any:
        """The seed and the number of the next draw, for set_state()."""
        return self.state

    def set_state(self, state: Any) -> None:
        """Continues from a result of get_state(), on the same queue."""
        self.state = state

    def rand(self, *args: int) -> Any:
        """Uniform numbers in [0, 1), in an array of these extents; one number without extents."""
        return self.random(args or None)

    def randn(self, *args: int) -> Any:
        """Normal numbers of mean 0 and variance 1, in an array of these extents; one number without
        extents."""
        return self.standard_normal(args or None)

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
        """Integers in [low, high), or in [0, low) without high."""
        if size is None and dtype is int:
            low, high = _as_number(low, "iu"), _as_number(high, "iu")
            least, most = (0, low) if high is None else (low, high)
            if type(least) is int and type(most) is int and -(2**63) <= least < most <= 2**63:
                return self._integer(least, most - least)
            made = self.integers(low, high, size, dtype)
            return made if made.ndim else made.item()
        return self.integers(low, high, size, dtype)

    def random_integers(self, low: Any, high: Any = None, size: Any = None) -> Array:
        """Integers in [low, high], or in [1, low] without high."""
        return self.integers(1 if high is None else low, low if high is None else high, size,
                             endpoint=True)  # fmt: skip

    def random_sample(self, size: Any = None) -> Any:
        """Uniform numbers in [0, 1)."""
        return self.random(size)

    ranf: Callable[..., Any] = random_sample
    sample: Callable[..., Any] = random_sample

    def tomaxint(self, size: Any = None) -> Any:
        """Integers from 0 to the largest int64."""
        made = self.integers(0, np.iinfo(np.int64).max, size, endpoint=True)
        return made if size is not None else made.item()


def default_rng(
    seed: Any = None, *, queue: Any = None, device: Any = None, usm_type: Any = None
) -> Generator:
    """A generator of this seed. A Generator is returned unchanged."""
    if isinstance(seed, Generator):
        return seed
    return Generator(seed, queue=queue, device=device, usm_type=usm_type)


_shared = _rand = RandomState()  # Packages know it as numpy.random.mtrand._rand.


def seed(seed: Any = None) -> None:
    """Resets the generator of this module's functions. The numbers differ from NumPy's."""
    _shared.seed(seed)


def get_state(legacy: bool = True) -> Any:
    """The state of the generator of this module's functions."""
    return _shared.get_state()


def set_state(state: Any) -> None:
    """Sets the generator of this module's functions to a result of get_state()."""
    _shared.set_state(state)


def _next(queue: Any, device: Any, usm_type: Any) -> RandomState:
    """The shared generator, or one for this place, whose first draw is its next one."""
    if queue is None and device is None and usm_type is None:
        return _shared
    where = chosen_queue(queue, device, "random")
    made = RandomState(0, queue=where, usm_type=usm_type)
    with _shared._lock:
        made._seed, made._draw = _shared._seed, _shared._draw
        _shared._draw += 1
    return made


def _function(name: str) -> Any:
    method = getattr(RandomState, name)

    @functools.wraps(method)
    def draw(
        *args: Any, queue: Any = None, device: Any = None, usm_type: Any = None, **kwargs: Any
    ) -> Any:
        return getattr(_next(queue, device, usm_type), name)(*args, **kwargs)

    parameters = list(inspect.signature(method).parameters.values())[1:]
    draw.__signature__ = with_place(inspect.Signature(parameters))  # type: ignore[attr-defined]
    draw.__qualname__ = name
    # The method's docstring is complete; the function has more parameters.
    draw.__doc__ = (method.__doc__ or "").partition("\n\nParameters\n")[0]
    return draw


FUNCTIONS = (
    "beta binomial bytes chisquare choice dirichlet exponential f gamma geometric gumbel "
    "hypergeometric laplace logistic lognormal logseries multinomial multivariate_normal "
    "negative_binomial noncentral_chisquare noncentral_f normal pareto permutation poisson power "
    "rand randint randn random random_integers random_sample ranf rayleigh sample shuffle "
    "standard_cauchy standard_exponential standard_gamma standard_normal standard_t triangular "
    "uniform vonmises wald weibull zipf"
).split()
globals().update({name: _function(name) for name in FUNCTIONS})
__all__ += ["get_state", "seed", "set_state", *FUNCTIONS]

complete("numpy.random", globals())
