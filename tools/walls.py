"""The folders of src/ that each folder may include, as CMakeLists.txt and folder.cmake grant them.

CMake enforces the grants by include paths. It cannot refuse `..` in an include, and it checks
only the files that a build compiles.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

# hither_folder(FOLDER ... FOLDERS granted ...) and functions that call it
_FOLDER = re.compile(r"^\s*hither_\w*folder\(([\w/]+)\b([^)]*)\)", re.MULTILINE)
# hither_include_view(VARIABLE NAME FOLDER granted ...)
_VIEW = re.compile(r"^\s*hither_include_view\(\w+\s+[a-z]\w+\s+([a-z][^)]*)\)", re.MULTILINE)
_SET = re.compile(r"^\s*set\((\w+)\s+([^)\"]*)\)", re.MULTILINE)
_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


@dataclass
class Walls:
    # A folder of src/: the folders and headers that it may include, and itself.
    grants: dict[str, set[str]]
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
            include == granted or include.startswith(granted + "/")
            for granted in self.grants[folder]
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
                faults.append(f"{path}:{line}: '{include}' crosses a wall (see src/CMakeLists.txt)")
        return faults


def _grants_of(text: str) -> dict[str, set[str]]:
    """The grants in one file of CMake."""
    grants = {}
    for folder, rest in _FOLDER.findall(text):
        granted = re.search(r"\bFOLDERS((?:\s+[a-z_][\w/]*)+)", rest)
        grants[folder] = {folder, *(granted[1].split() if granted else ())}
    values = dict(_SET.findall(text))
    for seen in _VIEW.findall(text):
        while variable := re.search(r"\$\{(\w+)\}", seen):
            seen = seen.replace(variable[0], values.get(variable[1], ""))
        folder, *granted = seen.split()
        grants[folder] = {folder, *granted}
    return grants


def read_walls(root: Path) -> Walls:
    grants: dict[str, set[str]] = {}
    for name in ("CMakeLists.txt", "folder.cmake"):
        for file in (root / "src").rglob(name):
            grants |= _grants_of(file.read_text())
    folders = {path.name for path in (root / "src").iterdir() if path.is_dir()}
    return Walls(grants, folders)
