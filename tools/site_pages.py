"""A Sphinx extension: listings with their outputs, links out of docs/, and the generated pages.

Every page with Python listings runs in a process of its own before the pages are read. What a
listing prints is inserted below it; a listing that fails is a warning, which ./dev docs refuses.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import api_pages
import listings
from sphinx.application import Sphinx
from sphinx.util import logging

_LINK = re.compile(r"\[([^\]]+)\]\((?!\w+:)([^)#\s]+)(#[^)\s]*)?\)")
_PROCESSES = min(4, os.cpu_count() or 1)
_log = logging.getLogger(__name__)


def _outputs_of(path: Path) -> dict[int, str]:
    done = subprocess.run(
        [sys.executable, listings.__file__, str(path)], capture_output=True, text=True, timeout=300
    )
    if done.returncode:
        _log.warning("a listing failed:\n%s", done.stderr.strip(), location=str(path))
        return {}
    return {int(line): text for line, text in json.loads(done.stdout.splitlines()[-1]).items()}


def _run_listings(app: Sphinx, _env: Any, docnames: list[str]) -> None:
    paths = {name: Path(app.env.doc2path(name)) for name in docnames}
    paths = {n: p for n, p in paths.items() if p.suffix == ".md" and "```python" in p.read_text()}
    with ThreadPoolExecutor(_PROCESSES) as pool:
        found = pool.map(_outputs_of, paths.values())
        app.env.hither_outputs = dict(zip(paths, found, strict=True))  # type: ignore[attr-defined]


def _with_outputs(path: Path, text: str, outputs: dict[int, str]) -> str:
    """The page with a block below each listing that has printed something."""
    lines = text.splitlines()
    for listing in reversed(listings.listings(text)):
        output, title = outputs.get(listing.end), ""
        if output is None:
            needs = " and ".join("a GPU" if need == "gpu" else need for need in listing.needs)
            title = f"Not run here: it needs {needs}."
            recorded = listings.recorded_output(path, listing)
            if recorded:
                title, output = f"Recorded on another machine, on {recorded[0]}:", recorded[1]
        block = ["{.output-title}", title, ""] if title else []
        if output:
            block += ["```{code-block} text", ":class: output", "", output.rstrip("\n"), "```", ""]
        if block:
            lines[listing.end : listing.end] = ["", *block]
        fence = listing.line - 2
        lines[fence] = "```python"
    return "\n".join(lines) + "\n"


def _without_outer_links(path: Path, text: str) -> str:
    """Links to files outside of docs/ become names of files of the source tree."""

    def changed(match: re.Match[str]) -> str:
        target = (path.parent / match[2]).resolve()
        if target.is_relative_to(listings.DOCS):
            return match[0]
        name = target.relative_to(listings.ROOT)
        shown = f"`{name}`"
        return shown if match[1] == str(name) else f"{match[1]} ({shown})"

    return _LINK.sub(changed, text)


def _read(app: Sphinx, docname: str, content: list[str]) -> None:
    path = Path(app.env.doc2path(docname))
    if path.suffix != ".md":
        return
    outputs = getattr(app.env, "hither_outputs", {}).get(docname, {})
    content[0] = _without_outer_links(path, _with_outputs(path, content[0], outputs))


def setup(app: Sphinx) -> dict[str, Any]:
    """Sphinx calls it."""
    api_pages.write(listings.DOCS / "reference" / "api")
    app.connect("env-before-read-docs", _run_listings)
    app.connect("source-read", _read)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
