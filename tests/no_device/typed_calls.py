"""Calls that type checkers accept and refuse. ./dev lint checks this file with mypy, which reports
an error that is expected here and does not occur. Nothing runs it."""

from __future__ import annotations

from typing import assert_type

import hither as ht
import hither.numpy as np

x = ht.ones((2, 3), dtype="float32", device="cpu", usm_type="shared")
assert_type(x, ht.Array)
assert_type(ht.sin(x), ht.Array)
assert_type(ht.add(x, 1.5), ht.Array)
assert_type(ht.sum(x, axis=(0, 1)), ht.Array)
assert_type(ht.asarray([[1, 2], [3, 4.0]], dtype=ht.float64), ht.Array)
assert_type(np.sin(x).shape, tuple[int, ...])

ht.zeros(3, dtype="flaot")  # type: ignore[arg-type]
np.zeros(3, dtype="flaot")  # type: ignore[arg-type]
ht.zeros(3, usm_type="device ")  # type: ignore[arg-type]
ht.sin("x")  # type: ignore[arg-type]
ht.sum(x, axes=0)  # type: ignore[call-arg]
ht.add(x)  # type: ignore[call-arg]
