"""``python -m hither.compat [--flavour NAME] script.py [ARGUMENTS]`` runs a program unchanged."""

from __future__ import annotations

import argparse
import runpy
import sys
from pathlib import Path

from hither import compat


def main() -> None:
    """Runs the script as ``__main__``. compat's packages replace installed ones."""
    parser = argparse.ArgumentParser(prog="python -m hither.compat", description=compat.__doc__)
    parser.add_argument("--flavour", default="seeds", help='"seeds" (default) or "dpctl-0.21"')
    parser.add_argument("script")
    rest = parser.add_argument("arguments", nargs=argparse.REMAINDER)
    rest.required = False  # argparse would demand it too when the script is missing
    options = parser.parse_args()
    if not Path(options.script).exists():
        parser.error(f"there is no file {options.script}")
    compat.install(force=True, flavour=options.flavour)
    sys.argv = [options.script, *options.arguments]
    sys.path[0] = str(Path(options.script).resolve().parent)
    runpy.run_path(options.script, run_name="__main__")


if __name__ == "__main__":
    main()
