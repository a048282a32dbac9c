"""The rules of CONTRIBUTING.md ("The rules of the house") that no other tool checks.

Prints one line for each violation and exits with 1 if there is any.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from cpp_text import functions
from named_places import GUIDE, place_faults, words_of
from retired_terms import TERMS, Terms, read_terms, term_faults
from walls import Walls, read_walls

ROOT = Path(__file__).resolve().parent.parent
CPP = {".h", ".cpp", ".def", ".c"}
CODE = {".h", ".cpp", ".py", ".sh", ".cmake"}
TEXT = CODE | CPP | {".pyx", ".pxd", ".md", ".txt", ".toml", ".ll", ".pyi", ".in"}
MAX_LINES = 500
MAX_FUNCTION_LINES = 60
MAX_COLUMNS = 100
MAX_MARKDOWN_COLUMNS = 160
MAX_RECORD_LINES = 120
MAX_GLOSSARY_TERMS = 40
MAX_FILES_IN_FOLDER = 60
SOURCE_FOLDERS = {"src", "include", "python", "tests"}
FORBIDDEN_NAMES = set("utils util common helpers helper misc manager core base".split())
FORBIDDEN_WORDS = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
BACK_ENDS = re.compile(r"#\s*if.*\b\w*(CUDA|SYCL|LEVEL_ZERO|OPENCL)\w*")
RECORDS, GLOSSARY = Path("docs/design"), Path("docs/glossary.md")
# Copies of other projects' texts, generated files, and the texts that state these rules.
PRINTED = Path("tests/seeds/listings")
GENERATED = {Path("python/hither/_hither.pyi"), Path("python/hither/__init__.pxd")}
STATES_RULES = {TERMS.name, "house_rules.py", "test_house_rules.py"}
LICENCES = {"LICENSE", "THIRD_PARTY.md"}


def tracked_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [Path(line) for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def folder_faults(paths: list[Path]) -> list[str]:
    counts = Counter(path.parent for path in paths if path.parts[0] in SOURCE_FOLDERS)
    return [
        f"{folder}: {count} files, at most {MAX_FILES_IN_FOLDER}: divide it"
        for folder, count in sorted(counts.items())
        if count > MAX_FILES_IN_FOLDER
    ]


def name_faults(path: Path) -> list[str]:
    faults: list[str] = []
    if "compat" in path.parts:  # modules there have the names of other packages' modules
        return faults
    for part in [*path.parent.parts, path.stem]:
        if part.lower() in FORBIDDEN_NAMES:
            faults.append(f"{path}: '{part}' says nothing; name it after its noun")
    if path.suffix in {".h", ".cpp"} and path.stem != path.stem.lower():
        faults.append(f"{path}: file names are snake_case")
    return faults


def line_faults(path: Path, lines: list[str]) -> list[str]:
    faults = []
    if len(lines) > MAX_LINES:
        faults.append(f"{path}: {len(lines)} lines, at most {MAX_LINES}")
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_COLUMNS:
            faults.append(f"{path}:{number}: {len(line)} columns, at most {MAX_COLUMNS}")
        if FORBIDDEN_WORDS.search(line) and path.name not in STATES_RULES:
            faults.append(f"{path}:{number}: finish it or open an issue: {line.strip()}")
        if BACK_ENDS.match(line) and "drivers" not in path.parts:
            faults.append(f"{path}:{number}: a back end's #if belongs into its driver")
    return faults


def function_faults(path: Path, text: str) -> list[str]:
    lengths = []
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                lengths.append((node.lineno, node.name, length))
    elif path.suffix in {".h", ".cpp", ".c"}:
        lengths = [(f.first_line, f.name, f.last_line - f.first_line + 1) for f in functions(text)]
    return [
        f"{path}:{line}: {name} has {length} lines, at most {MAX_FUNCTION_LINES}"
        for line, name, length in lengths
        if length > MAX_FUNCTION_LINES
    ]


def document_faults(path: Path, lines: list[str]) -> list[str]:
    """Of a Markdown file. Rows of tables, and lines that are one long word, may be longer."""
    faults = []
    for number, line in enumerate(lines, 1):
        can_break = not line.startswith("|") and " " in line.strip()
        if can_break and len(line) > MAX_MARKDOWN_COLUMNS:
            faults.append(f"{path}:{number}: {len(line)} columns, at most {MAX_MARKDOWN_COLUMNS}")
    if path.parent == RECORDS and len(lines) > MAX_RECORD_LINES:
        faults.append(f"{path}: {len(lines)} lines, a record has at most {MAX_RECORD_LINES}")
    if path == GLOSSARY:
        terms = sum(line.startswith("| **") for line in lines)
        if terms > MAX_GLOSSARY_TERMS:
            faults.append(f"{path}: {terms} terms, at most {MAX_GLOSSARY_TERMS}")
    return faults


def faults_of(path: Path, terms: Terms, walls: Walls) -> list[str]:
    if path.suffix not in TEXT or PRINTED in path.parents or path.name in LICENCES:
        return []
    text = (ROOT / path).read_text()
    faults = []
    if path.suffix in CODE and path not in GENERATED:
        faults += name_faults(path) + line_faults(path, text.splitlines())
        faults += function_faults(path, text)
    if path.suffix in CPP:
        faults += walls.faults(path, text)
    if path.suffix == ".md":
        faults += document_faults(path, text.splitlines())
    if path.name not in STATES_RULES:
        faults += term_faults(terms, path, text)
    return faults


def main() -> int:
    paths = tracked_files()
    terms = read_terms(TERMS.read_text())
    walls = read_walls(ROOT)
    faults = folder_faults(paths)
    faults += place_faults((ROOT / GUIDE).read_text(), paths, words_of(ROOT, paths))
    faults += [fault for path in paths for fault in faults_of(path, terms, walls)]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
