"""A program that translates LLVM IR to SPIR-V, for hither's SPIR-V devices.

It is a separate process, because LLVM aborts on modules that it cannot translate. It forks a child
for each kernel, because LLVM's SPIR-V target keeps state of one module that is wrong for the next.
The protocol on standard input and output is in include/hither/spirv_emitter.h.
"""

from __future__ import annotations

import os
import signal
import struct
import sys
from typing import Any

# Remove the folder of this file from the path: it contains modules such as random.
if __name__ == "__main__":
    sys.path.pop(0)


def emit(llvm: Any, text: str) -> bytes:
    module = llvm.parse_assembly(text)
    machine = llvm.Target.from_triple(module.triple).create_target_machine(opt=0)
    module.data_layout = str(machine.target_data)
    module.verify()
    return bytes(machine.emit_object(module))


def answer(llvm: Any, text: bytes) -> bytes:
    try:
        kind, content = b"B", emit(llvm, text.decode())
    except RuntimeError as error:
        kind, content = b"E", str(error).encode()
    return kind + struct.pack("<Q", len(content)) + content


def read(channel: Any) -> bytes | None:
    head = channel.read(8)
    if len(head) < 8:
        return None
    (size,) = struct.unpack("<Q", head)
    text = channel.read(size)
    return text if len(text) == size else None


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with (
        os.fdopen(os.dup(0), "rb") as requests,
        os.fdopen(os.dup(1), "wb") as answers,
    ):
        os.dup2(2, 1)  # output of LLVM must not mix with answers
        try:
            import llvmlite.binding as llvm

            llvm.initialize_all_targets()
            llvm.initialize_all_asmprinters()
        except (ImportError, OSError, AttributeError) as error:
            sys.exit(f"llvmlite, which emits SPIR-V, cannot be used ({error}): install numba")
        while (text := read(requests)) is not None:
            child = os.fork()
            if child == 0:
                answers.write(answer(llvm, text))
                answers.flush()
                os._exit(0)
            if os.waitpid(child, 0)[1] != 0:
                sys.exit(1)  # the child's error is on standard error


if __name__ == "__main__":
    main()
