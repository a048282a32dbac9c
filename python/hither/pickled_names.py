"""hither's modules and functions in pickles: their names, as those of other packages."""

from __future__ import annotations

import copyreg
import importlib
import operator
import types
from typing import Any

from ._hither import asarray

__all__: list[str] = []


def module_by_name(module: types.ModuleType) -> tuple[Any, ...]:
    """For modules of classes of their own, which pickle and cloudpickle do not know."""
    return importlib.import_module, (module.__name__,)


copyreg.pickle(type(asarray), operator.attrgetter("__qualname__"))  # nanobind's functions
