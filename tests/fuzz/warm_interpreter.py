"""A script that runs other scripts in forks of its process, as if each had a new interpreter.

The process has imported hither and not used it: it has no queue, no array, no thread and no
compiled kernel, and has read no environment variable that a script sets. With "kernels" as the
second argument it has also run the front end of kernels once, which imports Numba. These imports
are most of the time of a short script.

A child executes its script in the namespace of this module, at the top level, so that exceptions,
the exit code and finalization are those of a main program. The first argument is the descriptor of
a socket. A request is JSON with the script's path and environment variables, with the descriptors
of its stdout and stderr. The answers are the child's process id and its wait status.
"""

import gc
import json
import os
import socket
import sys


def _import(kernels: bool) -> None:
    if kernels:
        import numba  # noqa: F401
        import scipy.linalg  # noqa: F401

        # The children's collections at exit would take a third of a second for these packages.
        gc.collect()
        gc.freeze()
    import hither

    if kernels:
        _run_front_end(hither)


def _run_front_end(hither) -> None:
    from hither._kernel.language.options import CompileOptions
    from hither._kernel.numba.front_end import compile_kernel

    def kernel(a):
        i = hither.get_global_id(0)
        assert a[i] < 0, "a message"
        for _ in range(10):
            a[i] += 2.0

    compile_kernel(kernel, [("float64", 1)], CompileOptions())


def _next_script(connection: socket.socket) -> str:
    """Forks a child for each request. Returns in the children, with the path of the script."""
    while True:
        request, descriptors, _, _ = socket.recv_fds(connection, 1 << 20, 2)
        if not request:
            os._exit(0)
        child = os.fork()
        if child == 0:
            break
        for descriptor in descriptors:
            os.close(descriptor)
        connection.send(str(child).encode())
        connection.send(str(os.waitpid(child, 0)[1]).encode())
    connection.close()
    for number, descriptor in enumerate(descriptors, 1):
        os.dup2(descriptor, number)
        os.close(descriptor)
    script = json.loads(request)
    os.environ.update(script["environment"])
    sys.argv = [script["path"]]
    sys.path[0] = os.path.dirname(script["path"])
    return script["path"]


if __name__ == "__main__":
    _import("kernels" in sys.argv)
    __file__ = _next_script(socket.socket(fileno=int(sys.argv[1])))
    with open(__file__) as file:
        code = compile(file.read(), __file__, "exec")
    del file
    exec(code)
