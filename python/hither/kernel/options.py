"""What @hither.kernel is told about a kernel."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CompileOptions:
    """`signatures`, if any, are the only types that the kernel takes; written as Numba's."""

    debug: bool = False
    fastmath: bool = False
    cache: bool = False
    signatures: tuple[str, ...] = ()
