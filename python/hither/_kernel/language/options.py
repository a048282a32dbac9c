"""What @hither.kernel is told about a kernel."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CompileOptions:
    """`signatures`, if any, are the only types that the kernel takes; written as Numba's."""

    debug: bool = False
    fastmath: bool = False
    cache: bool = False
    fma: bool = True
    signatures: tuple[str, ...] = ()


def declared_signatures(function) -> tuple:
    """The signatures that a @device_func or a dispatcher of Numba was declared with: one without
    any compiles what it meets, and lists that."""
    return () if getattr(function, "_can_compile", False) else tuple(function.signatures)
