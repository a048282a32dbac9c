"""The core dimensions of generalised ufuncs: matmul, matvec, vecmat and vecdot."""

from __future__ import annotations

import functools
import re
from typing import Any

from ..errors import InvalidValueError

__all__: list[str] = []


@functools.cache
def _names(signature: str) -> list[list[str]]:
    """The names of the core dimensions of each operand and of the result: "(m,n),(n)->(m)"."""
    return [group.split(",") if group else [] for group in re.findall(r"\((.*?)\)", signature)]


def cores_of_result(function: str, signature: str, operands: Any) -> int:
    """The number of core dimensions of the result. Raises InvalidValueError if an operand has too
    few; those whose names end with "?" can be missing."""
    *inputs, result = _names(signature)
    present: set[str] = set()
    for i, (x, names) in enumerate(zip(operands, inputs, strict=True)):
        ndim = getattr(x, "ndim", 0)
        known = names if ndim >= len(names) else [name for name in names if name[-1] != "?"]
        if ndim < len(known):
            raise InvalidValueError(
                function, f"x{i + 1} has {ndim} dimensions, at least {len(known)} are needed"
            )
        present.update(known)
    return sum(name in present for name in result)


def check_out(function: str, signature: str, operands: Any, result: Any, out: Any) -> None:
    """Raises InvalidValueError if core dimensions of `out` differ from those of the result: only
    the others broadcast."""
    count = cores_of_result(function, signature, operands)
    if result.shape[result.ndim - count :] != out.shape[max(out.ndim - count, 0) :]:
        raise InvalidValueError(
            function,
            f"out has shape {out.shape}, the result {result.shape}; its last {count} extents "
            "must be equal",
        )
