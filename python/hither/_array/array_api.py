"""Constants and inspection functions that the Python Array API standard requires of a namespace.

https://data-apis.org/array-api/2025.12/
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _hither

__all__ = [
    "__array_api_version__",
    "__array_namespace_info__",
    "check_array_api_version",
    "e",
    "inf",
    "nan",
    "newaxis",
    "pi",
]

__array_api_version__ = "2025.12"

e: float = math.e
inf: float = math.inf
nan: float = math.nan
newaxis: None = None
pi: float = math.pi

_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")

_KINDS = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float32", "float64"),
    "complex floating": ("complex64", "complex128"),
}
_KINDS["integral"] = _KINDS["signed integer"] + _KINDS["unsigned integer"]
_KINDS["numeric"] = _KINDS["integral"] + _KINDS["real floating"] + _KINDS["complex floating"]


def check_array_api_version(version: str) -> None:
    """Checks that hither implements a version of the Array API standard."""
    if version not in _VERSIONS:
        raise ValueError(f"version {version!r} of the Array API is none of {', '.join(_VERSIONS)}")


class _Devices(tuple):
    """A tuple, as the standard wants it, that programs for its older editions may join to lists."""

    def __add__(self, other: Any) -> Any:
        return list(self) + other if isinstance(other, list) else super().__add__(other)

    def __radd__(self, other: Any) -> Any:
        return other + list(self) if isinstance(other, list) else NotImplemented


class ArrayNamespaceInfo:
    """Inspection of the namespace, as the standard defines it."""

    __module__ = "hither"

    def capabilities(self) -> dict[str, Any]:
        """The optional features that the namespace supports."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 32}

    def default_device(self) -> _hither.Device:
        """The device of arrays that are created without device= and queue=."""
        return _hither.Device()

    def default_dtypes(self, *, device: Any = None) -> dict[str, np.dtype]:
        """The dtypes of arrays that are created without dtype=."""
        return {
            "real floating": np.dtype(np.float64),
            "complex floating": np.dtype(np.complex128),
            "integral": np.dtype(np.int64),
            "indexing": np.dtype(np.int64),
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, np.dtype]:
        """The dtypes of the standard, by name. `kind` is an argument of isdtype()."""
        kinds = (
            ("bool", "numeric") if kind is None else kind if isinstance(kind, tuple) else (kind,)
        )
        unknown = [k for k in kinds if k not in _KINDS]
        if unknown:
            raise ValueError(f"kind {unknown[0]!r} is none of {', '.join(_KINDS)}")
        return {name: np.dtype(name) for k in kinds for name in _KINDS[k]}

    def devices(self) -> tuple[_hither.Device, ...]:
        """Every root device."""
        return _Devices(_hither.devices())


def __array_namespace_info__() -> ArrayNamespaceInfo:  # noqa: N807
    """Inspection of the namespace."""
    return ArrayNamespaceInfo()
