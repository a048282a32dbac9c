"""A kernel in Triton, which reads its source from a file."""

import triton
import triton.language as tl


@triton.jit
def add(x, y, z, count, block: tl.constexpr):
    """z = x + y."""
    i = tl.program_id(0) * block + tl.arange(0, block)
    tl.store(z + i, tl.load(x + i, mask=i < count) + tl.load(y + i, mask=i < count), mask=i < count)
