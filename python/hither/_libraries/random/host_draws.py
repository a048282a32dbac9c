"""Random numbers that NumPy draws on the host. They depend on the seed and the draw only."""

from __future__ import annotations

import operator
import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._device_context import current_queue
from ..._hither import Array, asarray, asnumpy, reshape, take
from ...errors import InvalidTypeError, InvalidValueError
from ..host_call import has_memory, in_order_of, place

if TYPE_CHECKING:
    from ..._hither import Queue

__all__ = ["HostDraws"]

# Separates the keys of NumPy's Philox, which has wider blocks, from those of arrays.
_TAG = 0x686F7374


class HostDraws:
    """Methods of Generator that need rejection sampling, urns or shuffling.

    ``beta``, ``binomial``, ``chisquare``, ``dirichlet``, ``f``, ``gamma``, ``geometric``,
    ``hypergeometric``, ``logseries``, ``multinomial``, ``multivariate_hypergeometric``,
    ``multivariate_normal``, ``negative_binomial``, ``noncentral_chisquare``, ``noncentral_f``,
    ``poisson``, ``standard_gamma``, ``standard_t``, ``vonmises``, ``wald``, ``zipf`` and the
    methods below take the arguments of numpy.random.Generator's methods, except ``out``. They draw
    immediately, in the queue's order.
    """

    def __init__(self, seed: int, queue: Queue | None, usm_type: str) -> None:
        self._seed = seed
        self._queue = queue
        self._usm_type: Any = usm_type
        self._lock = threading.Lock()
        self._draw = 0

    @property
    def seed(self) -> Any:
        """The seed, an int of 64 bits."""
        return self._seed

    @property
    def queue(self) -> Queue:
        """The queue of draws without arrays as parameters."""
        return self._queue or current_queue()

    @property
    def draw(self) -> int:
        """The number of the next draw. Setting it repeats or skips draws."""
        return self._draw

    @draw.setter
    def draw(self, number: int) -> None:
        number = operator.index(number)
        if not 0 <= number < 2**63:
            raise InvalidValueError("draw", f"{number} is not in [0, 2**63)")
        self._draw = number

    def _next_draw(self) -> int:
        with self._lock:
            number = self._draw
            self._draw += 1
        return number

    def _drawn(self, name: str, queue: Queue, *arguments: Any, **keywords: Any) -> Any:
        """The result of NumPy's method of this name for the next draw."""
        if "out" in keywords:
            raise InvalidTypeError(name, "takes no out=; assign the result: x[...] = result")
        arguments = tuple(asnumpy(a) if has_memory(a) else a for a in arguments)
        keywords = {k: asnumpy(a) if has_memory(a) else a for k, a in keywords.items()}
        bits = np.random.Philox(key=_TAG << 64 | self._seed, counter=self._next_draw() << 128)
        draw = getattr(np.random.Generator(bits), name)
        try:
            return in_order_of(queue, name, lambda: draw(*arguments, **keywords))
        except ValueError as error:
            raise InvalidValueError(name, str(error)) from None
        except TypeError as error:
            raise InvalidTypeError(name, str(error)) from None

    def _array(self, values: Any, queue: Queue) -> Array:
        return asarray(np.asarray(values), queue=queue, usm_type=self._usm_type)

    def _placed(self, name: str, x: Any) -> Array:
        """An array argument, on the queue of the call."""
        if not has_memory(x):
            raise InvalidTypeError(name, f"takes an array, not a {type(x).__name__}")
        (x,) = place(name, (x,), self._queue)[2]
        return x

    def bytes(self, length: int) -> bytes:
        """Random bytes, on the host."""
        return self._drawn("bytes", self.queue, length)

    def choice(
        self,
        a: Any,
        size: Any = None,
        replace: bool = True,
        p: Any = None,
        axis: int = 0,
        shuffle: bool = True,
    ) -> Array:
        """Random elements of ``a`` along ``axis``, or of range(a) for an int, as in NumPy."""
        options = (size, replace, p, 0, shuffle)
        if not has_memory(a):
            count = operator.index(a)
            return self._array(self._drawn("choice", self.queue, count, *options), self.queue)
        x = self._placed("choice", a)
        return _taken(x, self._drawn("choice", x.queue, x.shape[axis], *options), axis)

    def permutation(self, x: Any, axis: int = 0) -> Array:
        """A new array: x, or range(x) for an int, in random order along ``axis``."""
        if not has_memory(x):
            count = operator.index(x)
            return self._array(self._drawn("permutation", self.queue, count), self.queue)
        x = self._placed("permutation", x)
        return _taken(x, self._drawn("permutation", x.queue, x.shape[axis]), axis)

    def permuted(self, x: Any, axis: int | None = None) -> Array:
        """A new array: x with every line along ``axis`` in an independent random order."""
        x = self._placed("permuted", x)
        order = self._drawn("permuted", x.queue, x, axis=axis)
        return asarray(order, queue=x.queue, usm_type=x.usm_type)

    def shuffle(self, x: Array, axis: int = 0) -> None:
        """Puts x in random order along ``axis``, in place."""
        if not isinstance(x, Array):
            raise InvalidTypeError("shuffle", f"takes a hither.Array, not a {type(x).__name__}")
        x[...] = self.permutation(x, axis)


def _taken(x: Array, chosen: Any, axis: int) -> Array:
    """x's elements at ``chosen``, an int or an array of any shape, along ``axis``."""
    axis, order = axis % x.ndim, np.asarray(chosen, np.int64)
    found = take(x, asarray(order.reshape(-1), queue=x.queue), axis=axis)
    return reshape(found, (*x.shape[:axis], *order.shape, *x.shape[axis + 1 :]))


def _host_method(name: str) -> Any:
    def method(self: HostDraws, *arguments: Any, **keywords: Any) -> Array:
        arrays = [
            a
            for a in (*arguments, *keywords.values())
            if has_memory(a) and not isinstance(a, np.ndarray)
        ]
        queue = place(name, tuple(arrays), self._queue)[0] if arrays else self.queue
        return self._array(self._drawn(name, queue, *arguments, **keywords), queue)

    method.__name__ = name
    method.__doc__ = f"As numpy.random.Generator.{name}, drawn on the host."
    return method


for _name in (
    "beta binomial chisquare dirichlet f gamma geometric hypergeometric logseries multinomial "
    "multivariate_hypergeometric multivariate_normal negative_binomial noncentral_chisquare "
    "noncentral_f poisson standard_gamma standard_t vonmises wald zipf"
).split():
    setattr(HostDraws, _name, _host_method(_name))
