"""Random numbers inside kernels, as functions of a seed, a work-item and a draw only.

The generator is Philox 4x32-10 (J. Salmon, M. Moraes, R. Dror, D. Shaw: Parallel random numbers: as
easy as 1, 2, 3; SC11). Its key is a one-to-one function of the draw for each seed, and its counter
is the item, or the number that a few adjacent items share. The numbers therefore do not depend on
the device, the size of the groups, or the order in which items run. Items and draws may be any
64-bit integers.
"""

from __future__ import annotations

import math

import numpy as np

from .device_func import device_func

_MULTIPLY = (0xD2511F53, 0xCD9E8D57)
_WEYL = (0x9E3779B9, 0xBB67AE85)
_LOW = 0xFFFFFFFF
_M0, _M1 = map(np.uint64, _MULTIPLY)
_W0, _W1 = map(np.uint64, _WEYL)
_MASK, _SHIFT = np.uint64(_LOW), np.uint64(32)
_MIX0, _MIX1 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@device_func
def philox4x32(c0, c1, c2, c3, k0, k1):
    """Ten rounds of Philox 4x32 over the counter c0..c3 with the key k0, k1; four uint32."""
    x0, x1, x2, x3 = np.uint64(c0), np.uint64(c1), np.uint64(c2), np.uint64(c3)
    a, b = np.uint64(k0), np.uint64(k1)
    for _ in range(10):
        p, q = _M0 * x0, _M1 * x2
        y0 = (q >> _SHIFT) ^ x1 ^ a
        y2 = (p >> _SHIFT) ^ x3 ^ b
        x0, x1, x2, x3 = y0, q & _MASK, y2, p & _MASK
        a, b = (a + _W0) & _MASK, (b + _W1) & _MASK
    return np.uint32(x0), np.uint32(x1), np.uint32(x2), np.uint32(x3)


@device_func
def _mixed(x):
    x = (x ^ (x >> np.uint64(30))) * _MIX0
    x = (x ^ (x >> np.uint64(27))) * _MIX1
    return x ^ (x >> np.uint64(31))


@device_func
def bits(seed, item, draw=0):
    """Four random uint32."""
    i, k = np.uint64(item), _mixed(np.uint64(seed) + _GOLDEN)
    k = _mixed(k + np.uint64(draw) * _GOLDEN)
    zero = np.uint64(0)
    return philox4x32(i & _MASK, i >> _SHIFT, zero, zero, k & _MASK, k >> _SHIFT)


@device_func
def _unit32(x):
    return np.float32(x >> np.uint32(8)) * np.float32(2.0**-24)


@device_func
def _unit64(x, y):
    high, low = np.uint64(x) >> np.uint64(5), np.uint64(y) >> np.uint64(6)
    return (np.float64(high) * 67108864.0 + np.float64(low)) * 2.0**-53


@device_func
def uniform_float32(seed, item, draw=0):
    """A float32 in [0, 1), a multiple of 2**-24."""
    i = np.uint64(item)
    x = bits(seed, i >> np.uint64(2), draw)
    low = x[1] if i & np.uint64(1) else x[0]
    high = x[3] if i & np.uint64(1) else x[2]
    return _unit32(high if i & np.uint64(2) else low)


@device_func
def uniform_float64(seed, item, draw=0):
    """A float64 in [0, 1), a multiple of 2**-53."""
    i = np.uint64(item)
    x = bits(seed, i >> np.uint64(1), draw)
    return _unit64(x[2], x[3]) if i & np.uint64(1) else _unit64(x[0], x[1])


@device_func
def normal_float32(seed, item, draw=0):
    """A float32 of the normal distribution of mean 0 and variance 1 (Box and Muller's method)."""
    i = np.uint64(item)
    x = bits(seed, i >> np.uint64(2), draw)
    first = x[2] if i & np.uint64(2) else x[0]
    second = x[3] if i & np.uint64(2) else x[1]
    u = np.float32(first) * np.float32(2.0**-32) + np.float32(2.0**-33)
    radius = math.sqrt(np.float32(-2.0) * math.log(u))
    angle = np.float32(2.0 * math.pi) * _unit32(second)
    return np.float32(radius * (math.sin(angle) if i & np.uint64(1) else math.cos(angle)))


@device_func
def normal_float64(seed, item, draw=0):
    """A float64 of the normal distribution of mean 0 and variance 1 (Box and Muller's method)."""
    i = np.uint64(item)
    x = bits(seed, i >> np.uint64(1), draw)
    radius = math.sqrt(-2.0 * math.log(1.0 - _unit64(x[0], x[1])))
    angle = 2.0 * math.pi * _unit64(x[2], x[3])
    return radius * (math.sin(angle) if i & np.uint64(1) else math.cos(angle))
