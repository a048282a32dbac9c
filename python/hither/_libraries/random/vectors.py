"""The methods of Generator whose results are vectors. Their parameters are read by the host."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _hither
from ..._hither import Array, evaluate, exp, reshape
from ...errors import InvalidTypeError, InvalidValueError, LinAlgError
from .counted_draws import CountedDraws, check_size
from .draw import Draw, shape_of
from .parameters import count

__all__ = ["VectorDraws"]

_COLOR_LIMIT = 10**9


class VectorDraws(CountedDraws):
    """Distributions of vectors. They wait for parameters that are arrays."""

    def dirichlet(self, alpha: Any, size: Any = None) -> Array:
        """Vectors of positive numbers whose sum is 1: gamma numbers of the shapes ``alpha``,
        divided by their sum."""
        queue, usm_type, (shapes,) = self._start_vectors("dirichlet", alpha)
        if shapes.ndim != 1:
            raise InvalidValueError("dirichlet", "alpha has not one dimension")
        if (shapes < 0).any():
            raise InvalidValueError("dirichlet", "alpha is negative")
        draw = self._drawn(queue, usm_type, (*_sizes(size), len(shapes)))
        if len(shapes) == 0:
            return draw.unit()
        if shapes.max() < 2.0**-980:  # the ratios alone matter, and logarithms stay finite
            shapes = shapes * 2.0**60
        logs = draw.numbers("log_gamma", self._array(shapes.astype(np.float64), queue, usm_type))
        evaluate(logs)  # once, for its three readers
        largest = _hither.max(logs, axis=-1, keepdims=True)
        parts = exp(logs - largest)
        evaluate(parts)
        return parts / _hither.sum(parts, axis=-1, keepdims=True)

    def multinomial(self, n: Any, pvals: Any, size: Any = None) -> Array:
        """How often each of the outcomes of probabilities ``pvals`` occurs in ``n`` trials."""
        name = "multinomial"
        queue, usm_type, (trials, chances) = self._start_vectors(name, n, pvals)
        chances = _complete(name, chances)
        trials = count(name, "n", trials)
        if (trials < 0).any():
            raise InvalidValueError(name, "n is negative")
        needed = np.broadcast_shapes(trials.shape, chances.shape[:-1])
        shape = needed if size is None else shape_of(size)
        check_size(name, size, needed, shape)

        def left(draw: Draw, counts: Array, first: np.ndarray, second: np.ndarray) -> Array:
            total = first + second
            share = np.divide(first, total, out=np.zeros_like(total), where=total > 0)
            return draw.integers("binomial", counts, self._array(share, queue, usm_type))

        draw = self._drawn(queue, usm_type, shape)
        return _divided(draw, self._array(trials, queue, usm_type), chances, left)

    def multivariate_hypergeometric(
        self, colors: Any, nsample: int, size: Any = None, method: str = "marginals"
    ) -> Array:
        """How many of each color are among ``nsample``, if there are ``colors`` of them. `method`
        is checked, but has no effect."""
        name = "multivariate_hypergeometric"
        queue, usm_type, (numbers, sample) = self._start_vectors(name, colors, nsample)
        if method not in ("marginals", "count"):
            raise InvalidValueError(name, f"method={method!r} is neither 'marginals' nor 'count'")
        if numbers.ndim != 1 or numbers.dtype.kind == "f" or (numbers < 0).any():
            raise InvalidValueError(name, "colors is not a vector of integers from 0")
        total = int(numbers.sum(dtype=object)) if len(numbers) else 0
        if total >= _COLOR_LIMIT:
            raise InvalidValueError(name, f"colors has the sum {total}; the limit is 10**9")
        if sample.dtype.kind == "f":
            raise InvalidTypeError(name, f"nsample is {nsample!r}; it must be an integer")
        if sample.ndim or sample < 0 or sample > total:
            raise InvalidValueError(name, f"nsample is not from 0 to {total}, the sum of colors")

        def left(draw: Draw, counts: Array, first: np.ndarray, second: np.ndarray) -> Array:
            good, bad = (self._array(x, queue, usm_type) for x in (first, second))
            return draw.integers("hypergeometric", good, bad, counts)

        draw = self._drawn(queue, usm_type, _sizes(size))
        counts = self._array(sample.astype(np.int64), queue, usm_type)
        return _divided(draw, counts, numbers.astype(np.int64), left)

    def multivariate_normal(
        self, mean: Any, cov: Any, size: Any = None, check_valid: str = "warn",
        tol: float = 1e-8, *, method: str = "svd",
    ) -> Array:  # fmt: skip
        """Normal vectors of this mean and covariance. The host factorises the covariance."""
        name = "multivariate_normal"
        queue, usm_type, (centre, covariance) = self._start_vectors(name, mean, cov)
        if centre.ndim != 1:
            raise InvalidValueError(name, "mean has not one dimension")
        if covariance.ndim != 2 or covariance.shape[0] != covariance.shape[1]:
            raise InvalidValueError(name, "cov is not a square matrix")
        if len(centre) != len(covariance):
            raise InvalidValueError(name, "mean and cov have different lengths")
        if check_valid not in ("warn", "raise", "ignore"):
            raise InvalidValueError(
                name, f"check_valid={check_valid!r} is not 'warn', 'raise' or 'ignore'"
            )
        factor, valid = _factor(name, covariance.astype(np.float64), method, tol)
        if not valid and check_valid != "ignore":
            message = "cov is not symmetric and positive semidefinite"
            if check_valid == "raise":
                raise InvalidValueError(name, message)
            warnings.warn(message, RuntimeWarning, stacklevel=3)
        draw = self._drawn(queue, usm_type, (*_sizes(size), len(centre)))
        mixed = _hither.matmul(draw.normal(), self._array(factor, queue, usm_type))
        return mixed + self._array(centre.astype(np.float64), queue, usm_type)


def _sizes(size: Any) -> tuple[int, ...]:
    return () if size is None else shape_of(size)


def _complete(function: str, chances: np.ndarray) -> np.ndarray:
    """Probabilities, the last of which is the difference from 1 of the sum of the others."""
    if chances.ndim < 1 or chances.shape[-1] < 1:
        raise InvalidValueError(function, "pvals has no elements along its last axis")
    chances = chances.astype(np.float64)
    if not ((chances >= 0) & (chances <= 1)).all():
        raise InvalidValueError(function, "pvals is not in [0, 1]")
    first = chances[..., :-1]
    total = first.sum(axis=-1, keepdims=True)
    if (total > 1 + 1e-12).any():
        raise InvalidValueError(function, "the sum of pvals[:-1] is above 1")
    return np.concatenate([first, np.maximum(1 - total, 0)], axis=-1)


def _divided(
    draw: Draw,
    counts: Array,
    weights: np.ndarray,
    left: Callable[[Draw, Array, np.ndarray, np.ndarray], Array],
) -> Array:
    """Divides counts among the last axis of `weights`: first into two halves, then each half, and
    so on. left(draw, counts, first, second) draws the counts of the first parts."""
    size, shape = weights.shape[-1], draw.shape
    width = 1 << (size - 1).bit_length()
    padding = [(0, 0)] * (weights.ndim - 1) + [(0, width - size)]
    levels = [np.pad(weights, padding)]
    while levels[-1].shape[-1] > 1:
        levels.append(levels[-1][..., ::2] + levels[-1][..., 1::2])
    counts = _hither.broadcast_to(counts[..., None], (*shape, 1))
    for depth, level in enumerate(levels[-2::-1]):
        nodes = 1 << depth
        part = draw.part(depth, (*shape, nodes))
        lower = left(part, counts, level[..., ::2], level[..., 1::2])
        evaluate(lower)  # once, for its two readers
        both = _hither.stack([lower, counts - lower], axis=-1)
        counts = reshape(both, (*shape, 2 * nodes))
    return _hither.copy(counts[..., :size])


def _factor(
    function: str, covariance: np.ndarray, method: str, tol: float
) -> tuple[np.ndarray, bool]:
    """A matrix whose product of its transpose and itself is the covariance, and whether there is
    one. Libraries of devices could choose other signs, so NumPy computes it for all devices."""
    if method == "svd":
        _, s, vh = np.linalg.svd(covariance)
        valid = np.allclose((vh.T * s) @ vh, covariance, rtol=tol, atol=tol)
        return np.sqrt(s)[:, None] * vh, valid
    if method == "eigh":
        s, u = np.linalg.eigh(covariance)
        return (u * np.sqrt(abs(s))).T, bool((s >= -tol).all())
    if method != "cholesky":
        raise InvalidValueError(function, f"method={method!r} is not 'svd', 'eigh' or 'cholesky'")
    try:
        return np.linalg.cholesky(covariance).T, True
    except np.linalg.LinAlgError:
        raise LinAlgError(function, "cov is not positive definite") from None
