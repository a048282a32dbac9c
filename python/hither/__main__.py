"""The command `hither`: `info`, `doctor`, `cache`, `profile`, `demo`; folders for native builds."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable
from typing import Any

import hither as ht
from hither._hither import range_interfaces
from hither.compat import get_cython_dir


def describe(device: ht.Device, default: ht.Device | None) -> None:
    """Prints a device and its properties."""
    chosen = "  (default)" if device == default else ""
    print(f"{device.filter_string}{chosen}")
    for name in sorted(device.info_names):
        print(f"  {name:<36} {_text(device.info(name))}")
    missing = "none: kernels of hither"
    if device.backend in ("opencl", "level_zero"):
        missing += '; pip install "hither[onemkl]" brings oneMKL'
    print(f"  {'blas':<36} {ht.blas_name(device) or missing}")
    print(f"  {'aspects':<36} {', '.join(device.aspects)}")


def _text(value: object) -> str:
    if isinstance(value, list):
        return " ".join(str(v) for v in value)
    return str(value)


def info(as_json: bool = False) -> int:
    """Prints the versions and every device."""
    if as_json:
        return _info_as_json()
    print(f"hither {ht.__version__}, Python {platform.python_version()}, {platform.platform()}")
    print(f"ranges for other profilers: {', '.join(range_interfaces()) or 'none'}")
    devices = ht.devices()
    default, wrong = None, None
    try:
        default = ht.Device() if devices else None
    except ht.Error as error:  # HITHER_DEVICE matches no device
        wrong = error
    for device in devices:
        print()
        describe(device, default)
    for absence in ht.absent_backends():
        print(f"\nno device of {absence}")
    if wrong is not None:
        print(f"no default device: {wrong}", file=sys.stderr)
    return 0 if default is not None else 1


def _info_as_json() -> int:
    devices = ht.devices()
    try:
        default = ht.Device().filter_string if devices else None
    except ht.Error:
        default = None
    described = {
        "hither": ht.__version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "range_interfaces": range_interfaces(),
        "default_device": default,
        "devices": [
            {
                "filter_string": device.filter_string,
                "backend": device.backend,
                "blas": ht.blas_name(device),
                "aspects": list(device.aspects),
                "info": {name: device.info(name) for name in sorted(device.info_names)},
            }
            for device in devices
        ],
        "absent_backends": list(ht.absent_backends()),
    }
    print(json.dumps(described, indent=2))
    return 0 if default is not None else 1


def doctor() -> int:
    """Prints the result of each check; returns 1 if one found a problem."""
    from ._tools.doctor import findings

    found_problem = False
    for finding in findings():
        print(finding, flush=True)
        found_problem |= finding.level == "problem"
    return int(found_problem)


def cache(action: str, as_json: bool) -> int:
    """Prints the state of the disk cache, or clears it."""
    from ._tools.cache import cache_info, clear_cache
    from ._tools.memory import readable_size

    if action == "clear":
        before = clear_cache()
        after = cache_info()
        print(f"deleted {before.entries - after.entries} entries of {before.folder}")
        return int(after.entries > 0)
    state = cache_info()
    if as_json:
        print(json.dumps(state._asdict()))
        return 0
    print(f"folder   {state.folder or 'none'}")
    print(f"entries  {state.entries}")
    print(f"size     {readable_size(state.bytes)} of at most {readable_size(state.limit)}")
    if state.fault:
        print(f"Compiled code is not kept: {state.fault}.")
    return 0


class _Print(argparse.Action):
    """Prints a folder and exits, as --version does."""

    def __init__(
        self, option_strings: list[str], dest: str, folder: Callable[[], str], help: str
    ) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)
        self.folder = folder

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print(self.folder())
        parser.exit()


def main(arguments: list[str] | None = None) -> int:
    """Entry point; returns the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["profile"]:  # its other arguments belong to the program
        from ._tools.profile_command import main as profile

        return profile(arguments[1:])
    parser = argparse.ArgumentParser(prog="hither", description=ht.__doc__)
    parser.add_argument("--version", action="version", version=f"hither {ht.__version__}")
    for option, folder, purpose in (
        ("--include", ht.get_include, "headers of the C and C++ API"),
        ("--cmake-dir", ht.get_cmake_dir, "CMake's package: cmake -Dhither_DIR=$(...)"),
        ("--pkg-config-dir", ht.get_pkgconfig_dir, "hither.pc and hither-c.pc"),
        ("--cython-dir", get_cython_dir, "dpctl for Cython: cython -I $(...)"),
    ):
        parser.add_argument(
            option, action=_Print, folder=folder, help=f"prints the folder of: {purpose}"
        )
    commands = parser.add_subparsers(dest="command", required=True)
    described = commands.add_parser("info", help="versions, devices and their properties")
    described.add_argument("--json", action="store_true", help="prints JSON")
    commands.add_parser("doctor", help="checks of the installation, with remedies")
    cached = commands.add_parser("cache", help="the disk cache of compiled code")
    cached.add_argument("action", choices=("info", "clear"))
    cached.add_argument("--json", action="store_true", help="info prints JSON")
    commands.add_parser(
        "profile", help="runs a program; prints a table, writes a trace", add_help=False
    )
    commands.add_parser(
        "demo", help="an image pipeline, timed and compared with NumPy", add_help=False
    )
    command, rest = parser.parse_known_args(arguments)
    if command.command == "demo":
        from .demo import main as demo  # the demo needs packages that the others do not

        return demo(rest)
    if rest:
        parser.error(f"{command.command} does not take: {' '.join(rest)}")
    try:
        if command.command == "info":
            status = info(command.json)
        elif command.command == "doctor":
            status = doctor()
        else:
            status = cache(command.action, command.json)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has closed the pipe; avoid a flush at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
