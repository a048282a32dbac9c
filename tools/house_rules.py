"""The rules of the house that no other tool checks (CONTRIBUTING.md says why each is there).

Prints one line a violation and exits with 1 if there is any.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = {".h", ".cpp", ".py", ".sh", ".cmake"}
MAX_LINES = 500
MAX_FUNCTION_LINES = 60
MAX_COLUMNS = 100
FORBIDDEN_NAMES = set("utils util common helpers helper misc manager core base".split())
FORBIDDEN_WORDS = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
BACK_ENDS = re.compile(r"#\s*if.*\b\w*(CUDA|SYCL|LEVEL_ZERO|OPENCL)\w*")


def tracked_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [Path(line) for line in listed.stdout.splitlines() if (ROOT / line).is_file()]


def name_faults(path: Path) -> list[str]:
    faults: list[str] = []
    if "compat" in path.parts:  # these names are those of other packages
        return faults
    for part in [*path.parent.parts, path.stem]:
        if part.lower() in FORBIDDEN_NAMES:
            faults.append(f"{path}: '{part}' says nothing; name it after its noun")
    if path.suffix in {".h", ".cpp"} and path.stem != path.stem.lower():
        faults.append(f"{path}: file names are snake_case")
    return faults


def text_faults(path: Path, lines: list[str]) -> list[str]:
    faults = []
    if len(lines) > MAX_LINES:
        faults.append(f"{path}: {len(lines)} lines, at most {MAX_LINES}")
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_COLUMNS:
            faults.append(f"{path}:{number}: {len(line)} columns, at most {MAX_COLUMNS}")
        if FORBIDDEN_WORDS.search(line) and path.name != Path(__file__).name:
            faults.append(f"{path}:{number}: finish it or open an issue: {line.strip()}")
        if BACK_ENDS.match(line) and "drivers" not in path.parts:
            faults.append(f"{path}:{number}: a back end's #if belongs into its driver")
    return faults


def python_function_faults(path: Path, text: str) -> list[str]:
    import ast

    faults = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > MAX_FUNCTION_LINES:
                faults.append(
                    f"{path}:{node.lineno}: {node.name} has {length} lines, "
                    f"at most {MAX_FUNCTION_LINES}"
                )
    return faults


def faults_of(path: Path) -> list[str]:
    # The documents' listings are kept as they are printed.
    if path.suffix not in CODE or Path("tests/seeds/listings") in path.parents:
        return []
    text = (ROOT / path).read_text()
    faults = name_faults(path) + text_faults(path, text.splitlines())
    if path.suffix == ".py":
        faults += python_function_faults(path, text)
    return faults


def main() -> int:
    faults = [fault for path in tracked_files() for fault in faults_of(path)]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
