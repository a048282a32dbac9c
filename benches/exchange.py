"""Exchanges between GPUs: copies of hither and NCCL's collectives, which torch calls.

`python benches/exchange.py cuda:gpu:0 cuda:gpu:1 ...` prints the bandwidth that each GPU sees: the
bytes that it receives from others, divided by the time.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator

import torch
import torch.cuda.nccl as nccl

import hither as ht

REPETITIONS = 10


def best(call: Callable[[], object], wait: Callable[[], object]) -> float:
    """Seconds of one call, the best of ten."""
    call()
    wait()
    shortest = float("inf")
    for _ in range(REPETITIONS):
        started = time.perf_counter()
        call()
        wait()
        shortest = min(shortest, time.perf_counter() - started)
    return shortest


def wait_for_all(count: int) -> None:
    for k in range(count):
        torch.cuda.synchronize(k)


Measured = tuple[str, int, float, float | None]


def measure(queues: list[ht.Queue], elements: int) -> Iterator[Measured]:
    """Name, bytes that a GPU receives, and the seconds of hither and NCCL."""
    count = len(queues)
    parts = [ht.ones(elements, dtype="float32", queue=q) * (k + 1) for k, q in enumerate(queues)]
    tensors = [torch.ones(elements, device=f"cuda:{k}") * (k + 1) for k in range(count)]
    held: list[ht.Array] = []

    def wait() -> None:
        for x in held:
            x.synchronize()

    def torch_wait() -> None:
        wait_for_all(count)

    size = elements * 4
    for x in parts:
        x.synchronize()

    def one_copy() -> None:
        held[:] = [parts[0].to_device(queues[1])]

    target = torch.empty_like(tensors[1])
    yield "copy of 0 to 1", size, best(one_copy, wait), best(
        lambda: target.copy_(tensors[0]), torch_wait)  # fmt: skip

    def ring() -> None:
        held[:] = [x.to_device(queues[(k + 1) % count]) for k, x in enumerate(parts)]

    yield "each to the next", size, best(ring, wait), None

    whole = ht.gather(
        ht.shard(ht.ones(elements, dtype="float32", queue=queues[0]), ht.Mesh(queues))
    )
    sharded = ht.shard(whole, ht.Mesh(queues))

    def all_gather() -> None:
        held[:] = [ht.gather(sharded, queue=q) for q in queues]

    blocks = [t[: elements // count].contiguous() for t in tensors]
    outputs = [torch.empty(elements // count * count, device=f"cuda:{k}") for k in range(count)]
    yield "all-gather", size * (count - 1) // count, best(all_gather, wait), best(
        lambda: nccl.all_gather(blocks, outputs), torch_wait)  # fmt: skip

    rows = ht.shard(ht.ones((count, elements), dtype="float32", queue=queues[0]), ht.Mesh(queues))

    def all_reduce() -> None:
        total = rows.sum(axis=0)
        held[:] = [total, *(total.to_device(q) for q in queues[1:])]

    yield "all-reduce", 2 * size * (count - 1) // count, best(all_reduce, wait), best(
        lambda: nccl.all_reduce(tensors), torch_wait)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("devices", nargs="+", metavar="DEVICE")
    parser.add_argument("--elements", type=int, default=1 << 26)
    given = parser.parse_args()
    for count in (p for p in (2, 4, 8) if p <= len(given.devices)):
        queues = [ht.default_queue(name) for name in given.devices[:count]]
        for name, size, hither, other in measure(queues, given.elements):
            rates = [f"{size / s / 1e9:7.1f} GB/s" if s else "" for s in (hither, other)]
            print(f"{count} GPUs, {name:18} hither {rates[0]}   NCCL {rates[1]}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
