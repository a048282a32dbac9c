"""The Python listings of a Markdown page, run as printed in one namespace.

The tests run every page with run_page(); the documentation site also shows what each listing
prints. A fence says what its listing needs beyond hither and its extras:

    ```python needs=gpu

Where that is missing, the listing is not run, and the site shows the output that
`python tools/listings.py --record PAGE...` wrote to docs/recorded/ on another machine.
`python tools/listings.py PAGE` runs a page in a process of its own and prints the outputs as JSON.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import importlib.util
import io
import json
import re
import sys
import warnings
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
RECORDED = DOCS / "recorded"
_FENCE = re.compile(r"```python(?: needs=(?P<needs>[\w,]+))?")


class Listing(NamedTuple):
    """A fence of Python. `line` is that of its first statement, `end` that of its last fence."""

    line: int
    end: int
    text: str
    needs: tuple[str, ...]

    @property
    def key(self) -> str:
        """What its recorded output is stored under: a changed listing has no record."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


def listings(page_text: str) -> list[Listing]:
    """The fences with the language python. Lines count from 1."""
    found: list[Listing] = []
    start, fence = 0, None
    lines = page_text.splitlines()
    for number, line in enumerate(lines, 1):
        if not line.startswith("```"):
            continue
        if start:
            if fence is not None:
                needs = tuple((fence["needs"] or "").split(",")) if fence["needs"] else ()
                text = "\n".join(lines[start : number - 1])
                found.append(Listing(start + 1, number, text, needs))
            start, fence = 0, None
        else:
            start, fence = number, _FENCE.fullmatch(line)
    return found


def is_available(need: str) -> bool:
    """Whether this machine has a GPU for kernels (need "gpu"), or the package of this name."""
    if need != "gpu":
        return importlib.util.find_spec(need) is not None
    import hither as ht

    return any(device.device_type == "gpu" for device in ht.devices())


def run_page(path: Path) -> dict[int, str]:
    """Runs the page's listings and returns what each has printed, by its last line.

    Listings without their needs are left out. Warnings are shown in the output, as in a terminal.
    """
    outputs: dict[int, str] = {}
    names: dict[str, Any] = {"__name__": "listing"}
    try:
        for listing in listings(path.read_text()):
            if all(is_available(need) for need in listing.needs):
                outputs[listing.end] = _run(listing, path, names)
    finally:
        names.clear()  # arrays must not wait for the collector to find a page's functions
        gc.collect()
    return outputs


def _run(listing: Listing, path: Path, names: dict[str, Any]) -> str:
    program = compile("\n" * (listing.line - 1) + listing.text, str(path), "exec")
    printed = io.StringIO()

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        printed.write(f"{category.__name__}: {message}\n")

    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.showwarning = show
        exec(program, names)
    return printed.getvalue().replace(f"{ROOT}/", "")


def record_of(path: Path) -> Path:
    return RECORDED / ("_".join(path.resolve().relative_to(DOCS).with_suffix("").parts) + ".json")


def recorded_output(path: Path, listing: Listing) -> tuple[str, str] | None:
    """The machine and the output that were recorded for a listing, if it has not changed since."""
    record = record_of(path)
    content = json.loads(record.read_text()) if record.exists() else {}
    return tuple(content[listing.key]) if listing.key in content else None


def record(path: Path) -> None:
    """Writes the outputs of the listings that need something."""
    import hither as ht

    machine = ht.Device().name
    outputs = run_page(path)
    content = {
        listing.key: [machine, outputs[listing.end]]
        for listing in listings(path.read_text())
        if listing.needs and listing.end in outputs
    }
    if content:
        RECORDED.mkdir(exist_ok=True)
        record_of(path).write_text(json.dumps(content, indent=1) + "\n")


def main(arguments: list[str]) -> int:
    if arguments[0] == "--record":
        for name in arguments[1:]:
            record(Path(name).resolve())
    else:
        print(json.dumps(run_page(Path(arguments[0]))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
