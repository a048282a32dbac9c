"""python -m tests.fuzz.mutants: restores known faults and checks that random graphs find each.

Each mutant is a small edit of the planner in a copy of the sources. The copy is built, and the
graphs family tests it for at most three minutes. The sources without an edit have to pass first.
The exit code is 1 if a mutant is not found.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from .__main__ import FAILED

ROOT = Path(__file__).resolve().parent.parent.parent
SECONDS = 180
PLAN = Path("src/array/plan")


# The edits of each file that restore a fault. Each old text occurs once and becomes the new one.
Mutant = dict[Path, dict[str, str]]

MUTANTS: dict[str, Mutant] = {
    # The list of values to submit first does not own them, so a submission can free one of them.
    "unowned needs": {
        PLAN / "needs.h": {
            "using Needs = llvm::SmallVector<ValueRef, 4>;": """
struct Unowned {
  Value* value;
  Unowned(Value* v) : value(v) {}
  Unowned(const ValueRef& v) : value(v.get()) {}
  operator ValueRef() const { return ValueRef(Shared{}, value); }
  Value& operator*() const { return *value; }
  Value* operator->() const { return value; }
};
using Needs = llvm::SmallVector<Unowned, 4>;
""",
            "needs.emplace_back(Shared{}, &value)": "needs.push_back(&value)",
        },
    },
    # Values made of numbers count no leaf, and the table overflows where they become one.
    "unchecked leaves": {
        PLAN / "cluster.cpp": {"if (f.leaf_count == kMaxLeaves) return full();": ""},
        Path("src/array/expression.cpp"): {
            "std::clamp(leaves, 1, 60000)": "std::clamp(leaves, 0, 60000)"
        },
    },
    # A store in place overwrites memory that a value outside of the kernel still has to read.
    "exclusive memory": {
        PLAN / "store.cpp": {"if (!reads[i] || is_output(f, i) ||": "if (true || !reads[i] ||"},
    },
}


def _source(mutant: Mutant | None, folder: Path) -> None:
    """A copy of the sources with the edit; only files that mutants edit get a new time."""
    ignored = shutil.ignore_patterns("*.so", "share", "__pycache__")
    for name in ("src", "include", "cmake", "python"):
        shutil.copytree(ROOT / name, folder / name, dirs_exist_ok=True, ignore=ignored)
    for name in ("CMakeLists.txt", "pyproject.toml", "LICENSE"):
        shutil.copy2(ROOT / name, folder / name)
    for mutated in MUTANTS.values():
        for file in mutated:
            (folder / file).touch()
    for file, edits in (mutant or {}).items():
        text = (folder / file).read_text()
        for before, after in edits.items():
            if text.count(before) != 1:
                raise SystemExit(f"{file} does not have {before!r} once: adapt the mutant")
            text = text.replace(before, after)
        (folder / file).write_text(text)


def _build(folder: Path) -> Path:
    """Builds the copy and returns the folder of its Python package."""
    build = folder / "build"
    environment = {**os.environ, "CCACHE_BASEDIR": str(folder), "CCACHE_NOHASHDIR": "1"}
    for command in (
        ["cmake", "-S", folder, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
         "--log-level=WARNING", "-DHITHER_INPLACE=OFF", f"-DPython_EXECUTABLE={sys.executable}"],
        ["ninja", "-C", build, "--quiet"],
    ):  # fmt: skip
        subprocess.run(command, check=True, env=environment)
    return build / "python"


def _is_found(package: Path) -> bool:
    command = [sys.executable, "-m", "tests.fuzz", "graphs", "--seconds", str(SECONDS), "--first"]
    environment = {**os.environ, "PYTHONPATH": str(package)}
    code = subprocess.run(command, cwd=ROOT, env=environment).returncode
    if code not in (0, FAILED):
        raise SystemExit(f"the fuzzer itself ended with {code}")
    return code == FAILED


def main() -> int:
    folder = ROOT / "build" / "mutants"
    _source(None, folder)
    if _is_found(_build(folder)):
        raise SystemExit("the sources without an edit fail: fix that first")
    missed = []
    for name, mutant in MUTANTS.items():
        print(f"== {name}", flush=True)
        _source(mutant, folder)
        package = _build(folder)
        begun = time.monotonic()
        if _is_found(package):
            print(f"{name}: found after {time.monotonic() - begun:.0f} seconds", flush=True)
        else:
            missed.append(name)
    print(f"not found: {', '.join(missed)}" if missed else "all were found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
