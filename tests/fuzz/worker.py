"""The processes that run cases, and the driver's connection to each."""

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
MOST_MEMORY = 2 << 30  # bytes; SYCL's run times keep about 2 MB for each kernel that they compiled


class Verdict(NamedTuple):
    """The outcome of a case."""

    kind: str  # "passed", "difference", "error", "crash" or "hang"
    text: str = ""
    features: tuple[str, ...] = ()
    kernels: frozenset[str] = frozenset()  # names of the last 256 kernels that it ran

    @property
    def failed(self) -> bool:
        return self.kind != "passed"


def program_of(module: ModuleType, seed: int, device: str) -> Any:
    """The program of a seed. It is the same in every process."""
    return module.make(random.Random(f"{module.__name__.rpartition('.')[2]}:{seed}"), device)


def _new_kernels() -> frozenset[str]:
    """The names of the kernels launched since the last call. A name lists a kernel's operations."""
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
    """Runs the cases that the driver sends. Each case is logged before it begins."""
    # Only the driver ends on Ctrl-C. An empty handler does it, because programs that cases start
    # would inherit SIG_IGN.
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
    """One process, which runs one case at a time. It is replaced if a case ends it."""

    def __init__(self, module_name: str, device: str, log: Path, hang_seconds: float = 60) -> None:
        self._log = log
        self._seen = self._waited = 0.0
        self.request: dict[str, Any] | None = None  # the current case
        self._arguments = (module_name, device, str(log))
        self._hang_seconds = hang_seconds
        self._start()

    def _start(self) -> None:
        self._log.write_text("")
        self.connection, process_end = _SPAWN.Pipe()
        arguments = (process_end, *self._arguments)
        self._process = _SPAWN.Process(target=_serve, args=arguments, daemon=True)
        self._process.start()
        process_end.close()
        try:
            self.connection.recv()
        except EOFError:
            self._process.join()
            log = self._log.read_text()[-4000:]
            raise RuntimeError(f"a worker did not start:\n{log}") from None

    def send(self, request: dict[str, Any]) -> None:
        """Begins a case, in a new process if the present one has taken too much memory."""
        if self._memory() > MOST_MEMORY:
            self.restart()
        self._seen, self._waited = time.monotonic(), 0.0
        self.request = request
        with contextlib.suppress(BrokenPipeError):  # the process has ended: poll() reports it
            self.connection.send(request)

    def _memory(self) -> int:
        """The resident bytes of the process; 0 if it has ended."""
        try:
            pages = Path(f"/proc/{self._process.pid}/statm").read_text().split()[1:2]
        except OSError:
            return 0
        return int(pages[0]) * resource.getpagesize() if pages else 0

    def poll(self) -> Verdict | None:
        """The outcome of the current case; None while it runs."""
        if self.connection.poll():
            try:
                return self.connection.recv()
            except EOFError:
                self._process.join()
                return self._replaced("crash", f"exit code {self._process.exitcode}")
        # Between two looks more time passes only where both processes were stopped.
        before, self._seen = self._seen, time.monotonic()
        self._waited += min(self._seen - before, 1.0)
        if self._waited < self._hang_seconds:
            return None
        # On SIGABRT, faulthandler logs the stack of each thread.
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
        lines = self._log.read_text(errors="replace").splitlines()
        lines = [line for line in lines if not line.startswith('{"family"')]  # a logged case
        text = "\n".join([what, *lines[-60:]])
        self.connection.close()
        self._start()
        return Verdict(kind, text)

    def restart(self) -> None:
        """Replaces the process by a new one, which has run no case."""
        self.close()
        self._start()

    def close(self) -> None:
        self.connection.close()
        self._end(signal.SIGKILL)
