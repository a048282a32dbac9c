"""Folders for builds of native extensions: headers, the CMake package, the pkg-config files."""

from __future__ import annotations

from pathlib import Path

from ..errors import UnsupportedError

__all__ = ["get_cmake_dir", "get_include", "get_pkgconfig_dir"]

_PACKAGE = Path(__file__).parents[1]


def _folder(function: str, *candidates: Path) -> str:
    for folder in candidates:
        if folder.is_dir():
            return str(folder)
    raise UnsupportedError(
        function, f"this installation of hither has no {candidates[0]}; install it again"
    )


def get_include() -> str:
    """The folder for ``-I``, with ``hither/c_api.h`` and the headers for C++."""
    in_source_tree = _PACKAGE.resolve().parents[1] / "include"
    return _folder("get_include", _PACKAGE / "include", in_source_tree)


def get_cmake_dir() -> str:
    """The value for ``-Dhither_DIR=``: the CMake package with hither::c_api and hither::hither."""
    return _folder("get_cmake_dir", _PACKAGE / "share" / "cmake" / "hither")


def get_pkgconfig_dir() -> str:
    """The folder for ``PKG_CONFIG_PATH``, with hither-c.pc for the C API and hither.pc for C++."""
    return _folder("get_pkgconfig_dir", _PACKAGE / "share" / "pkgconfig")
