"""Writes a generated file of the project, or compares it if the option `--check` is given."""

from __future__ import annotations

import sys
from pathlib import Path


def write_or_check(file: Path, text: str) -> int:
    """Returns the tool's exit status: 1 if `--check` is given and the file differs from `text`."""
    if "--check" not in sys.argv:
        file.write_text(text)
        return 0
    if file.exists() and file.read_text() == text:
        return 0
    print(f"{file.name} is out of date: run tools/{Path(sys.argv[0]).name}", file=sys.stderr)
    return 1
