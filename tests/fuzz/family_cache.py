"""Processes with a disk cache folder that is damaged, foreign, full, read-only or removed.

Whatever the folder holds, they compute the same bits and do not change files of other programs.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import select
import shutil
import signal
import socket
import stat
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import hither as ht

from .difference import Difference

Program = dict[str, Any]
# A process takes seconds to make the context of a GPU, or to end it, while others do the same.
_SECONDS, _EXIT_SECONDS = 100, 30
HANG_SECONDS = 3 * (_SECONDS + _EXIT_SECONDS)  # the reference, the processes, and the last one


def _compute(name: str, device: str) -> str:
    """Runs two kernels, so that the cache has few entries and they load quickly."""
    x = ht.asarray(np.linspace(0.5, 2.0, 257), device=device)
    y = getattr(ht, name)(x) * x + ht.sum(x)
    return ht.asnumpy(y).tobytes().hex()


FUNCTIONS = ("sin", "exp", "log1p", "tanh")
FOREIGN = ("notes.txt", "ab/thesis.tex", "ab/cd/ef", "zz/" + "a" * 30)


def make(rng: random.Random, device: str) -> Program:
    crowd = rng.random()
    return {
        "function": rng.choice(FUNCTIONS),
        "before": [_harm(rng) for _ in range(rng.choice([1, 1, 2, 3]))],
        "processes": 50 if crowd < 0.004 else rng.choice([2, 4, 8]) if crowd < 0.2 else 1,
        "meanwhile": [_harm(rng) for _ in range(rng.choice([0, 0, 2, 5]))],
        "limit": rng.choice([None, None, None, "0", "1", "4096", "65536"]),
        "foreign": rng.random() < 0.3,
        "filled": rng.random() < 0.9,
        "seed": rng.randrange(2**31),
    }


def _harm(rng: random.Random) -> str:
    return rng.choice(tuple(HARMS))


def shrink(program: Program) -> Iterator[Program]:
    for name in ("before", "meanwhile"):
        for i in range(len(program[name])):
            yield program | {name: program[name][:i] + program[name][i + 1 :]}
    if program["processes"] > 1:
        yield program | {"processes": program["processes"] // 2}
    for name, plain in (("limit", None), ("foreign", False), ("filled", False)):
        if program[name] != plain:
            yield program | {name: plain}


def features(program: Program) -> Iterable[str]:
    yield from program["before"]
    for harm in program["meanwhile"]:
        yield f"meanwhile: {harm}"
    yield f"processes: {program['processes']}"


def _entries(folder: Path) -> list[Path]:
    found = []
    for inner in folder.glob("[0-9a-f][0-9a-f]"):
        if inner.is_dir() and not inner.is_symlink():
            found += [p for p in inner.iterdir() if len(p.name) == 30]
    return sorted(found)


def _damage(rng: random.Random, folder: Path) -> None:
    for entry in _files(folder):
        data = bytearray(entry.read_bytes())
        for _ in range(rng.choice([1, 1, 8])):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        entry.write_bytes(data)


def _truncate(rng: random.Random, folder: Path) -> None:
    for entry in _files(folder):
        os.truncate(entry, rng.randrange(entry.stat().st_size))


def _lengthen(rng: random.Random, folder: Path) -> None:
    for entry in _files(folder):
        with entry.open("ab") as file:
            file.write(rng.randbytes(rng.choice([1, 32, 5000])))


def _swap(rng: random.Random, folder: Path) -> None:
    entries = _files(folder)
    texts = [e.read_bytes() for e in entries]
    rng.shuffle(texts)
    for entry, text in zip(entries, texts, strict=True):
        entry.write_bytes(text)


def _files(folder: Path) -> list[Path]:
    return [e for e in _entries(folder) if e.is_file() and not e.is_symlink() and e.stat().st_size]


def _in_place(make_one: Callable[[Path], None]) -> Callable[[random.Random, Path], None]:
    def harm(rng: random.Random, folder: Path) -> None:
        for entry in _entries(folder):
            if rng.random() < 0.7 and not (entry.is_dir() and not entry.is_symlink()):
                entry.unlink()
                make_one(entry)

    return harm


def _socket(path: Path) -> None:
    # The path of a socket has a length limit, so it is bound through a descriptor of the folder.
    with socket.socket(socket.AF_UNIX) as made:
        here = os.open(path.parent, os.O_PATH)
        try:
            made.bind(f"/proc/self/fd/{here}/{path.name}")
        finally:
            os.close(here)


def _lock(make_one: Callable[[Path], None]) -> Callable[[random.Random, Path], None]:
    def harm(rng: random.Random, folder: Path) -> None:
        lock = folder / "lock"
        if lock.is_dir() and not lock.is_symlink():
            return
        lock.unlink(missing_ok=True)
        make_one(lock)

    return harm


def _modes(mode: int) -> Callable[[random.Random, Path], None]:
    def harm(rng: random.Random, folder: Path) -> None:
        for entry in _files(folder):
            entry.chmod(mode)

    return harm


def _remove(rng: random.Random, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _file_instead(rng: random.Random, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.write_text("a file")


def _link_instead(rng: random.Random, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.symlink_to(folder.parent / "elsewhere")


def _folders_are_files(rng: random.Random, folder: Path) -> None:
    for inner in list(folder.glob("??")):
        if inner.is_dir():
            shutil.rmtree(inner)
            inner.write_text("a file")


def _left_behind(rng: random.Random, folder: Path) -> None:
    for entry in _files(folder):
        Path(f"{entry}.1-0.part").write_bytes(entry.read_bytes()[:50])


def _folder_mode(mode: int) -> Callable[[random.Random, Path], None]:
    def harm(rng: random.Random, folder: Path) -> None:
        for inner in [*folder.glob("??"), folder]:
            if inner.is_dir():
                inner.chmod(mode)

    return harm


Harm = Callable[[random.Random, Path], None]
HARMS: dict[str, Harm] = {
    "damaged": _damage,
    "cut": _truncate,
    "longer": _lengthen,
    "swapped": _swap,
    "pipes": _in_place(os.mkfifo),
    "sockets": _in_place(_socket),
    "folders": _in_place(Path.mkdir),
    "links to nothing": _in_place(lambda p: p.symlink_to("/nowhere/at/all")),
    "links to themselves": _in_place(lambda p: p.symlink_to(p.name)),
    "links to a device": _in_place(lambda p: p.symlink_to("/dev/zero")),
    "empty": _in_place(Path.touch),
    "gone": _in_place(lambda p: None),
    "lock is a pipe": _lock(os.mkfifo),
    "lock is a link": _lock(lambda p: p.symlink_to("../outside")),
    "lock is a folder": _lock(Path.mkdir),
    "others may write": _modes(0o666),
    "none may read": _modes(0),
    "folder gone": _remove,
    "folder is a file": _file_instead,
    "folder is a link": _link_instead,
    "folders are files": _folders_are_files,
    "left behind": _left_behind,
    "read-only folder": _folder_mode(stat.S_IRUSR | stat.S_IXUSR),
    "closed folder": _folder_mode(0),
}
FEATURES = frozenset(HARMS) | {"processes: 1", "processes: 8"}


class _Process:
    """A fork of this process that computes. This process has used no device and no cache."""

    def __init__(self, program: Program, folder: Path, device: str) -> None:
        self._end, end = os.pipe()
        self._pid = os.fork()
        if self._pid:
            os.close(end)
            return
        status = 1
        try:
            os.environ["HITHER_CACHE_DIR"] = str(folder)
            os.environ["HITHER_DISK_CACHE"] = "1"
            if program["limit"] is not None:
                os.environ["HITHER_CACHE_SIZE"] = program["limit"]
            with os.fdopen(end, "w") as file:
                file.write(_compute(program["function"], device))
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)

    def result(self) -> str:
        try:
            text = b""
            while True:
                if not select.select([self._end], [], [], _SECONDS)[0]:
                    os.kill(self._pid, signal.SIGKILL)
                    raise Difference("a process does not end")
                more = os.read(self._end, 1 << 16)
                if not more:
                    break
                text += more
        finally:
            status = self.close()
        if status:
            raise Difference(f"a process ended with {status}")
        return text.decode()

    def close(self) -> int:
        """Returns the exit code. Kills the process if it does not end in time."""
        if self._end < 0:
            return 0
        os.close(self._end)
        self._end = -1
        for _ in range(_EXIT_SECONDS * 200):
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.005)
        os.kill(self._pid, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])


_expected: dict[tuple[str, str], str] = {}


def _check(process: _Process, expected: str) -> None:
    if process.result() != expected:
        raise Difference("a process computed other bits")


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _foreign_files(folder: Path) -> dict[Path, str]:
    made = {}
    for i, name in enumerate(FOREIGN):
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(str(i) * 5000)
        except OSError:  # a file of the cache has a name of this path
            continue
        made[path] = _digest(path)
    return made


_filled: dict[tuple[str, str], Path] = {}


def _reference(program: Program, device: str) -> tuple[str, Path]:
    """The expected bits and a folder with the cache entries for them, made once per process."""
    key = (program["function"], device)
    if key not in _expected:
        folder = Path(tempfile.mkdtemp(prefix="hither-fuzz-")) / "cache"
        _expected[key] = _Process(program | {"limit": None}, folder, device).result()
        _filled[key] = folder
    return _expected[key], _filled[key]


def run(program: Program, device: str) -> None:
    expected, filled = _reference(program, device)
    rng = random.Random(program["seed"])
    with tempfile.TemporaryDirectory(prefix="hither-fuzz-") as scratch:
        folder = Path(scratch) / "cache"
        if program["filled"]:
            shutil.copytree(filled, folder)
        foreign = _foreign_files(folder) if program["foreign"] else {}
        for harm in program["before"]:
            _apply(rng, harm, folder)
        processes = [_Process(program, folder, device) for _ in range(program["processes"])]
        try:
            for harm in program["meanwhile"]:
                _apply(rng, harm, folder)
            for process in processes:
                _check(process, expected)
            _open(folder)
            _check(_Process(program, folder, device), expected)
        finally:
            for process in processes:
                process.close()
            _open(folder)
        if (Path(scratch) / "outside").exists():
            raise Difference("the lock file was created at the target of a link")
        for path, digest in foreign.items():
            if _keeps_files(program) and (not path.exists() or _digest(path) != digest):
                raise Difference(
                    f"{path.relative_to(folder)} belongs to another program and has changed"
                )


def _keeps_files(program: Program) -> bool:
    """Whether none of the harms itself removes files of other programs."""
    removing = ("folder gone", "folder is a file", "folder is a link", "folders are files")
    return not any(h in removing for h in [*program["before"], *program["meanwhile"]])


def _apply(rng: random.Random, harm: str, folder: Path) -> None:
    # An earlier harm or a running process may have removed the files.
    with contextlib.suppress(OSError, ValueError):
        HARMS[harm](rng, folder)


def _open(folder: Path) -> None:
    """Makes the folder accessible, so that it can be removed."""
    if not folder.is_symlink() and folder.is_dir():
        folder.chmod(0o700)
        for inner in folder.glob("*"):
            if inner.is_dir() and not inner.is_symlink():
                inner.chmod(0o700)
