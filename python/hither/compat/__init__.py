"""The names of dpctl, dpnp, numba_dppy, numba_dpex, dppl and dparray, on hither.

Programs written for those packages run unchanged::

    import hither.compat
    hither.compat.install(force=True)   # before the program's own imports

or ``python -m hither.compat script.py``. docs/compat.md lists the differences in behaviour.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from hither._documentation import complete
from hither.compat import _flavour

__all__ = ["get_cython_dir", "install", "uninstall"]

# package -> the names of its modules, and the modules of hither: relative to the package, or with
# "/" relative to compat
_MODULES: dict[str, dict[str, str]] = {
    "dpctl": {
        "_sycl_queue": "queue",
        "_sycl_queue_manager": "device",
        "memory": "memory",
        "program": "program",
        "tensor": "tensor",
        "utils": "execution_queue",
    },
    "dpnp": {"random": "random", "tensor": "/dpctl.tensor"},
    "numba_dppy": {},
    "numba_dpex": {
        "config": "config",
        "kernel_api": "kernel_api",
        "core": "core",
        "core.config": "config",
        "core.exceptions": "core",
        "core.types": "core",
        "core.types.kernel_api": "core",
        "core.types.kernel_api.index_space_ids": "core",
    },
    "dppl": {},
    "dparray": {"fft": "fft", "linalg": "linalg", "random": "random"},
}
# Modules that hither adds to other packages.
_LIBRARIES = {
    "scipy.linalg.lapack_cython": "hither.lapack",
    "scipy.linalg.oneAPIlapack_cython": "hither.lapack",
}
_replaced: dict[str, ModuleType | None] = {}


def install(*, force: bool = False, flavour: str = "seeds") -> list[str]:
    """Makes ``import dpctl`` and so on find hither's modules. Returns the packages now provided.

    An installed package of the same name is replaced only if ``force`` is true. ``flavour`` is
    "seeds" (equivalent queues can be mixed) or "dpctl-0.21" (only equal queues can). SciPy is not
    replaced and gets hither.lapack as ``scipy.linalg.oneAPIlapack_cython``. Raises ValueError for
    another flavour. Idempotent.
    """
    _flavour.choose(flavour)
    provided: list[str] = []
    for package, children in _MODULES.items():
        if not force and _taken(package):
            continue
        sources = {
            f"{package}.{child}": file[1:] if file.startswith("/") else f"{package}.{file}"
            for child, file in children.items()
        }
        sources[package] = package
        for name in [n for n in sys.modules if n.startswith(f"{package}.") and n not in sources]:
            _replace(name, None)
        for name, source in sources.items():
            _replace(name, importlib.import_module(f"{__name__}.{source}"))
        provided.append(package)
    if "dpctl" in provided:
        importlib.import_module(f"{__name__}.dpctl.attributes").give()
        importlib.import_module(f"{__name__}.dpctl.queue").follow_flavour()
    if "numba_dppy" in provided:
        importlib.import_module(f"{__name__}._numba_extensions").install()
    for name, source in _LIBRARIES.items():
        _replace(name, importlib.import_module(source))
    return provided


def uninstall() -> None:
    """Reverts install(). Modules that a program has imported are unchanged."""
    for name, module in _replaced.items():
        if module is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = module
    if f"{__name__}.dpctl.attributes" in sys.modules:
        sys.modules[f"{__name__}.dpctl.attributes"].take_back()
    _replaced.clear()
    _flavour.choose("seeds")


def get_cython_dir() -> str:
    """The folder for Cython's ``include_path``, with the declarations for ``cimport dpctl``."""
    return str(Path(__file__).parent / "cython")


def _taken(package: str) -> bool:
    """Whether another package of this name is imported or installed."""
    loaded = sys.modules.get(package)
    if loaded is not None:
        return not loaded.__name__.startswith("hither.")
    return importlib.util.find_spec(package) is not None


def _replace(name: str, module: ModuleType | None) -> None:
    if sys.modules.get(name) is module:
        return
    _replaced.setdefault(name, sys.modules.get(name))
    if module is None:
        sys.modules.pop(name, None)
    else:
        sys.modules[name] = module


complete("compat", globals())
