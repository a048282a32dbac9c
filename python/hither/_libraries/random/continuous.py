"""The methods of Generator that draw real numbers."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ... import _hither
from ..._hither import Array, astype
from ...errors import InvalidValueError, ScalarOverflowError
from .counted_draws import CountedDraws
from .parameters import at_least_zero, floating, positive, refuse_where

__all__ = ["ContinuousDraws"]

_LARGEST = sys.float_info.max


class ContinuousDraws(CountedDraws):
    """Distributions of real numbers."""

    _any_bounds = False  # whether uniform() takes a low that is larger than high

    def random(self, size: Any = None, dtype: Any = np.float64) -> Array:
        """Uniform numbers in [0, 1): multiples of 2**-53, or of 2**-24 for float32."""
        dtype = floating("random", dtype)
        return self._start("random", size)[0].unit(dtype)

    def uniform(
        self, low: Any = 0.0, high: Any = 1.0, size: Any = None, dtype: Any = np.float64
    ) -> Array:
        """Uniform numbers in [low, high)."""
        dtype = floating("uniform", dtype)
        draw, low, high = self._start("uniform", size, low, high)
        if not (isinstance(low, Array) or isinstance(high, Array)):
            if not -_LARGEST <= high - low <= _LARGEST:
                raise ScalarOverflowError("uniform", f"high - low of [{low}, {high}] is not finite")
            if high < low and not self._any_bounds:
                raise InvalidValueError("uniform", f"high={high} is less than low={low}")
        return draw.shared("uniform", dtype, low, high)

    def standard_normal(self, size: Any = None, dtype: Any = np.float64) -> Array:
        """Normal numbers of mean 0 and variance 1."""
        dtype = floating("standard_normal", dtype)
        return self._start("standard_normal", size)[0].normal(dtype)

    def normal(
        self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None, dtype: Any = np.float64
    ) -> Array:
        """Normal numbers of mean ``loc`` and standard deviation ``scale``."""
        dtype = floating("normal", dtype)
        draw, loc, scale = self._start("normal", size, loc, scale)
        at_least_zero("normal", "scale", scale)
        return draw.shared("normal", dtype, loc, scale)

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Array:
        """The exponentials of normal numbers."""
        draw, mean, sigma = self._start("lognormal", size, mean, sigma)
        at_least_zero("lognormal", "sigma", sigma)
        return draw.numbers("lognormal", mean, sigma)

    def standard_exponential(self, size: Any = None, dtype: Any = np.float64) -> Array:
        """Numbers of density exp(-x)."""
        dtype = floating("standard_exponential", dtype)
        return self._start("standard_exponential", size)[0].exponential(dtype)

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Array:
        """Exponential numbers of mean ``scale``."""
        draw, scale = self._start("exponential", size, scale)
        at_least_zero("exponential", "scale", scale)
        return draw.exponential(scale=scale)

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Array:
        """Numbers of density exp(-|x - loc| / scale) / (2 scale)."""
        return self._of_scale("laplace", loc, scale, size)

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Array:
        """Numbers of distribution function 1 / (1 + exp(-(x - loc) / scale))."""
        return self._of_scale("logistic", loc, scale, size)

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Array:
        """Numbers of distribution function exp(-exp(-(x - loc) / scale))."""
        return self._of_scale("gumbel", loc, scale, size)

    def _of_scale(self, name: str, loc: Any, scale: Any, size: Any) -> Array:
        draw, loc, scale = self._start(name, size, loc, scale)
        at_least_zero(name, "scale", scale)
        return draw.numbers(name, loc, scale)

    def rayleigh(self, scale: Any = 1.0, size: Any = None) -> Array:
        """The length of a vector of two normal numbers of standard deviation ``scale``."""
        draw, scale = self._start("rayleigh", size, scale)
        at_least_zero("rayleigh", "scale", scale)
        return draw.numbers("rayleigh", scale)

    def weibull(self, a: Any, size: Any = None) -> Array:
        """Numbers of distribution function 1 - exp(-x ** a)."""
        draw, a = self._start("weibull", size, a)
        at_least_zero("weibull", "a", a)
        return draw.numbers("weibull", a)

    def pareto(self, a: Any, size: Any = None) -> Array:
        """Numbers of density a / (1 + x) ** (a + 1)."""
        return self._of_positive("pareto", size, a=a)

    def power(self, a: Any, size: Any = None) -> Array:
        """Numbers of density a x ** (a - 1) in [0, 1]."""
        return self._of_positive("power", size, a=a)

    def standard_cauchy(self, size: Any = None) -> Array:
        """Numbers of density 1 / (pi (1 + x ** 2))."""
        return self._start("standard_cauchy", size)[0].numbers("cauchy")

    def triangular(self, left: Any, mode: Any, right: Any, size: Any = None) -> Array:
        """Numbers of a density that rises linearly from ``left`` to ``mode`` and falls linearly to
        ``right``."""
        draw, left, mode, right = self._start("triangular", size, left, mode, right)
        refuse_where(left > mode, "triangular", "left is larger than mode")
        refuse_where(mode > right, "triangular", "mode is larger than right")
        refuse_where(left == right, "triangular", "left equals right")
        return draw.numbers("triangular", left, mode, right)

    def standard_gamma(self, shape: Any, size: Any = None, dtype: Any = np.float64) -> Array:
        """Numbers of density x ** (shape - 1) exp(-x) / Gamma(shape)."""
        dtype = floating("standard_gamma", dtype)
        draw, shape = self._start("standard_gamma", size, shape)
        at_least_zero("standard_gamma", "shape", shape)
        return astype(draw.numbers("gamma", shape, 1.0), dtype, copy=False)

    def gamma(self, shape: Any, scale: Any = 1.0, size: Any = None) -> Array:
        """Gamma numbers of this shape, times ``scale``."""
        draw, shape, scale = self._start("gamma", size, shape, scale)
        at_least_zero("gamma", "shape", shape)
        at_least_zero("gamma", "scale", scale)
        return draw.numbers("gamma", shape, scale)

    def beta(self, a: Any, b: Any, size: Any = None) -> Array:
        """Numbers of density proportional to x ** (a - 1) (1 - x) ** (b - 1) in [0, 1]."""
        draw, a, b = self._start("beta", size, a, b)
        positive("beta", "a", a)
        positive("beta", "b", b)
        return draw.numbers("beta", *_of_middle_size(a, b))

    def chisquare(self, df: Any, size: Any = None) -> Array:
        """The sum of ``df`` squares of normal numbers."""
        draw, df = self._start("chisquare", size, df)
        positive("chisquare", "df", df)
        return draw.numbers("gamma", df * 0.5, 2.0)

    def noncentral_chisquare(self, df: Any, nonc: Any, size: Any = None) -> Array:
        """The sum of ``df`` squares of normal numbers whose squared means sum up to ``nonc``."""
        draw, df, nonc = self._start("noncentral_chisquare", size, df, nonc)
        positive("noncentral_chisquare", "df", df)
        at_least_zero("noncentral_chisquare", "nonc", nonc)
        return draw.numbers("noncentral_chisquare", df, nonc)

    def f(self, dfnum: Any, dfden: Any, size: Any = None) -> Array:
        """The ratio of two chi-square numbers, each divided by its degrees of freedom."""
        return self._of_positive("f", size, dfnum=dfnum, dfden=dfden)

    def noncentral_f(self, dfnum: Any, dfden: Any, nonc: Any, size: Any = None) -> Array:
        """The ratio of a noncentral chi-square number and a chi-square number, each divided by its
        degrees of freedom."""
        draw, dfnum, dfden, nonc = self._start("noncentral_f", size, dfnum, dfden, nonc)
        positive("noncentral_f", "dfnum", dfnum)
        positive("noncentral_f", "dfden", dfden)
        at_least_zero("noncentral_f", "nonc", nonc)
        return draw.numbers("noncentral_f", dfnum, dfden, nonc)

    def standard_t(self, df: Any, size: Any = None) -> Array:
        """Student's t: a normal number divided by the root of a mean of ``df`` squares."""
        return self._of_positive("standard_t", size, df=df)

    def wald(self, mean: Any, scale: Any, size: Any = None) -> Array:
        """The inverse Gaussian distribution."""
        return self._of_positive("wald", size, mean=mean, scale=scale)

    def vonmises(self, mu: Any, kappa: Any, size: Any = None) -> Array:
        """Angles in [-pi, pi] of density proportional to exp(kappa cos(x - mu))."""
        draw, mu, kappa = self._start("vonmises", size, mu, kappa)
        at_least_zero("vonmises", "kappa", kappa)
        return draw.numbers("vonmises", mu, kappa)

    def _of_positive(self, function: str, size: Any, **parameters: Any) -> Array:
        draw, *values = self._start(function, size, *parameters.values())
        for name, value in zip(parameters, values, strict=True):
            positive(function, name, value)
        return draw.numbers(function, *values)


# Sums and quotients of gamma numbers of larger or smaller parameters may not be finite.
_HUGE, _TINY = 2.0**980, 2.0**-980


def _of_middle_size(a: Any, b: Any) -> tuple[Any, Any]:
    """Parameters of beta() whose gamma numbers, and logarithms of these, are finite. If both are
    huge or both are tiny, the distribution depends on their ratio alone, up to rounding."""
    if isinstance(a, Array) or isinstance(b, Array):
        huge = _hither.logical_and(a > _HUGE, b > _HUGE)
        tiny = _hither.logical_and(a < _TINY, b < _TINY)
        scale: Any = _hither.where(huge, 2.0**-60, _hither.where(tiny, 2.0**60, 1.0))
    else:
        scale = 2.0**-60 if min(a, b) > _HUGE else 2.0**60 if max(a, b) < _TINY else 1.0
    return a * scale, b * scale
