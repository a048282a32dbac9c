"""Which folders of src/ each folder may include, as src/CMakeLists.txt grants it.

CMake enforces the grants by include paths. It cannot refuse `..` in an include, and it checks
only the files that a build compiles.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_FOLDER = re.compile(r"^\s*hither_\w*folder\(([\w/]+)\b([^)]*)\)", re.MULTILINE)
_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


@dataclass
class Walls:
    grants: dict[str, set[str]]  # a folder of src/: the folders it may include, itself with them
    folders: set[str]  # the folders directly in src/

    def _folder_of(self, path: Path) -> str | None:
        """The innermost folder with grants that holds the file."""
        for parent in path.parents:
            name = parent.as_posix().removeprefix("src/")
            if name in self.grants and parent.parts[0] == "src":
                return name
        return None

    def _is_internal(self, include: str) -> bool:
        folder, slash, _ = include.partition("/")
        return bool(slash) and folder in self.folders

    def _may(self, path: Path, include: str) -> bool:
        if path.parts[0] == "include" or path.parent == Path("tests/cpp"):
            return False
        folder = self._folder_of(path)
        return folder is None or any(
            include.startswith(granted + "/") for granted in self.grants[folder]
        )

    def faults(self, path: Path, text: str) -> list[str]:
        """One line for each include of the file that crosses a wall."""
        faults = []
        for found in _INCLUDE.finditer(text):
            include = found[1]
            line = text.count("\n", 0, found.start(1)) + 1
            if ".." in Path(include).parts:
                faults.append(f"{path}:{line}: '{include}': include from src/ or include/, not ..")
            elif self._is_internal(include) and not self._may(path, include):
                faults.append(f"{path}:{line}: '{include}' crosses a wall (src/CMakeLists.txt)")
        return faults


def read_walls(root: Path) -> Walls:
    grants = {}
    for folder, rest in _FOLDER.findall((root / "src/CMakeLists.txt").read_text()):
        granted = re.search(r"\bFOLDERS((?:\s+[a-z_][\w/]*)+)", rest)
        grants[folder] = {folder, *(granted[1].split() if granted else ())}
    folders = {path.name for path in (root / "src").iterdir() if path.is_dir()}
    return Walls(grants, folders)
