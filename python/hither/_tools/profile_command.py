"""The command `hither profile`: runs a program under hither.profile()."""

from __future__ import annotations

import argparse
import contextlib
import os
import runpy
import sys

from .profile import profile


def main(arguments: list[str]) -> int:
    """Runs a script or module as __main__ and prints the table. Its exceptions, SystemExit too,
    are raised again."""
    parser = argparse.ArgumentParser(
        prog="hither profile",
        description="Runs a Python program and prints a table of what it computed, copied, "
        "compiled and waited for.",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="also writes a trace for Perfetto or Chrome"
    )
    parser.add_argument("-m", action="store_true", help="the program is a module, as in python -m")
    parser.add_argument("program", help="a script")
    rest = parser.add_argument(
        "arguments", nargs=argparse.REMAINDER, help="arguments of the program"
    )
    rest.required = False  # argparse would demand it too when the program is missing
    options = parser.parse_args(arguments)
    if not options.m and not os.path.exists(options.program):
        parser.error(f"there is no file {options.program}")
    sys.argv[:] = [options.program, *options.arguments]
    recorded, block = profile(options.output), contextlib.ExitStack()
    try:
        block.enter_context(recorded)
    except OSError as error:
        parser.error(f"--output: {error}")
    try:
        with block:
            if options.m:
                sys.path[0] = os.getcwd()
                runpy.run_module(options.program, run_name="__main__", alter_sys=True)
            else:
                sys.path[0] = os.path.dirname(os.path.realpath(options.program))
                runpy.run_path(options.program, run_name="__main__")
    finally:
        print(recorded, flush=True)
    return 0
