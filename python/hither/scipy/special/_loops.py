"""SciPy's rule for the dtypes of an element-wise function, and SciPy's function on the host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._libraries.scipy_module import scipy_module
from ...errors import InvalidTypeError, UnsupportedError

__all__: list[str] = []

_WEAK: dict[type, Any] = {int: 1, float: 1.0, complex: 1j}


class Loops:
    """What hither.numpy.ufunc needs of a ufunc of SciPy, without SciPy: `types` are SciPy's loops,
    in SciPy's order."""

    identity = None
    signature = None
    package = "scipy.special"

    def __init__(self, name: str, types: str) -> None:
        self.__name__ = name
        self.types = types.split()
        operands, results = self.types[0].split("->")
        self.nin, self.nout = len(operands), len(results)
        self.nargs = self.nin + self.nout

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self._scipys()(*args, **keywords)

    def __getattr__(self, name: str) -> Any:
        if name not in ("accumulate", "at", "reduce", "reduceat"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self._scipys(), name)

    def _scipys(self) -> Any:
        module = scipy_module("special", self.__name__)
        if module is None:
            raise UnsupportedError(
                self.__name__,
                "hither has no kernel for these dtypes, and SciPy, which has a function for the "
                'host, is not installed; install "hither[scipy]"',
            )
        return getattr(module, self.__name__)

    def resolve_dtypes(
        self, dtypes: Sequence[Any], *, signature: Any = None, casting: Any = "same_kind"
    ) -> tuple[np.dtype, ...]:
        """The dtypes of operands and results. `dtypes` are those of the operands, and int, float
        and complex for Python's numbers, then None for each result."""
        operands = tuple(dtypes[: self.nin])
        loop = self._chosen(operands) if signature is None else self._asked(operands, signature)
        outcome = tuple(np.dtype(c) for c in loop.replace("->", ""))
        for given, wanted in zip(operands, outcome, strict=False):
            if isinstance(given, np.dtype) and not np.can_cast(given, wanted, casting):
                raise InvalidTypeError(
                    self.__name__, f"casting={casting!r} does not convert {given} to {wanted}"
                )
        return outcome

    def _asked(self, operands: tuple[Any, ...], signature: Any) -> str:
        for loop in self.types:
            pairs = zip(signature, loop.replace("->", ""), strict=False)
            if all(wanted is None or np.dtype(wanted) == np.dtype(c) for wanted, c in pairs):
                return loop
        raise InvalidTypeError(
            self.__name__, f"has no loop with the dtypes asked for; it has {', '.join(self.types)}"
        )

    def _chosen(self, operands: tuple[Any, ...]) -> str:
        """The loop of exactly these dtypes, or the first one that the operands convert to safely.
        A Python number has the dtype that NumPy gives it with the arrays."""
        arrays = [t for t in operands if isinstance(t, np.dtype)]
        if len(arrays) == self.nin:
            for loop in self.types:
                if all(t.char == c for t, c in zip(arrays, loop, strict=False)):
                    return loop
        given = [
            t if isinstance(t, np.dtype) else np.result_type(*arrays, _WEAK[t]) for t in operands
        ]
        for loop in self.types:
            if all(np.can_cast(t, c, "safe") for t, c in zip(given, loop, strict=False)):
                return loop
        shown = " and ".join(str(t) for t in given)
        raise InvalidTypeError(
            self.__name__,
            f"takes no operands of dtype {shown}; SciPy's {self.__name__} computes "
            f"{', '.join(self.types)}",
        )
