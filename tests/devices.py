"""The devices that tests run on."""

from __future__ import annotations

import hither as ht


def runs_kernels(device: ht.Device) -> bool:
    """Whether the device runs kernels; OpenCL devices without SPIR-V have memory only."""
    try:
        return int(ht.asarray(1, device=device) + 1) == 2
    except ht.UnsupportedError:
        return False


# The filter strings of every root device that runs kernels.
DEVICES = [d.filter_string for d in ht.devices() if runs_kernels(d)]
