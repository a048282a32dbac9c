"""hither.dask.local_cluster(): the devices of this machine as workers of dask.distributed."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from distributed import LocalCluster
from distributed.worker_memory import parse_memory_limit

from .._hither import Device
from .._hither import devices as root_devices
from ..errors import DeviceError, InvalidTypeError, InvalidValueError, UnsupportedError
from ._worker import DevicePlugin

__all__ = ["local_cluster"]

_LOG = logging.getLogger("distributed.worker.hither")
_POOL_SHARE = 10  # a worker's memory pools keep at most the tenth part of its limit
_PATIENCE = "300 s"  # for the start of a worker; Dask alone would wait without a limit


def local_cluster(
    devices: int | Sequence[Device | str] | Device | str | None = None,
    *,
    threads_per_worker: int = 1,
    memory_limit: str | float | int | None = "auto",
    **options: Any,
) -> LocalCluster:
    """Starts one process for each device of this machine, as a cluster of dask.distributed.

    Tasks of a worker run on its device, and end when their results are there. Chunks that need more
    memory than its limit are written to disk.

    Parameters
    ----------
    devices : int, Device, str or sequence of Device or str, optional
        The devices: root devices, filter strings, or sub-devices of the CPU. A number n means the
        first n GPUs, or n parts of the CPU of equal size if there is no GPU. Without it, every GPU,
        or the NUMA domains of the CPU if there is no GPU.
    threads_per_worker : int
        The tasks that a worker runs at once. They share its device, so that one is enough.
    memory_limit : str, float, int or None
        The host memory of a worker, as for LocalCluster: bytes, "4 GiB", "auto" or None.
    **options
        Further arguments of dask.distributed's LocalCluster, such as ``dashboard_address``, and
        ``death_timeout``, the time in which each worker has to start ("300 s").

    Returns
    -------
    LocalCluster
        The cluster. ``distributed.Client(cluster)`` makes Dask compute there.

    Raises
    ------
    TypeError, ValueError
        If ``devices`` names no device, or if there are fewer GPUs or cores than it says.
    DeviceError
        If a worker does not start, or not in time.

    Notes
    -----
    Scripts have to call it below ``if __name__ == "__main__":``, because it starts processes.

    Examples
    --------
    >>> import dask.array as da, distributed
    >>> import hither.dask
    >>> with hither.dask.local_cluster(2) as cluster, distributed.Client(cluster):  # doctest: +SKIP
    ...     x = da.random.default_rng().random((20_000, 20_000)).to_backend("hither")
    ...     float((x + x.T).mean().compute())
    """
    chosen = _chosen(devices)
    limit = parse_memory_limit(memory_limit, 1, len(chosen), logger=_LOG)
    env = {"HITHER_POOL_LIMIT": str(limit // _POOL_SHARE)} if limit else {}
    return _started(
        chosen, env, threads_per_worker=threads_per_worker, memory_limit=limit, **options
    )


def _started(chosen: list[Device], env: dict[str, str], **options: Any) -> LocalCluster:
    """The cluster. An error names the devices, and the reason that a worker gave."""
    options["plugins"] = (*options.get("plugins", ()), DevicePlugin(chosen))
    options["env"] = {**env, **options.get("env", {})}
    options.setdefault("dashboard_address", ":0")  # any free port
    options.setdefault("death_timeout", _PATIENCE)
    try:
        return LocalCluster(n_workers=len(chosen), **options)
    except (AssertionError, RuntimeError, TimeoutError) as error:
        reason: BaseException = error
        while reason.__cause__ is not None:
            reason = reason.__cause__
        if str(error).startswith("Cluster failed to start"):  # without its workers
            raise
        # Dask asserts that workers run when it has waited for them.
        late = isinstance(reason, (AssertionError, TimeoutError))
        why = f"it took longer than {options['death_timeout']} (death_timeout=)" if late else reason
        names = ", ".join(device.filter_string for device in chosen)
        raise DeviceError(
            "local_cluster",
            f"the worker of a device ({names}) did not start: {why}. The output of its process may "
            'tell more; a script has to call local_cluster() below `if __name__ == "__main__":`',
        ) from error


def _chosen(devices: Any) -> list[Device]:
    gpus = [d for d in root_devices() if d.device_type == "gpu"]
    if devices is None:
        return _best_back_end(gpus) or _numa_domains(Device("cpu"))
    if isinstance(devices, bool):
        raise InvalidTypeError("devices", f"is {devices!r}; pass a number, or devices")
    if isinstance(devices, int):
        return _first(_best_back_end(gpus), devices)
    if isinstance(devices, (Device, str)):
        return [Device(devices)]
    try:
        found = [Device(d) for d in devices]
    except TypeError as error:
        raise InvalidTypeError(
            "devices", f"is {devices!r}; pass a number, a device or a sequence of devices"
        ) from error
    if not found:
        raise InvalidValueError("devices", "is empty; name at least one device")
    return found


def _best_back_end(gpus: list[Device]) -> list[Device]:
    """Those of one back end, because several back ends list the same GPU."""
    return [d for d in gpus if d.backend == gpus[0].backend]


def _numa_domains(cpu: Device) -> list[Device]:
    try:
        return cpu.create_sub_devices("numa")
    except UnsupportedError:  # there is one
        return [cpu]


def _first(gpus: list[Device], count: int) -> list[Device]:
    if count < 1:
        raise InvalidValueError("devices", f"is {count}; pass 1 or more")
    if gpus:
        if count > len(gpus):
            raise InvalidValueError("devices", f"is {count}, and there are {len(gpus)} GPUs")
        return gpus[:count]
    cpu = Device("cpu")
    units = cpu.max_compute_units
    if count > units:
        raise InvalidValueError("devices", f"is {count}, and the CPU has {units} compute units")
    return [cpu] if count == 1 else cpu.create_sub_devices([units // count] * count)
