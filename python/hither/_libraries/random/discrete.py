"""The methods of Generator that draw integers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..._hither import Array
from .bounded_integers import integers_between
from .counted_draws import CountedDraws
from .parameters import at_least_zero, count, inside, refuse_where

__all__ = ["DiscreteDraws"]

# As in NumPy, means are so far below 2**63 that no number is above it.
_LARGEST_MEAN = 2.0**63 - 10 * math.sqrt(2.0**63)
_COLOR_LIMIT = 10**9


class DiscreteDraws(CountedDraws):
    """Distributions of integers. Results are int64."""

    def integers(
        self,
        low: Any,
        high: Any = None,
        size: Any = None,
        dtype: Any = np.int64,
        endpoint: bool = False,
    ) -> Array:
        """Integers in [low, high), or [low, high] with ``endpoint``, or [0, low) without ``high``.

        Their probabilities are equal to within 2**-64.
        """
        if high is None:
            low, high = 0, low
        draw, low, high = self._start("integers", size, low, high)
        return integers_between(draw, low, high, np.dtype(dtype), endpoint)

    def poisson(self, lam: Any = 1.0, size: Any = None) -> Array:
        """The number of events, of which ``lam`` occur on average."""
        draw, lam = self._start("poisson", size, lam)
        inside("poisson", "lam", lam, 0, _LARGEST_MEAN, "[]")
        return draw.integers("poisson", lam)

    def binomial(self, n: Any, p: Any, size: Any = None) -> Array:
        """The number of successes in ``n`` trials that succeed with probability ``p``."""
        draw, n, p = self._start("binomial", size, n, p)
        n = count("binomial", "n", n)
        at_least_zero("binomial", "n", n)
        inside("binomial", "p", p, 0, 1, "[]")
        return draw.integers("binomial", n, p)

    def negative_binomial(self, n: Any, p: Any, size: Any = None) -> Array:
        """The number of failures before ``n`` trials have succeeded with probability ``p``."""
        draw, n, p = self._start("negative_binomial", size, n, p)
        inside("negative_binomial", "n", n, 0, math.inf, "()")
        inside("negative_binomial", "p", p, 0, 1, "(]")
        mean = (1 - p) / p * (n + 10 * n**0.5)
        refuse_where(mean > _LARGEST_MEAN, "negative_binomial", "n is too large or p is too small")
        return draw.integers("negative_binomial", n, p)

    def geometric(self, p: Any, size: Any = None) -> Array:
        """The number of trials up to the first one that succeeds, with probability ``p``."""
        draw, p = self._start("geometric", size, p)
        inside("geometric", "p", p, 0, 1, "(]")
        return draw.integers("geometric", p)

    def hypergeometric(self, ngood: Any, nbad: Any, nsample: Any, size: Any = None) -> Array:
        """The number of good ones among ``nsample`` of ``ngood`` and ``nbad``."""
        name = "hypergeometric"
        draw, *values = self._start(name, size, ngood, nbad, nsample)
        names = ("ngood", "nbad", "nsample")
        good, bad, sample = (count(name, n, v) for n, v in zip(names, values, strict=True))
        inside(name, "ngood", good, 0, _COLOR_LIMIT, "[)")
        inside(name, "nbad", bad, 0, _COLOR_LIMIT, "[)")
        at_least_zero(name, "nsample", sample)
        refuse_where(good + bad < sample, name, "nsample is larger than ngood + nbad")
        return draw.integers(name, good, bad, sample)

    def zipf(self, a: Any, size: Any = None) -> Array:
        """Integers k from 1 of probabilities proportional to k ** -a."""
        draw, a = self._start("zipf", size, a)
        inside("zipf", "a", a, 1, math.inf, "(]")
        return draw.integers("zipf", a)

    def logseries(self, p: Any, size: Any = None) -> Array:
        """Integers k from 1 of probabilities proportional to p ** k / k."""
        draw, p = self._start("logseries", size, p)
        inside("logseries", "p", p, 0, 1, "[)")
        return draw.integers("logseries", p)
