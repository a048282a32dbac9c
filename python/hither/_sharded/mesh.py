"""Meshes: the queues among which arrays are divided."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from .._checked_call import checked
from .._hither import Context, Device, Queue, default_queue
from .._names import a_type
from ..errors import DeviceError, InvalidTypeError, InvalidValueError, UnsupportedError

__all__: list[str] = []

_ON_ITS_OWN_THREADS = "native_cpu"  # an in-order queue of this back end blocks its caller


def _device_queue(device: Device, context: Context | None = None) -> Queue:
    """A queue of a part of a device, on which work does not block the caller."""
    in_order = False if device.backend == _ON_ITS_OWN_THREADS else None
    if context is None:
        return Queue(device, in_order=in_order)
    return Queue(context, device, in_order=in_order)


@functools.lru_cache(maxsize=64)
def _queues_of_parts(device: Device, parts: int) -> tuple[Queue, ...]:
    """Queues of `parts` equal parts of a device in one context. They are made once, because
    queues of different contexts are not equivalent. A device that cannot be divided so gets
    several queues."""
    if parts == 1:
        return (default_queue(device),)
    units = device.max_compute_units // parts
    if units >= 1 and device.device_type != "gpu":
        try:
            divided = device.create_sub_devices(partition=[units] * parts)
            context = Context(divided)
            return tuple(_device_queue(part, context) for part in divided)
        except (UnsupportedError, DeviceError, InvalidValueError):
            pass  # the back end cannot divide it
    return tuple(Queue(device) for _ in range(parts))


def _one_queue(target: Any) -> Queue:
    if isinstance(target, Queue):
        return target
    if isinstance(target, (Device, str)):
        return default_queue(target)
    raise InvalidTypeError(
        "Mesh",
        f"targets contains {a_type(target)}; pass queues, devices or filter strings",
    )


class Mesh:
    """The queues among which arrays are divided.

    They belong to parts of one device, or to several devices of one kind. Meshes are equal, and
    their arrays may be used in one operation, if their queues are equivalent one by one.

    Parameters
    ----------
    targets : Device, str or sequence of Queue, Device or str
        The device to divide, or the queues or devices to use.
    parts : int, optional
        The number of parts of one device; without it 1. If the device has fewer compute units, or
        cannot be divided, the mesh has several queues of the whole device.

    Raises
    ------
    InvalidTypeError
        If ``targets`` contains anything else, or ``parts`` is no integer or is given for a list.
    InvalidValueError
        If ``targets`` is empty or its devices are of several kinds, or ``parts`` is less than 1.
    DeviceError
        If no device has a filter string.

    Examples
    --------
    >>> mesh = ht.Mesh("cpu", parts=2)
    >>> len(mesh)
    2
    >>> mesh == ht.Mesh("cpu", parts=2)
    True
    >>> len(ht.Mesh([ht.default_queue("cpu")]))
    1
    """

    __module__ = "hither"
    __slots__ = ("_queues",)

    @checked
    def __init__(self, targets: Any, parts: int | None = None) -> None:
        if isinstance(targets, (Device, str)):
            count = 1 if parts is None else parts
            if isinstance(count, bool) or not isinstance(count, int):
                raise InvalidTypeError("Mesh", f"parts is {count!r}; pass an int")
            if count < 1:
                raise InvalidValueError("Mesh", f"parts is {count}; pass 1 or more")
            device = targets if isinstance(targets, Device) else Device(targets)
            self._queues = _queues_of_parts(device, count)
            return
        if parts is not None:
            raise InvalidTypeError(
                "Mesh", "parts= divides one device; pass a device or a filter string with it"
            )
        if isinstance(targets, Queue):
            targets = (targets,)
        if not isinstance(targets, (list, tuple)):
            raise InvalidTypeError(
                "Mesh",
                f"targets is {a_type(targets)}; pass a device, or a list of queues, "
                "devices or filter strings",
            )
        if not targets:
            raise InvalidValueError("Mesh", "targets is empty; pass at least one queue")
        self._queues = tuple(_one_queue(target) for target in targets)
        kinds = {(q.device.backend, q.device.device_type) for q in self._queues}
        if len(kinds) > 1:
            names = ", ".join(sorted({q.device.filter_string for q in self._queues}))
            raise InvalidValueError(
                "Mesh", f"the devices are of different kinds ({names}); use devices of one kind"
            )

    @property
    def queues(self) -> tuple[Queue, ...]:
        """The queues, one for each part of an array."""
        return self._queues

    @property
    def devices(self) -> tuple[Device, ...]:
        """The devices of the queues."""
        return tuple(queue.device for queue in self._queues)

    @property
    def shares_memory(self) -> bool:
        """Whether all queues have one context, so that no border has to be copied."""
        first = self._queues[0].context
        return all(queue.context == first for queue in self._queues)

    def equivalent(self, other: Mesh) -> bool:
        """Whether arrays on both meshes may be used in one operation.

        Parameters
        ----------
        other : Mesh
            The other mesh.

        Returns
        -------
        bool
            Whether the queues are equivalent one by one.

        Raises
        ------
        InvalidTypeError
            If ``other`` is not a mesh.

        Examples
        --------
        >>> ht.Mesh(["cpu", "cpu"]).equivalent(ht.Mesh(["cpu"]))
        False
        """
        if not isinstance(other, Mesh):
            raise InvalidTypeError("equivalent", f"other is {a_type(other)}; pass a Mesh")
        return self == other

    def wait(self) -> None:
        """Waits for all work of the queues.

        Raises
        ------
        Error
            The error of the first task that failed, if no wait has raised it before.

        Examples
        --------
        >>> ht.Mesh("cpu", parts=2).wait()
        """
        for queue in self._queues[::-1]:  # as in ShardedArray.synchronize()
            queue.wait()

    def __len__(self) -> int:
        return len(self._queues)

    def __iter__(self) -> Iterator[Queue]:
        return iter(self._queues)

    def __getitem__(self, part: int) -> Queue:
        return self._queues[part]

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Mesh):
            return NotImplemented
        return len(self) == len(other) and all(
            a.equivalent(b) for a, b in zip(self._queues, other._queues, strict=True)
        )

    def __hash__(self) -> int:
        return hash(tuple(queue.device for queue in self._queues))

    def __repr__(self) -> str:
        names = ", ".join(queue.device.filter_string for queue in self._queues)
        return f"<hither.Mesh of {names}>"


def as_mesh(function: str, value: Any) -> Mesh:
    """The argument `mesh` of a function."""
    if isinstance(value, Mesh):
        return value
    if isinstance(value, (list, tuple, Device, str, Queue)):
        return Mesh(value)
    raise InvalidTypeError(
        function,
        f"mesh is {a_type(value)}; pass a hither.Mesh, or a list of queues or devices",
    )
