"""The options of @hither.kernel."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CompileOptions:
    """Options of a kernel. `signatures`, in Numba's syntax, restrict the types that it takes."""

    debug: bool = False
    fastmath: bool = False
    cache: bool = False
    fma: bool = True
    signatures: tuple[str, ...] = ()


def declared_signatures(function) -> tuple:
    """The signatures that a @device_func or a Numba dispatcher was declared with.

    The result is empty for a dispatcher without declared signatures. Its `signatures` list the
    types that it was compiled for.
    """
    return () if getattr(function, "_can_compile", False) else tuple(function.signatures)
