"""Workers of dask.distributed that have one device each."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Sequence
from typing import Any

from distributed import Reschedule, Worker
from distributed.diagnostics.plugin import WorkerPlugin

from .._hither import Device, Queue, default_queue, full
from .._interop import arrivals, dask_messages
from .._interop.dask_tasks import EvaluatedTask, evaluating
from ..errors import DeviceError, InternalError, InvalidValueError, KernelError, OutOfMemoryError

__all__ = ["DevicePlugin"]

_LOG = logging.getLogger("distributed.worker.hither")
_FAULTS = (DeviceError, InternalError, KernelError, OutOfMemoryError)
_TIME_TO_REPORT = 0.5  # seconds from a failure to the end of the process
_EXIT_CODE = 71  # EX_OSERR: the device does not work


def works(queue: Queue) -> bool:
    """Whether a device computes. Some contexts refuse all work after a fault of one kernel."""
    try:
        return int(full((), 1, "int32", queue=queue) + 1) == 2
    except OutOfMemoryError:
        return True
    except Exception:
        return False


class WorkerTask(EvaluatedTask):
    """An evaluated task in a worker, which examines the device after a fault of the task."""

    __slots__ = ()

    def __call__(self, values: Any = ()) -> Any:
        if _state.failed.is_set():
            raise Reschedule("the worker's device has failed, and the worker restarts")
        try:
            return super().__call__(values)
        except _FAULTS:
            if not works(arrivals.home() or default_queue()):
                _state.failed.set()
            raise


class _State:
    """Of this process: whether its device has failed."""

    def __init__(self) -> None:
        self.failed = threading.Event()


_state = _State()


class DevicePlugin(WorkerPlugin):
    """Gives each worker one device, and makes its tasks end when their results are there.

    hither.dask.local_cluster() uses it. For other clusters it is registered with the client,
    ``client.register_plugin(hither.dask.DevicePlugin())``. A worker whose device refuses all work
    after a fault reports the error of the task, and is restarted by its nanny.

    Parameters
    ----------
    devices : sequence of Device or str, optional
        The worker of number i, or of the name i, has device i modulo their number. Without them,
        every worker has the default device of its process, which HITHER_DEVICE names.

    Raises
    ------
    InvalidValueError
        If ``devices`` is empty.

    Examples
    --------
    >>> import hither.dask
    >>> hither.dask.DevicePlugin(["cpu"])
    DevicePlugin([<hither.Device native_cpu:cpu:0>])
    """

    name = "hither-device"

    def __init__(self, devices: Sequence[Device | str] | None = None) -> None:
        if devices is not None and len(devices) == 0:
            raise InvalidValueError("devices", "is empty; name at least one device, or pass None")
        self._devices = None if devices is None else [Device(d) for d in devices]
        self._worker: Worker | None = None

    def __repr__(self) -> str:
        return f"DevicePlugin({self._devices or ''})"

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_worker": None}

    def _device_of(self, name: Any) -> Device | None:
        """The device of the worker of this name."""
        if self._devices is None:
            return None
        number = str(name).rpartition("-")[2]
        return self._devices[int(number) % len(self._devices) if number.isdigit() else 0]

    def setup(self, worker: Worker) -> None:
        """Gives the worker its device. Dask calls it when a worker starts.

        Parameters
        ----------
        worker : distributed.Worker
            The worker.

        Examples
        --------
        >>> hither.dask.DevicePlugin().setup(worker)  # doctest: +SKIP
        """
        dask_messages.register()
        self._worker = worker
        if worker.nanny is not None:  # else the worker is a thread of a process with other users
            arrivals.set_home(default_queue(self._device_of(worker.name)))

    def transition(self, key: Any, start: Any, finish: Any, **details: Any) -> None:
        """Makes a task evaluate its results. Dask calls it when a task of the worker changes its
        state.

        Parameters
        ----------
        key : str or tuple
            The key of the task.
        start, finish : str
            The states.
        **details
            Further facts, which are not used.

        Examples
        --------
        >>> plugin.transition("sum-1", "ready", "executing")  # doctest: +SKIP
        """
        assert self._worker is not None
        task = self._worker.state.tasks.get(key)
        if finish == "executing" and task is not None and task.run_spec is not None:
            task.run_spec = evaluating(task.run_spec, WorkerTask)
        elif finish == "error" and _state.failed.is_set():
            self._restart()

    def _restart(self) -> None:
        worker = self._worker
        assert worker is not None
        if worker.nanny is None:
            _LOG.error("The device of %s has failed, and no nanny restarts it.", worker.address)
            return
        _LOG.error("The device of %s has failed; the worker restarts.", worker.address)
        # Not worker.close(): it would copy elements from a device that does not answer.
        worker.loop.call_later(_TIME_TO_REPORT, os._exit, _EXIT_CODE)
