"""Reports on the parallel regions of a function."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from .. import _hither
from .._checked_call import checked
from .hook import ON_SERIAL


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


@dataclass(frozen=True)
class RegionUse:
    """The launches of a region on one device."""

    device: Any
    launches: int
    bytes_to_device: int
    bytes_to_host: int

    def __str__(self) -> str:
        moved = ""
        if self.bytes_to_device or self.bytes_to_host:
            moved = f", {self.bytes_to_device} bytes copied to it and {self.bytes_to_host} back"
        return f"ran {_times(self.launches)} on {self.device.filter_string}{moved}"


@dataclass(frozen=True)
class ParforReport:
    """One parallel region: a loop over `prange`, or array operations that Numba fused.

    `kernel` is the name of its kernel. It is None if the region stays on the host, and `reason`
    then is the reason.
    """

    file: str
    line: int
    kind: str
    kernel: str | None = None
    region: int | None = None
    reason: str | None = None
    in_order: int | None = None  # the region that runs on the host if iterations may conflict
    atomic: int | None = None  # the region that runs if arrays are too large to copy
    team: int | None = None  # the region for long inner loops, whose work-items share an iteration
    small: int | None = None  # the host runs as many iterations or fewer itself, without a launch
    twin: ParforReport | None = None  # of the version for contexts in which it launches all

    @property
    def launches_in_order(self) -> int:
        """The number of launches that ran in order on the host, because a check found that
        iterations may conflict."""
        more = self.twin.launches_in_order if self.twin else 0
        if self.in_order is None:
            return more
        return more + sum(RegionUse(*use).launches for use in _hither.region_uses(self.in_order))

    @property
    def uses(self) -> list[RegionUse]:
        """The uses since the start of the process, one for each device."""
        parts, regions = [self, self.twin] if self.twin else [self], []
        for part in parts:
            made = (part.region, part.atomic, part.team)
            regions += [region for region in made if region is not None]
        found: dict[Any, tuple] = {}
        for region in regions:
            for device, *counts in _hither.region_uses(region):
                known = found.get(device, (0, 0, 0))
                found[device] = tuple(map(sum, zip(known, counts, strict=True)))
        return [RegionUse(device, *counts) for device, counts in found.items()]

    def __str__(self) -> str:
        where = f"line {self.line} ({self.kind})"
        if self.kernel is None:
            return f"{where}: on the host: {self.reason}"
        uses = "; ".join(map(str, self.uses)) or "not launched yet"
        if times := self.launches_in_order:
            uses += f"; {_times(times)} in order on the host, because iterations may conflict"
        if self.small is not None:
            uses += f"; for up to {self.small} iterations a plain loop on the host"
        return f"{where}: kernel {self.kernel}, {uses}"


@dataclass(frozen=True)
class VersionReport:
    """One version of a function, for `signature`, in contexts with this `on_serial`. `fallback` is
    the reason if the whole function is plain Numba."""

    signature: str
    on_serial: str
    parfors: list[ParforReport] = field(default_factory=list)
    fallback: str | None = None

    def __str__(self) -> str:
        rule = "" if self.on_serial == ON_SERIAL[0] else f" on_serial={self.on_serial!r}"
        name = f"{self.signature}{rule}"
        if self.fallback is not None:
            return f"{name}: the whole function runs on the host: {self.fallback}"
        lines = [f"{name}:", *(f"  {parfor}" for parfor in self.parfors)]
        return "\n".join(lines if self.parfors else [f"{name}: no parallel regions"])


@dataclass(frozen=True)
class OffloadReport:
    """The offloaded versions of a function, and the number of its plain versions."""

    function: str
    versions: list[VersionReport]
    plain_versions: int

    @property
    def parfors(self) -> list[ParforReport]:
        """The regions of all versions, in the order of the versions."""
        return [parfor for version in self.versions for parfor in version.parfors]

    def __str__(self) -> str:
        count = self.plain_versions
        plain = f"{self.function}: {count} plain version{'s' * (count != 1)} outside of contexts"
        return "\n".join([plain, *map(str, self.versions)])


@checked
def offload_report(function: Any) -> OffloadReport:
    """Reports on the parallel regions of a Numba function that was called in device contexts.

    For each region it has the line, the kernel, and the devices that it ran on with the bytes
    copied each way, or the reason why it stayed on the host.
    """
    from .sibling import siblings_of

    if not hasattr(function, "py_func") or not hasattr(function, "overloads"):
        raise TypeError(f"offload_report takes a function that Numba compiles, not {function!r}")
    versions: dict[tuple, VersionReport] = {}
    # First the versions that launch all regions.
    for sibling in sorted(siblings_of(function), key=lambda sibling: sibling.small):
        for arguments, parfors in list(sibling.reports.items()):  # other threads may add to it
            version = VersionReport(
                signature=f"({', '.join(map(str, arguments))})",
                on_serial=sibling.on_serial,
                parfors=parfors,
                fallback=sibling.fallbacks.get(arguments),
            )
            key = (arguments, version.on_serial, version.fallback, *map(_place, parfors))
            if key in versions:
                pairs = zip(parfors, versions[key].parfors, strict=True)
                version = replace(version, parfors=[replace(p, twin=twin) for p, twin in pairs])
            versions[key] = version
    return OffloadReport(function.__qualname__, list(versions.values()), len(function.overloads))


def _place(parfor: ParforReport) -> tuple:
    """What two versions of a function have in common of a region."""
    return (parfor.file, parfor.line, parfor.kind, parfor.kernel, parfor.reason)


def dump(function: Any, assembly: bool = False) -> str:
    """The kernels of a Numba function's regions as text: optimised LLVM IR for this machine's CPU,
    or with `assembly` its machine instructions."""
    texts = []
    for parfor in offload_report(function).parfors:
        if parfor.region is not None:
            texts.append(f"; {parfor}\n{_hither.region_text(parfor.region, assembly)}")
    return "\n".join(texts)
