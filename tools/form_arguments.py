"""Arguments of mathematical functions for tools/math_forms.py, in blocks."""

from __future__ import annotations

from typing import Any

import numpy as np

# Around these numbers functions are computed by other formulas, or results overflow.
BORDERS = [
    *(0.25, 0.5, 0.84375, 1, 1.25, 2, 2.857, 4, 6, 9.01, 10.06, 19.06, 22, 26.5, 27.3, 33.3),
    *(np.pi / 4, np.pi / 2, 3 * np.pi / 4, np.pi, 2 * np.pi, 1.75 * np.pi, 100 * np.pi),
    *(15, 38.5, 88.72, 104, 125, 127, 149.5, 171.6, 308.3, 324, 354.9, 700, 708.4, 709.78, 710.5),
    *(745.13, 1022, 1024, 1075, 39000, 65536, 1e7, 2.0**31, 2.0**52, 2.0**53, 1e14, 1e30, 1e150),
    *(1e154, 1e300, 2.0**-12, 2.0**-27, 1e-150, 1e-300),
]
FACTOR = np.uint32(0x9E3779B1)  # odd, so that products are a permutation of 32 bits
UNSIGNED = {2: np.uint16, 4: np.uint32, 8: np.uint64}


def bits(x: np.ndarray) -> np.ndarray:
    return x.view(UNSIGNED[x.dtype.itemsize])


def special_numbers(dtype: Any) -> np.ndarray:
    """Zeros, infinities, NaNs, subnormal numbers, ends of the range and small integers."""
    limits = np.finfo(dtype)
    numbers = [0, limits.smallest_subnormal, limits.tiny / 2, limits.tiny, limits.eps, 0.5, 1, 1.5,
               2, 3, 4, 5, np.pi, limits.max, np.inf, np.nan]  # fmt: skip
    positive = np.array(numbers, dtype)
    around = [np.nextafter(positive, dtype(end)) for end in (-np.inf, np.inf)]
    return np.concatenate([positive, -positive, *around, *(-a for a in around)])


def successive_patterns(first: int, count: int) -> np.ndarray:
    """float32 numbers; 2**32 of them are all patterns of bits."""
    places = np.arange(first, first + count, dtype=np.uint64).astype(np.uint32)
    return (places * FACTOR).view(np.float32)


def random_patterns(dtype: Any, count: int, random: Any) -> np.ndarray:
    unsigned = UNSIGNED[np.dtype(dtype).itemsize]
    return random.integers(0, np.iinfo(unsigned).max, count, unsigned, endpoint=True).view(dtype)


def of_exponents(low: int, high: int, dtype: Any, count: int, random: Any) -> np.ndarray:
    """Numbers of both signs, from 2**low to 2**high, with uniform exponents."""
    limits, unsigned = np.finfo(dtype), UNSIGNED[np.dtype(dtype).itemsize]
    exponents = random.integers(low, high, count, np.int16) + np.int16(limits.maxexp - 1)
    found = bits(random_patterns(dtype, count, random))
    found &= ~unsigned((2 * limits.maxexp - 1) << limits.nmant)
    found |= exponents.astype(unsigned) << unsigned(limits.nmant)
    return found.view(dtype)


def near_borders(dtype: Any, count: int, random: Any) -> np.ndarray:
    """BORDERS times 1 + t, where t has uniform exponents down to one ulp."""
    with np.errstate(over="ignore", under="ignore"):
        borders = np.concatenate([BORDERS, np.negative(BORDERS)]).astype(dtype)
    distance = of_exponents(-np.finfo(dtype).nmant - 1, 0, dtype, count, random)
    return borders[random.integers(0, borders.size, count)] * (1 + distance)


def of_all_sizes(dtype: Any, count: int, random: Any) -> np.ndarray:
    """Numbers from 2**-40 to 2**40; a quarter of them are integers below 2**12."""
    found = of_exponents(-40, 40, dtype, count, random)
    integers = found[::4]
    integers[:] = np.rint(of_exponents(0, 12, dtype, integers.size, random))
    return found


def mixed(operand: int, dtype: Any, count: int, random: Any) -> np.ndarray:
    """Random patterns of bits, and a quarter each near the borders and of all sizes. Two operands
    have all combinations of these."""
    found = random_patterns(dtype, count, random)
    kinds = np.arange(count) // 4**operand % 4
    for kind, source in enumerate((near_borders, of_all_sizes)):
        at = np.flatnonzero(kinds == kind)
        found[at] = source(dtype, at.size, random)
    return found


def block_of(operands: int, dtype: Any, first: int, count: int) -> list[np.ndarray]:
    """The arguments from the index `first` on. One float32 operand has successive patterns of bits;
    else half of them are random. The first ones are all special numbers, or all pairs of them."""
    random = np.random.default_rng([operands, np.dtype(dtype).itemsize, first])
    if operands == 1 and dtype == np.float32:
        found = [successive_patterns(first, count)]
    else:
        found = [mixed(k, dtype, count, random) for k in range(operands)]
    if first == 0:
        chosen = special_numbers(dtype)
        grids = np.meshgrid(*[chosen] * operands)
        for x, grid in zip(found, grids, strict=True):
            x[: grid.size] = grid.ravel()[:count]
    return found
