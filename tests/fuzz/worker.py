"""The processes that run cases, and how the driver speaks with one."""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import json
import multiprocessing
import os
import random
import resource
import signal
import sys
import time
import traceback
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from .difference import Difference

_SPAWN = multiprocessing.get_context("spawn")


class Verdict(NamedTuple):
    """What became of a case."""

    kind: str  # "passed", "difference", "error", "crash" or "hang"
    text: str = ""
    features: tuple[str, ...] = ()
    kernels: frozenset[str] = frozenset()  # names of those that it ran, the last 256

    @property
    def failed(self) -> bool:
        return self.kind != "passed"


def program_of(module: ModuleType, seed: int, device: str) -> Any:
    """The program of a seed: the same in every process."""
    return module.make(random.Random(f"{module.__name__.rpartition('.')[2]}:{seed}"), device)


def _new_kernels() -> frozenset[str]:
    """Names of the kernels since the last call: their operations, of one record a launch."""
    hither = sys.modules.get("hither")
    if hither is None:
        return frozenset()
    names = frozenset(record.name for record in hither.kernel_history())
    hither.clear_kernel_history()
    return names


def _judge(module: ModuleType, request: dict[str, Any], device: str) -> Verdict:
    features: tuple[str, ...] = ()
    try:
        program = request.get("program")
        if program is None:
            program = program_of(module, request["seed"], device)
        features = tuple(module.features(program))
        module.run(program, device)
    except Difference as difference:
        return Verdict("difference", str(difference), features, _new_kernels())
    except Exception:
        return Verdict("error", traceback.format_exc(), features, _new_kernels())
    return Verdict("passed", "", features, _new_kernels())


def _serve(connection: Connection, module_name: str, device: str, log: str) -> None:
    """Runs what the driver sends; each case is in the log before it begins."""
    # Ctrl-C is for the driver. Programs that cases start do not inherit a handler, as they would
    # SIG_IGN.
    signal.signal(signal.SIGINT, lambda *_: None)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open(log, "a", buffering=1) as file:
        os.dup2(file.fileno(), 2)
        faulthandler.enable(file)
        module = importlib.import_module(module_name)
        connection.send(None)  # ready
        while True:
            try:
                request = connection.recv()
            except EOFError:
                return
            file.write(json.dumps({"family": module_name, **request}) + "\n")
            connection.send(_judge(module, request, device))


class Worker:
    """One process, which runs one case at a time and is replaced when it dies of one."""

    def __init__(self, module_name: str, device: str, log: Path, hang_seconds: float = 60) -> None:
        self._log = log
        self.begun = 0.0
        self.request: dict[str, Any] | None = None  # the case that it is at
        self._arguments = (module_name, device, str(log))
        self._hang_seconds = hang_seconds
        self._start()

    def _start(self) -> None:
        self._log.write_text("")
        self.connection, theirs = _SPAWN.Pipe()
        self._process = _SPAWN.Process(target=_serve, args=(theirs, *self._arguments), daemon=True)
        self._process.start()
        theirs.close()
        try:
            self.connection.recv()
        except EOFError:
            self._process.join()
            said = self._log.read_text()[-4000:]
            raise RuntimeError(f"a worker did not start:\n{said}") from None

    def send(self, request: dict[str, Any]) -> None:
        self.begun = time.monotonic()
        self.request = request
        with contextlib.suppress(BrokenPipeError):  # it has died since: poll() says so
            self.connection.send(request)

    def poll(self) -> Verdict | None:
        """What became of the case, once that is known."""
        if self.connection.poll():
            try:
                return self.connection.recv()
            except EOFError:
                self._process.join()
                return self._replaced("crash", f"exit code {self._process.exitcode}")
        if time.monotonic() - self.begun < self._hang_seconds:
            return None
        # Aborted, it says where each of its threads is.
        self._end(signal.SIGABRT)
        return self._replaced("hang", f"no end after {self._hang_seconds:g} seconds")

    def _end(self, by: signal.Signals) -> None:
        if self._process.is_alive():
            os.kill(self._process.pid or 0, by)
        self._process.join(10)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    def _replaced(self, kind: str, what: str) -> Verdict:
        said = self._log.read_text(errors="replace").splitlines()
        said = [line for line in said if not line.startswith('{"family"')]  # the cases
        text = "\n".join([what, *said[-60:]])
        self.connection.close()
        self._start()
        return Verdict(kind, text)

    def restart(self) -> None:
        """A process that has run nothing."""
        self.close()
        self._start()

    def close(self) -> None:
        self.connection.close()
        self._end(signal.SIGKILL)
