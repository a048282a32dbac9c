"""The error for names of SciPy's modules that hither's modules do not have."""

from __future__ import annotations

from collections.abc import Iterable

from .._names import did_you_mean

__all__ = ["absent"]


def absent(module: str, name: str, names: Iterable[str]) -> AttributeError:
    """The error for ``hither.scipy.MODULE.NAME``, which names SciPy's function."""
    text = f"module 'hither.scipy.{module}' has no attribute {name!r}"
    if not name.startswith("_"):  # Python and tools ask for many such names
        text += did_you_mean(name, names) or (
            f"; scipy.{module}.{name} computes on the host, with copies by hither.asnumpy(x)"
        )
    return AttributeError(text, name=name, obj=None)
