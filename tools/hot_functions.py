"""Lists hither's functions that small operations execute: src/hot_functions.txt.

`python tools/hot_functions.py > src/hot_functions.txt`, with Valgrind and a release build in place.
The linker puts these functions next to each other. Otherwise they are spread over as many pages as
there are functions, and a small operation spends a tenth of its time on misses of the instruction
caches. The list need not be complete or up to date: names that no longer exist are ignored.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

PROGRAM = """
import numpy as np
import hither as ht

@ht.kernel
def scaled(x, y):
    i = ht.get_global_id(0)
    y[i] = 2 * x[i]

x, y = ht.asarray(np.linspace(0, 1, 1000)), ht.ones(1000)
m = ht.ones((20, 30))
for _ in range({repetitions}):
    (x + y).synchronize()
    ht.sqrt((x - y) * 1.5 + y).synchronize()
    float(ht.sum(x)), float(ht.mean(x * y)), float(x[7])
    ht.sum(m, axis=0).synchronize()
    (m.T + x[:20]).synchronize()
    x[3:9] = y[3:9]
    y += 1
    scaled[ht.Range(1000)](x, y)
    ht.zeros(100).synchronize()
    ht.asnumpy(y)
"""
FEW, MANY = 100, 300


def instructions(repetitions: int, folder: str) -> Counter[str]:
    """The number of instructions of each function of hither, by its mangled name."""
    out = Path(folder, f"callgrind.{repetitions}")
    subprocess.run(
        ["valgrind", "--tool=callgrind", "--demangle=no",
         f"--callgrind-out-file={out}", sys.executable, "-c",
         PROGRAM.format(repetitions=repetitions)],
        env={**os.environ, "HITHER_DEVICE": "native_cpu", "HITHER_SYCL": "0", "HITHER_CUDA": "0",
             "HITHER_CACHE_DIR": folder},
        check=True, capture_output=True,
    )  # fmt: skip
    text = subprocess.run(
        ["callgrind_annotate", "--threshold=100", out], check=True, capture_output=True, text=True
    ).stdout
    found: Counter[str] = Counter()
    for count, name in re.findall(
        r"^ *([\d,]+) \(.*?\)\s+\S*?:(\S+) \[\S*/(?:lib|_)hither\.", text, re.M
    ):
        found[name.removesuffix("'2")] += int(count.replace(",", ""))
    return found


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        instructions(1, folder)  # fills the cache of kernels
        few, many = instructions(FEW, folder), instructions(MANY, folder)
    for name in sorted(many):
        is_ours = "hither" in name or "nanobind" in name  # LLVM's start also counts
        if is_ours and many[name] - few[name] >= MANY - FEW:
            print(name)


if __name__ == "__main__":
    main()
