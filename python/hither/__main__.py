"""The command `hither`: `hither info` and `hither demo [IMAGE]`."""

from __future__ import annotations

import argparse
import platform
import sys

import hither as ht


def describe(device: ht.Device) -> None:
    """Prints a device and what it answers."""
    chosen = "  (default)" if device == ht.Device() else ""
    print(f"{device.filter_string}{chosen}")
    for name in sorted(device.info_names):
        print(f"  {name:<36} {_text(device.info(name))}")
    print(f"  {'aspects':<36} {', '.join(device.aspects)}")


def _text(value: object) -> str:
    if isinstance(value, list):
        return " ".join(str(v) for v in value)
    return str(value)


def info() -> int:
    """Prints the versions and every device."""
    print(f"hither {ht.__version__}, Python {platform.python_version()}, {platform.platform()}")
    devices = ht.devices()
    for device in devices:
        print()
        describe(device)
    if not devices:
        print("no device; HITHER_LOG=debug says why each driver lists none", file=sys.stderr)
    return 0 if devices else 1


def main(arguments: list[str] | None = None) -> int:
    """Entry point; returns the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(prog="hither", description=ht.__doc__)
    parser.add_argument("--version", action="version", version=f"hither {ht.__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("info", help="versions, devices and what they can do")
    commands.add_parser("demo", help="the main job, timed beside NumPy", add_help=False)
    command, rest = parser.parse_known_args(arguments)
    if command.command == "info":
        if rest:
            parser.error(f"info takes no arguments: {' '.join(rest)}")
        return info()
    from .demo import main as demo  # pictures and figures need packages that info does not

    return demo(rest)


if __name__ == "__main__":
    sys.exit(main())
