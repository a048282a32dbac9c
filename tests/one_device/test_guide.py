"""The listings of the README and of the guide run unchanged, page by page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]


def listings(page: Path) -> str:
    """All Python listings of a page as one program, on their lines of the page."""
    kept = []
    inside = False
    for line in page.read_text().splitlines():
        fence = line.startswith("```")
        inside = line == "```python" if fence else inside
        kept.append(line if inside and not fence else "")
    return "\n".join(kept)


@pytest.mark.parametrize("page", [p for p in PAGES if listings(p).strip()], ids=lambda p: p.stem)
def test_listings_run(page: Path) -> None:
    program = compile(listings(page), str(page), "exec")
    names = {"__name__": "listing"}
    try:
        exec(program, names)
    finally:
        names.clear()  # arrays must not wait for the collector to find a page's functions


def test_links_lead_somewhere() -> None:
    for page in [*PAGES, *(ROOT / "docs" / "design").glob("*.md")]:
        prose = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#]+)", prose):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"
