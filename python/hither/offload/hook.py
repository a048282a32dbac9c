"""Puts hither between a call and Numba's functions, when both are there."""

from __future__ import annotations

import sys

_installed = False


def install() -> None:
    """Installs the hook if Numba has been imported; called when a device context is opened."""
    global _installed
    if _installed or "numba" not in sys.modules:
        return
    registry = sys.modules.get("numba.core.registry")
    if registry is None or not hasattr(registry, "CPUDispatcher"):
        return  # being imported
    from .. import _hither, _numba_hook

    _numba_hook.install(registry.CPUDispatcher, _hither._offload_api, _prepare)
    _installed = True


def _prepare(dispatcher, on_serial: int):
    """The first call of a function in a device context."""
    from .sibling import prepare

    return prepare(dispatcher, on_serial)
