"""The options of @hither.kernel."""

from __future__ import annotations


class CompileOptions:  # No data class: making one takes longer than a launch from the disk cache.
    """Options of a kernel. `signatures`, in Numba's syntax, restrict the types that it takes."""

    def __init__(
        self,
        debug: bool = False,
        fastmath: bool = False,
        cache: bool = False,
        fma: bool = True,
        signatures: tuple[str, ...] = (),
    ) -> None:
        self.debug = debug
        self.fastmath = fastmath
        self.cache = cache
        self.fma = fma
        self.signatures = signatures

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CompileOptions) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))

    def __repr__(self) -> str:
        return f"CompileOptions({vars(self)})"


def declared_signatures(function) -> tuple:
    """The signatures that a @device_func or a Numba dispatcher was declared with.

    The result is empty for a dispatcher without declared signatures. Its `signatures` list the
    types that it was compiled for.
    """
    return () if getattr(function, "_can_compile", False) else tuple(function.signatures)
