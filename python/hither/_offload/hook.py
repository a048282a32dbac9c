"""Installs hither's hook into calls of Numba functions, once both packages are imported."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Callable
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .results import adopt_results

if TYPE_CHECKING:
    from importlib.abc import Loader, MetaPathFinder
else:  # importlib.abc imports much, and these classes override all methods that are used
    Loader = MetaPathFinder = object

# The treatments of functions with parallel=False in a context; the first is the default.
ON_SERIAL = ("error", "ignore", "host", "single_task")
# Versions of a function: for each of these treatments, and again with small regions that the host
# runs itself.
KINDS = tuple((on_serial, small) for small in (False, True) for on_serial in ON_SERIAL)
_REGISTRY = "numba.core.registry"
_TYPEOF = "numba.core.typing.typeof"
_TYPES = "hither._offload.array_type"
_lock = threading.Lock()
_prepared = False


class RegionFailed(RuntimeError):
    """Compiled code raises it for a region that failed. The hook replaces it by the region's
    error."""


def install() -> None:
    """Installs the hook if Numba has been imported, or as soon as it is. Called when a device
    context is opened."""
    global _prepared
    if _prepared:
        return
    with _lock:
        if _prepared:
            return
        after_import(_REGISTRY, _install_on)
        _prepared = True


def register_type(array_class: type) -> None:
    """Tells Numba the type of `array_class`, hither.Array, once both packages are imported. Without
    it, Numba takes an array for a buffer, which has neither a shape nor arithmetic."""

    def register(typeof: ModuleType) -> None:
        if _TYPES not in sys.modules:  # it imports Numba, so that it cannot be imported yet
            typeof.typeof_impl.register(array_class)(_type_of)

    after_import(_TYPEOF, register)


def _type_of(array: Any, context: Any) -> Any:
    """Numba's type of an array. The module that it imports replaces this function."""
    return importlib.import_module(_TYPES).type_of(array, context)


def after_import(name: str, work: Callable[[ModuleType], None]) -> None:
    """Calls work(module) if the module has been imported, or as soon as it is."""
    if name in sys.modules:  # another thread may be importing it: wait for the import's end
        work(importlib.import_module(name))
    else:
        sys.meta_path.insert(0, _Finder(name, work))


def _install_on(registry: ModuleType) -> None:
    from .. import _environment, _hither, _numba_hook

    if _environment.checks_races():
        from . import race_check

        race_check.install(registry.CPUDispatcher)
    _numba_hook.install(
        registry.CPUDispatcher, _hither.offload_api(), _prepare, RegionFailed, adopt_results,
        _warn_of_regions,
    )  # fmt: skip


def _warn_of_regions(regions: list[int]) -> None:
    from .serial_loops import warn_of_regions

    warn_of_regions(regions)


def _prepare(dispatcher: Any, kind: int) -> Any:
    """Prepares the first call of a function in a device context. `kind` is an index of KINDS."""
    from .._kernel.numba.numba_version import check_loops

    check_loops()
    from .sibling import prepare

    return prepare(dispatcher, kind)


class _Finder(MetaPathFinder):
    """Finds one module, to run `work` after its import."""

    def __init__(self, name: str, work: Callable[[ModuleType], None]) -> None:
        self.name = name
        self.work = work

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name != self.name:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self)
        return spec


class _Loader(Loader):
    """The module's loader, followed by the finder's `work`."""

    def __init__(self, loader: Any, finder: _Finder) -> None:
        self.loader = loader
        self.finder = finder

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self.loader.exec_module(module)
        self.finder.work(module)
        sys.meta_path.remove(self.finder)  # last, so that a failed import can be repeated
