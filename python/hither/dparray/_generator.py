"""numpy.random with generators whose arrays are in USM."""

from __future__ import annotations

from typing import Any

import numpy as np

from hither import _hither
from hither.dparray._dp_array import adopt

__all__ = ["Generator", "RandomState", "default_rng"]


def _drawing(base: type) -> type:
    """A subclass whose methods return DPArrays."""

    def method(name: str) -> Any:
        draw = getattr(base, name)

        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = _hither.call_in_usm(None, draw, (self, *args), kwargs)
            return result if result is kwargs.get("out") else adopt(result)

        call.__name__, call.__doc__ = name, draw.__doc__
        return call

    public = [n for n in dir(base) if not n.startswith("_") and callable(getattr(base, n))]
    return type(base.__name__, (base,), {n: method(n) for n in public} | {"__module__": __name__})


Generator: Any = _drawing(np.random.Generator)
RandomState: Any = _drawing(np.random.RandomState)


def default_rng(seed: Any = None) -> Any:
    """numpy.random.default_rng, whose arrays are in USM."""
    return (
        seed
        if isinstance(seed, Generator)
        else Generator(np.random.default_rng(seed).bit_generator)
    )
