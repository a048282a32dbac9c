"""Runs scripts in new interpreters, or in forks of an interpreter that has imported hither."""

from __future__ import annotations

import functools
import json
import os
import select
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

_WARM = Path(__file__).with_name("warm_interpreter.py")
_COMMAND = (sys.executable, "-W", "ignore")


class Ended(NamedTuple):
    """The exit code of a script (minus the signal that ended it) and its output."""

    code: int
    stdout: str
    stderr: str


def run_new(script: Path, variables: Mapping[str, str], seconds: float) -> Ended:
    """Runs a script in a new interpreter. Raises TimeoutExpired."""
    done = subprocess.run([*_COMMAND, str(script)], env={**os.environ, **variables},
                          capture_output=True, text=True, timeout=seconds)  # fmt: skip
    return Ended(done.returncode, done.stdout, done.stderr)


def run_forked(script: Path, variables: Mapping[str, str], seconds: float, *,
               kernels: bool) -> Ended:  # fmt: skip
    """Runs a script in a fork of an interpreter. Raises TimeoutExpired.

    With `kernels`, the interpreter has imported Numba and run the front end of kernels.
    """
    return _interpreter(kernels).run(script, variables, seconds)


@functools.cache
def _interpreter(kernels: bool) -> _WarmInterpreter:
    return _WarmInterpreter(kernels)


class _WarmInterpreter:
    """A process that executes warm_interpreter.py until this process ends."""

    def __init__(self, kernels: bool) -> None:
        self._connection, child_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with child_end:
            self._process = subprocess.Popen(
                [*_COMMAND, str(_WARM), str(child_end.fileno()), *["kernels"] * kernels],
                stdout=subprocess.DEVNULL, pass_fds=[child_end.fileno()],
            )  # fmt: skip

    def run(self, script: Path, variables: Mapping[str, str], seconds: float) -> Ended:
        request = json.dumps({"path": str(script), "environment": dict(variables)}).encode()
        outputs, descriptors = zip(*(os.pipe() for _ in range(2)), strict=True)
        try:
            socket.send_fds(self._connection, [request], descriptors)
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        child = self._answer()
        texts, complete = _read(outputs, seconds)
        has_ended = bool(select.select([self._connection], [], [], 0)[0])
        if not complete and not has_ended:
            os.kill(child, signal.SIGKILL)
        status = self._answer()
        if not complete:
            raise subprocess.TimeoutExpired(str(script), seconds, *texts)
        stdout, stderr = (text.decode() for text in texts)
        return Ended(os.waitstatus_to_exitcode(status), stdout, stderr)

    def _answer(self) -> int:
        answer = self._connection.recv(64)
        if not answer:
            raise RuntimeError(f"the warm interpreter ended with {self._process.wait()}")
        return int(answer)


def _read(outputs: tuple[int, ...], seconds: float) -> tuple[list[bytes], bool]:
    """The texts of the pipes, and whether all their writers closed them within the time."""
    end = time.monotonic() + seconds
    texts = dict.fromkeys(outputs, b"")
    with selectors.DefaultSelector() as selector:
        for output in outputs:
            selector.register(output, selectors.EVENT_READ)
        while selector.get_map() and time.monotonic() < end:
            for key, _ in selector.select(max(0, end - time.monotonic())):
                more = os.read(key.fd, 1 << 16)
                texts[key.fd] += more
                if not more:
                    selector.unregister(key.fd)
        complete = not selector.get_map()
    for output in outputs:
        os.close(output)
    return list(texts.values()), complete
