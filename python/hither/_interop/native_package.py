"""Folders for builds of native extensions: headers, the CMake package, the pkg-config files."""

from __future__ import annotations

import os

from ..errors import UnsupportedError

__all__ = ["get_cmake_dir", "get_include", "get_pkgconfig_dir"]

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def _folder(function: str, *candidates: str) -> str:
    for folder in candidates:
        if os.path.isdir(folder):
            return folder
    raise UnsupportedError(
        function, f"this installation of hither has no {candidates[0]}; install it again"
    )


def get_include() -> str:
    """The folder for ``-I``, with ``hither/c_api.h`` and the headers for C++."""
    source_tree = os.path.dirname(os.path.dirname(os.path.realpath(_PACKAGE)))
    return _folder(
        "get_include", os.path.join(_PACKAGE, "include"), os.path.join(source_tree, "include")
    )


def get_cmake_dir() -> str:
    """The value for ``-Dhither_DIR=``: the CMake package with hither::c_api and hither::hither."""
    return _folder("get_cmake_dir", os.path.join(_PACKAGE, "share", "cmake", "hither"))


def get_pkgconfig_dir() -> str:
    """The folder for ``PKG_CONFIG_PATH``, with hither-c.pc for the C API and hither.pc for C++."""
    return _folder("get_pkgconfig_dir", os.path.join(_PACKAGE, "share", "pkgconfig"))
