"""Kernels compiled by one process are loaded by the next."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

PROGRAM = """
import numpy as np, hither as ht
x = ht.asarray(np.linspace(0.0, 1.0, 1003), device="native_cpu")
y = ht.asnumpy(ht.sin(x) * 2 + x)
print(ht.counters()["compiles"], ht.counters()["cache_hits"], y.tobytes().hex())
"""


def run(cache: pathlib.Path, **environment: str) -> tuple[int, int, str]:
    env = os.environ | {"HITHER_CACHE_DIR": str(cache)} | environment
    text = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=env, check=True, capture_output=True, text=True
    ).stdout
    compiles, hits, values = text.split()
    return int(compiles), int(hits), values


def test_the_second_process_compiles_nothing(tmp_path: pathlib.Path) -> None:
    first = run(tmp_path / "cache")
    second = run(tmp_path / "cache")
    assert first[0] > 0
    assert second[0] == 0
    assert second[1] >= first[0]
    assert second[2] == first[2]


def test_damaged_entries_are_compiled_again(tmp_path: pathlib.Path) -> None:
    first = run(tmp_path / "cache")
    entries = [f for f in (tmp_path / "cache").rglob("*") if f.is_file() and f.name != "lock"]
    assert entries
    for entry in entries:
        data = bytearray(entry.read_bytes())
        data[-1] ^= 1
        entry.write_bytes(data)
    second = run(tmp_path / "cache")
    assert second[0] == first[0]
    assert second[2] == first[2]


def test_it_can_be_switched_off(tmp_path: pathlib.Path) -> None:
    first = run(tmp_path / "cache", HITHER_DISK_CACHE="0")
    second = run(tmp_path / "cache", HITHER_DISK_CACHE="0")
    assert first[0] == second[0] > 0
    assert not (tmp_path / "cache").exists()
