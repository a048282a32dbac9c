"""A program for four ranks of MPI: hither's arrays as buffers of mpi4py. test_mpi.py starts it.

Each rank runs every check, and prints "failed NAME" and the traceback if one fails. A check knows
the data of all ranks, so that NumPy computes the expected values.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable

import numpy as np
from mpi4py import MPI

import hither as ht

COMM = MPI.COMM_WORLD
RANK, SIZE = COMM.rank, COMM.size
CHECKS: list[Callable[[], None]] = []
# MPI has no type for float16.
DTYPES = ["bool", "int8", "uint16", "int32", "uint64", "float32", "float64", "complex64",
          "complex128"]  # fmt: skip


def check(function: Callable[[], None]) -> Callable[[], None]:
    CHECKS.append(function)
    return function


def of_rank(rank: int, shape: tuple[int, ...], dtype: str = "float64") -> np.ndarray:
    """The data of a rank, which every rank can draw."""
    drawn = np.random.default_rng([rank, *shape]).integers(0, 50, shape)
    return (drawn % 2 == 0) if dtype == "bool" else drawn.astype(dtype)


def same(x: ht.Array, expected: np.ndarray) -> None:
    assert isinstance(x, ht.Array)
    np.testing.assert_array_equal(ht.asnumpy(x), expected)


@check
def sums_and_maxima_of_pending_arrays() -> None:
    for dtype in DTYPES[1:]:
        for shape in ((0,), (1,), (7,), (5, 3)):
            parts = [of_rank(rank, shape, dtype) for rank in range(SIZE)]
            x = ht.asarray(parts[RANK]) + ht.asarray(1, dtype=dtype)  # not computed yet
            total = ht.empty(shape, dtype=dtype)
            COMM.Allreduce(x, total)
            expected = np.sum([part + 1 for part in parts], axis=0, dtype=dtype)
            same(total + total, expected + expected)
            if "complex" not in dtype:
                COMM.Allreduce(MPI.IN_PLACE, x, op=MPI.MAX)
                same(x * x, np.max([part + 1 for part in parts], axis=0) ** 2)


@check
def pending_work_sees_the_elements_before_a_receipt() -> None:
    x = ht.asarray(of_rank(RANK, (9,)))
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
    grid = ht.asarray(of_rank(RANK, (4, 6))) + 1
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
        mine = ht.where(ht.asarray(True), ht.asarray(parts[RANK]), ht.asarray(parts[RANK]))
        gathered = ht.empty((sum(counts), 2), dtype=dtype)
        COMM.Allgatherv(mine, [gathered, [2 * count for count in counts]])
        same(gathered, np.concatenate(parts))
        first = ht.asarray(of_rank(RANK, (3,), dtype))
        COMM.Bcast(first, root=1)
        same(first, of_rank(1, (3,), dtype))


def exchange_edges(x: ht.Array) -> None:
    """Stores the neighbours' edges in the first and the last row, as in docs/howto/clusters.md."""
    above = RANK - 1 if RANK > 0 else MPI.PROC_NULL
    below = RANK + 1 if RANK + 1 < SIZE else MPI.PROC_NULL
    for row, to, halo, source in ((1, above, -1, below), (-2, below, 0, above)):
        sent = ht.asarray(x[row], usm_type="host")
        received = ht.asarray(x[halo], usm_type="host")
        COMM.Sendrecv(sent, to, recvbuf=received, source=source)
        x[halo] = ht.asarray(received, usm_type=x.usm_type)


@check
def steps_with_a_halo() -> None:
    rows, columns = 3, 8
    whole = np.concatenate([of_rank(rank, (rows, columns)) for rank in range(SIZE)])
    x = ht.zeros((rows + 2, columns))
    x[1:-1] = ht.asarray(whole[RANK * rows : (RANK + 1) * rows])
    padded = np.zeros((SIZE * rows + 2, columns))
    padded[1:-1] = whole
    for _ in range(5):
        exchange_edges(x)
        x[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
        p = padded
        p[1:-1, 1:-1] = 0.25 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:])
    same(x[1:-1], padded[1 + RANK * rows : 1 + (RANK + 1) * rows])


def transposed(x: ht.Array) -> ht.Array:
    """Of a matrix whose ranks have equal parts of the rows, this rank's rows of the transpose, as
    in docs/howto/clusters.md."""
    rows, columns = x.shape
    part = columns // SIZE
    blocks = ht.permute_dims(ht.reshape(x, (rows, SIZE, part)), (1, 2, 0))
    sent = ht.copy(blocks)
    received = ht.empty_like(sent)
    COMM.Alltoall(sent, received)
    return ht.reshape(ht.permute_dims(received, (1, 0, 2)), (part, SIZE * rows))


@check
def a_distributed_transpose() -> None:
    for rows, part in ((1, 1), (3, 2), (2, 5)):
        whole = np.concatenate([of_rank(rank, (rows, part * SIZE)) for rank in range(SIZE)])
        x = ht.asarray(whole[RANK * rows : (RANK + 1) * rows]) + 1
        same(transposed(x), whole.T[RANK * part : (RANK + 1) * part] + 1)


@check
def a_transform_over_all_ranks() -> None:
    n = 8
    whole = np.concatenate([of_rank(rank, (n // SIZE, n)) for rank in range(SIZE)]).astype("c16")
    rows = n // SIZE
    x = ht.fft.fft(ht.asarray(whole[RANK * rows : (RANK + 1) * rows]), axis=1)
    y = ht.asnumpy(transposed(ht.fft.fft(transposed(x), axis=1)))
    np.testing.assert_allclose(y, np.fft.fft2(whole)[RANK * rows : (RANK + 1) * rows], atol=1e-9)


@check
def objects_are_pickled() -> None:
    found = COMM.allgather(ht.arange(3) + RANK)
    for rank, x in enumerate(found):
        same(x, np.arange(3) + rank)


@check
def memory_that_mpi_refuses() -> None:
    x = ht.zeros((4, 4))
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
