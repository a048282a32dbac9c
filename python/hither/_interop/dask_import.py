"""Tells Dask of hither's arrays when a program imports both, in any order.

Dask asks tables by the type of a chunk. They are filled when Dask's modules are in memory, so that
`import hither` does not import Dask.
"""

from __future__ import annotations

import sys

__all__: list[str] = []

# A module that Dask imports late -> the module here that fills the tables, which exist by then.
_TRIGGERS = {
    "dask.array.backends": "dask_chunks",
    "dask.array.ma": "dask_functions",
    "distributed.worker": "dask_messages",
}


def _fill(module: str) -> None:
    import contextlib
    import importlib

    # A version of Dask without these tables can still be imported.
    with contextlib.suppress(ImportError):
        importlib.import_module(f"hither._interop.{module}").register()


class _BeforeImport:
    """Finds no module. Fills the tables when Dask is about to import a module that uses them."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name in _TRIGGERS and "hither._hither" in sys.modules:
            _fill(_TRIGGERS[name])


def watch() -> None:
    """Fills the tables of Dask's modules in memory now, and those of the others at their import."""
    sys.meta_path.insert(0, _BeforeImport())
    for imported, module in _TRIGGERS.items():
        if imported in sys.modules:
            _fill(module)
