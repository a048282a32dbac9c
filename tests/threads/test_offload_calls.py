"""Offloaded Numba functions, contexts and exceptions in many threads."""

from __future__ import annotations

import gc
import sys
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest

import hither as ht
from hither._hither import open_contexts


@numba.njit
def checked(x):
    if x < 0:
        raise ValueError("negative")
    return x + 1


@numba.njit
def increment(x):
    for i in numba.prange(x.size):
        x[i] = checked(x[i])
    return x.sum()


def alternate(devices, rounds, wrong):
    x = np.empty(16)
    for i in range(rounds):
        x[:] = i
        try:
            with ht.device_context(devices[i % len(devices)]):
                if i % 3 == 0:
                    with ht.device_context(devices[0]):
                        found = increment(x)
                else:
                    found = increment(x)
                if found != 16 * (i + 1):
                    wrong.append((i, found))
                if i % 5 == 0:
                    raise KeyError(i)
        except KeyError:
            pass
        if i % 7 == 0:
            x[3] = -1
            with ht.device_context(devices[0]), pytest.raises(ht.KernelError):
                increment(x)
        if ht.get_context() is not None:
            wrong.append((i, "a context is left open"))


def test_alternations_of_contexts_threads_and_exceptions_leave_nothing_behind(sub_devices):
    wrong: list = []
    alternate(sub_devices, 100, wrong)  # compiles, and fills what caches there are
    gc.collect()
    contexts, blocks = open_contexts(), sys.getallocatedblocks()
    with ThreadPoolExecutor(4) as threads:
        runs = [threads.submit(alternate, sub_devices, 2500, wrong) for _ in range(4)]
    for run in runs:
        run.result()
    assert wrong == []
    del runs, run, threads
    gc.collect()
    assert open_contexts() == contexts
    assert (
        sys.getallocatedblocks() - blocks < 5000
    )  # of Python's memory; one per iteration would be 10000
    before = ht.counters()["offloaded_regions"]
    assert increment(np.ones(16)) == 32
    assert ht.counters()["offloaded_regions"] == before


def test_many_threads_may_make_the_first_call(sub_devices):
    @numba.njit
    def double(x):
        return x * 2

    def call(device):
        with ht.device_context(device):
            return double(np.ones(100)).sum()

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(call, [sub_devices[i % 2] for i in range(8)]))
    assert found == [200.0] * 8
