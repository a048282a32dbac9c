"""Puts hither between a call and Numba's functions, when both are there."""

from __future__ import annotations

import importlib
import sys
import threading
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

# What a context may do with functions that say parallel=False; the first is the default.
ON_SERIAL = ("error", "ignore", "host", "single_task")
_REGISTRY = "numba.core.registry"
_lock = threading.Lock()
_prepared = False


class RegionFailed(RuntimeError):
    """What compiled code raises for a region that failed; callers see the region's own error."""


def install() -> None:
    """Called when a device context is opened: installs the hook if Numba has been imported, else
    as soon as it will be."""
    global _prepared
    if _prepared:
        return
    with _lock:
        if _prepared:
            return
        if _REGISTRY in sys.modules:  # maybe another thread is importing it: wait for that
            _install_on(importlib.import_module(_REGISTRY).CPUDispatcher)
        else:
            sys.meta_path.insert(0, _Finder())
        _prepared = True


def _install_on(dispatcher_class: type) -> None:
    from .. import _hither, _numba_hook

    _numba_hook.install(dispatcher_class, _hither.offload_api(), _prepare, RegionFailed)


def _prepare(dispatcher: Any, on_serial: int) -> Any:
    """The first call of a function in a device context."""
    from .sibling import prepare

    return prepare(dispatcher, on_serial)


class _Finder(MetaPathFinder):
    """Waits for the module of Numba that defines the class of its functions."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name != _REGISTRY:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self)
        return spec


class _Loader(Loader):
    """Numba's own loader, and what is to be done afterwards."""

    def __init__(self, loader: Any, finder: _Finder) -> None:
        self.loader = loader
        self.finder = finder

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self.loader.exec_module(module)
        _install_on(module.CPUDispatcher)
        sys.meta_path.remove(self.finder)  # now that nothing can interrupt the import
