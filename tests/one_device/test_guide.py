"""The listings of the README and of the site run unchanged, page by page; links lead somewhere."""

from __future__ import annotations

import contextlib
import importlib
import re
from pathlib import Path

import pytest

import hither as ht

ROOT = Path(__file__).parents[2]
# Design records and measurements have no listings that are meant to run.
PAGES = [
    ROOT / "README.md",
    *(p for p in sorted((ROOT / "docs").rglob("*.md"))
      if not {"design", "measurements", "site", "api"} & {*p.relative_to(ROOT).parts}),
]  # fmt: skip


@pytest.fixture(scope="module")
def tool():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "tools"))
        return importlib.import_module("listings")


@pytest.mark.parametrize(
    "page", [p for p in PAGES if "```python" in p.read_text()], ids=lambda p: p.stem
)
def test_listings_run(page: Path, tool) -> None:
    tool.run_page(page)
    with contextlib.suppress(ht.KernelError):
        ht.default_queue().wait()  # would raise what a listing has caught on another page


def test_listings_are_found_with_their_lines(tool, tmp_path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A page\n\n```python\nx = 2\nprint(x)\n```\n\n```\nnot Python\n```\n\n"
        "```python needs=a_package_that_is_missing\nfail\n```\n\n```python\nprint(x + 1)\n```\n"
    )
    found = tool.listings(page.read_text())
    assert [(f.line, f.end, f.needs) for f in found] == [
        (4, 6, ()),
        (13, 14, ("a_package_that_is_missing",)),
        (17, 18, ()),
    ]
    assert tool.run_page(page) == {6: "2\n", 18: "3\n"}


def test_an_error_of_a_listing_names_the_line_of_its_page(tool, tmp_path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A page\n\n```python\n1 / 0\n```\n")
    with pytest.raises(ZeroDivisionError) as raised:
        tool.run_page(page)
    last = raised.traceback[-1]
    assert (Path(str(last.path)).name, last.lineno + 1) == ("page.md", 4)


def test_links_lead_somewhere() -> None:
    for page in [*PAGES, *(ROOT / "docs" / "design").glob("*.md")]:
        prose = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#]+)", prose):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"
