"""Many threads call a new kernel at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np

import hither as ht

THREADS = 8


def test_one_compile_serves_every_thread():
    @ht.kernel
    def triple(a):
        a[ht.get_global_id(0)] *= 3

    arrays = [ht.asarray(np.full(100, float(t))) for t in range(THREADS)]
    ht.synchronize(*arrays)
    start = Barrier(THREADS)

    def call(x):
        start.wait()
        for _ in range(5):
            triple(x)

    before = ht.counters()
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(call, arrays))
    for t, x in enumerate(arrays):
        assert np.all(ht.asnumpy(x) == t * 3.0**5)
    after = ht.counters()
    assert len(triple.inspect_llvm()) == 1
    asked = sum(after[name] - before[name] for name in ("compiles", "cache_hits"))
    assert asked <= 2 * THREADS  # launches after the first ask the compiler nothing
