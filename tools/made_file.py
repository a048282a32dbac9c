"""What tools that write a file of the project share: `--check` compares instead."""

from __future__ import annotations

import sys
from pathlib import Path


def write_or_check(file: Path, text: str) -> int:
    """The exit status of the tool: 1 where `--check` is given and the file says something else."""
    if "--check" not in sys.argv:
        file.write_text(text)
        return 0
    if file.exists() and file.read_text() == text:
        return 0
    print(f"{file.name} is out of date: run tools/{Path(sys.argv[0]).name}", file=sys.stderr)
    return 1
