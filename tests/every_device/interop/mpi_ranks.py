"""A program for four ranks of MPI: hither's arrays as buffers of mpi4py. test_mpi.py starts it.

Each rank runs every check, and prints "failed NAME" and the traceback if one fails. A check knows
the data of all ranks, so that NumPy computes the expected values.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from mpi4py import MPI

import hither as ht

COMM = MPI.COMM_WORLD
RANK, SIZE = COMM.rank, COMM.size
ON_CPU = ht.Device().device_type == "cpu"
# MPI that is not built for CUDA cannot read memory of a GPU.
USM = "device" if ON_CPU else "host"
CHECKS: list[Callable[[], None]] = []
# MPI has no type for float16.
DTYPES = ["bool", "int8", "uint16", "int32", "uint64", "float32", "float64", "complex64",
          "complex128"]  # fmt: skip


def page() -> dict[str, Any]:
    """What the listings about MPI in docs/howto/clusters.md define; they run here."""
    text = (Path(__file__).parents[3] / "docs/howto/clusters.md").read_text(encoding="utf-8")
    section = text.partition("\n## MPI\n")[2].partition("\n## ")[0]
    listings = re.findall(r"^```\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {"comm": COMM, "MPI": MPI, "ht": ht}
    first = 1 if ON_CPU else 2  # the first is a command; the second passes arrays on the device
    exec("".join(listings[first:]), names)
    return names


PAGE = page()


def check(function: Callable[[], None]) -> Callable[[], None]:
    CHECKS.append(function)
    return function


def of_rank(rank: int, shape: tuple[int, ...], dtype: str = "float64") -> np.ndarray:
    """The data of a rank, which every rank can draw."""
    drawn = np.random.default_rng([rank, *shape]).integers(0, 50, shape)
    return (drawn % 2 == 0) if dtype == "bool" else drawn.astype(dtype)


def array(values: np.ndarray) -> ht.Array:
    """In memory that MPI can read."""
    return ht.asarray(values, usm_type=USM)


def same(x: ht.Array, expected: np.ndarray) -> None:
    assert isinstance(x, ht.Array)
    np.testing.assert_array_equal(ht.asnumpy(x), expected)


@check
def sums_and_maxima_of_pending_arrays() -> None:
    for dtype in DTYPES[1:]:
        for shape in ((0,), (1,), (7,), (5, 3)):
            parts = [of_rank(rank, shape, dtype) for rank in range(SIZE)]
            x = array(parts[RANK]) + ht.asarray(1, dtype=dtype)  # not computed yet
            total = ht.empty(shape, dtype=dtype, usm_type=USM)
            COMM.Allreduce(x, total)
            expected = np.sum([part + 1 for part in parts], axis=0, dtype=dtype)
            same(total + total, expected + expected)
            if "complex" not in dtype:
                COMM.Allreduce(MPI.IN_PLACE, x, op=MPI.MAX)
                same(x * x, np.max([part + 1 for part in parts], axis=0) ** 2)


@check
def pending_work_sees_the_elements_before_a_receipt() -> None:
    x = array(of_rank(RANK, (9,)))
    before = x * 2
    total = ht.sum(x)
    right, left = (RANK + 1) % SIZE, (RANK - 1) % SIZE
    sent = x + 0
    COMM.Sendrecv(sent, right, recvbuf=x, source=left)
    after = x * 2
    same(before, of_rank(RANK, (9,)) * 2)
    assert float(total) == of_rank(RANK, (9,)).sum()
    same(after, of_rank(left, (9,)) * 2)
    x[2:4] = -1  # a later write is in the memory that MPI reads
    COMM.Sendrecv_replace(x, right, source=left)
    expected = of_rank((left - 1) % SIZE, (9,))
    expected[2:4] = -1
    same(x, expected)


@check
def requests_and_rows() -> None:
    grid = array(of_rank(RANK, (4, 6))) + 1
    right, left = (RANK + 1) % SIZE, (RANK - 1) % SIZE
    requests = [COMM.Isend(grid[1], right), COMM.Irecv(grid[3], left)]
    MPI.Request.Waitall(requests)
    expected = of_rank(RANK, (4, 6)) + 1
    expected[3] = of_rank(left, (4, 6))[1] + 1
    same(grid * 2, expected * 2)


@check
def collective_calls() -> None:
    for dtype in DTYPES:
        counts = [rank + 1 for rank in range(SIZE)]
        parts = [of_rank(rank, (counts[rank], 2), dtype) for rank in range(SIZE)]
        mine = ht.roll(array(parts[RANK]), 0)
        gathered = ht.empty((sum(counts), 2), dtype=dtype, usm_type=USM)
        COMM.Allgatherv(mine, [gathered, [2 * count for count in counts]])
        same(gathered, np.concatenate(parts))
        first = array(of_rank(RANK, (3,), dtype))
        COMM.Bcast(first, root=1)
        same(first, of_rank(1, (3,), dtype))


@check
def steps_with_a_halo() -> None:
    rows, columns = 3, 8
    whole = np.concatenate([of_rank(rank, (rows, columns)) for rank in range(SIZE)])
    x = ht.zeros((rows + 2, columns))
    x[1:-1] = ht.asarray(whole[RANK * rows : (RANK + 1) * rows])
    padded = np.zeros((SIZE * rows + 2, columns))
    padded[1:-1] = whole
    for _ in range(5):
        PAGE["step"](x)
        p = padded
        p[1:-1, 1:-1] = 0.25 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:])
    same(x[1:-1], padded[1 + RANK * rows : 1 + (RANK + 1) * rows])


@check
def a_distributed_transpose() -> None:
    for rows, part in ((1, 1), (3, 2), (2, 5)):
        whole = np.concatenate([of_rank(rank, (rows, part * SIZE)) for rank in range(SIZE)])
        x = ht.asarray(whole[RANK * rows : (RANK + 1) * rows]) + 1
        same(PAGE["transposed"](x), whole.T[RANK * part : (RANK + 1) * part] + 1)


@check
def numbers_and_half_precision() -> None:
    parts = [np.random.default_rng(rank).random(1_000_000) for rank in range(SIZE)]
    if ON_CPU:
        total = float(PAGE["total"])
        np.testing.assert_allclose(total, np.sum(parts), rtol=1e-12)
        np.testing.assert_allclose(ht.asnumpy(PAGE["x"]), parts[RANK] / total, rtol=1e-12)
    half = array(of_rank(RANK, (5,), "float16")) * 2
    COMM.Bcast(half.view("uint16"), root=2)
    same(half + 1, of_rank(2, (5,), "float16") * 2 + 1)


@check
def a_transform_over_all_ranks() -> None:
    n = 8
    whole = np.concatenate([of_rank(rank, (n // SIZE, n)) for rank in range(SIZE)]).astype("c16")
    rows = n // SIZE
    x = ht.fft.fft(ht.asarray(whole[RANK * rows : (RANK + 1) * rows]), axis=1)
    y = ht.asnumpy(PAGE["transposed"](ht.fft.fft(PAGE["transposed"](x), axis=1)))
    np.testing.assert_allclose(y, np.fft.fft2(whole)[RANK * rows : (RANK + 1) * rows], atol=1e-9)


@check
def objects_are_pickled() -> None:
    found = COMM.allgather(ht.arange(3) + RANK)
    for rank, x in enumerate(found):
        same(x, np.arange(3) + rank)


@check
def memory_that_mpi_refuses() -> None:
    x = ht.zeros((4, 4), usm_type=USM)
    for refused in (x[:, 1], x[::2]):
        try:
            COMM.Bcast(refused, root=0)
        except (BufferError, ValueError) as error:
            assert "contiguous" in str(error), error
        else:
            raise AssertionError("a strided view was accepted")
    try:
        COMM.Bcast(ht.broadcast_to(x[0, 0], (3,)), root=0)
    except (BufferError, ValueError):
        return
    raise AssertionError("a read-only array was accepted")


def main() -> None:
    failed = False
    for function in CHECKS:
        try:
            function()
        except Exception:
            failed = True
            print(f"failed {function.__name__} on rank {RANK}\n{traceback.format_exc()}")
            sys.stdout.flush()
            COMM.Abort(1)  # the others would wait for ever
    if RANK == 0 and not failed:
        print("passed", len(CHECKS), "checks on", SIZE, "ranks")


if __name__ == "__main__":
    main()
