"""pad() and roll() of random arrays, compared with NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp

VIEWS = [lambda x: x, lambda x: x[::-1], lambda x: x[..., ::2], lambda x: x.T]
DTYPES = ["f8", "f4", "i1", "?", "c8", "c16", "u2", "f2"]
MODES: list[dict[str, Any]] = [
    {"mode": "constant"},
    {"mode": "constant", "constant_values": 3},
    {"mode": "constant", "constant_values": (1, 2)},
    {"mode": "edge"}, {"mode": "wrap"}, {"mode": "reflect"}, {"mode": "symmetric"},
    {"mode": "reflect", "reflect_type": "odd"}, {"mode": "symmetric", "reflect_type": "odd"},
]  # fmt: skip


def _sample(random: np.random.Generator, device: ht.Device) -> tuple[np.ndarray, ht.Array]:
    shape = random.integers(1, 7, random.integers(1, 5))
    x = (random.normal(size=shape) * 50).astype(random.choice(DTYPES))
    view = VIEWS[random.integers(len(VIEWS))]
    return view(x), view(hnp.asarray(x, device=device))


def _same(found: ht.Array, expected: np.ndarray, message: str) -> None:
    assert found.dtype == expected.dtype, message
    np.testing.assert_array_equal(ht.asnumpy(found), expected, err_msg=message)


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("options", MODES, ids=lambda options: "_".join(map(str, options.values())))
def test_pad(device: ht.Device, options: dict[str, Any]) -> None:
    random = np.random.default_rng(1)
    for _ in range(25):
        x, own = _sample(random, device)
        widths = random.integers(0, 4, (x.ndim, 2)) * random.integers(0, 2, (x.ndim, 1))
        pairs = [tuple(pair) for pair in widths.tolist()]
        _same(hnp.pad(own, pairs, **options), np.pad(x, pairs, **options), f"{x.shape} {pairs}")


@pytest.mark.parametrize("mode", ["constant", "edge", "wrap", "symmetric"])
def test_pad_of_large_arrays(device: ht.Device, mode: str) -> None:
    x = np.arange(3 * 20_001, dtype=np.float32)
    for shape in [(60_003,), (3, 20_001), (20_001, 3)]:
        given = x.reshape(shape)
        own = hnp.asarray(given, device=device)
        _same(hnp.pad(own, 3, mode=mode), np.pad(given, 3, mode=mode), str(shape))
        _same(hnp.pad(own[1:] * 2, 1, mode=mode), np.pad(given[1:] * 2, 1, mode=mode), str(shape))


def test_pad_keeps_the_signs_of_zeros(device: ht.Device) -> None:
    found = hnp.pad(hnp.ones(1, device=device), 1, constant_values=(0.0, -0.0))
    assert np.signbit(ht.asnumpy(found)).tolist() == [False, False, True]


def test_pad_of_empty_arrays(device: ht.Device) -> None:
    x = hnp.zeros((2, 0), device=device)
    _same(hnp.pad(x, 1, constant_values=7), np.pad(np.zeros((2, 0)), 1, constant_values=7), "")
    with pytest.raises(ValueError, match="empty axis"):
        hnp.pad(x, 1, mode="edge")
    for mode in ("reflect", "symmetric", "wrap"):
        with pytest.raises(ValueError, match="too large"):
            hnp.pad(hnp.ones(5, device=device), (2**63 - 6, 0), mode)
    with pytest.raises(ValueError, match="NaN"):
        hnp.pad(hnp.arange(3, device=device), 1, constant_values=np.nan)
    with pytest.raises(ValueError, match="pairs of widths"):
        ht._hither.pad(x, [(1, 1)], ht._hither.Border.constant, 0)
    with pytest.raises(ValueError, match="cannot be extended"):
        ht._hither.pad(hnp.zeros(3, device=device), [(4, 0)], ht._hither.Border.wrap, 0)


def test_roll(device: ht.Device) -> None:
    random = np.random.default_rng(2)
    for _ in range(150):
        x, own = _sample(random, device)
        count = random.integers(0, 4)
        shifts = tuple(random.integers(-9, 9, count).tolist()) if count else 5
        axes = tuple(random.integers(-x.ndim, x.ndim, count).tolist()) if count else None
        _same(hnp.roll(own, shifts, axes), np.roll(x, shifts, axes), f"{x.shape} {shifts} {axes}")
        _same(hnp.roll(own + own, 1), np.roll(x + x, 1), f"{x.shape}")
    large = np.arange(100_003)
    for shift in [0, 1, -1, 50_000, 10**18, -(10**18)]:
        _same(hnp.roll(hnp.asarray(large, device=device), shift), np.roll(large, shift), str(shift))


def test_a_recorded_constant(device: ht.Device) -> None:
    @ht.compile
    def padded(x: ht.Array, number: float) -> ht.Array:
        return ht._hither.pad(x, [(1, 1)], ht._hither.Border.constant, number)

    x = hnp.ones(3, device=device)
    for number in (1.0, 2.0, 3.0, 2.5):
        _same(padded(x, number), np.pad(np.ones(3), 1, constant_values=number), str(number))


def test_transposed_arrays(device: ht.Device) -> None:
    x = np.arange(300 * 200, dtype=np.float32).reshape(300, 200)
    own = hnp.asarray(x, device=device)
    _same(hnp.roll(own.T, 7, axis=0), np.roll(x.T, 7, axis=0), "roll")
    _same(hnp.pad(own.T, 2, mode="wrap"), np.pad(x.T, 2, mode="wrap"), "pad")


@pytest.mark.parametrize("mode", ["symmetric", "reflect"])
@pytest.mark.parametrize("length", [1, 2, 3, 4, 5])
def test_odd_reflections_of_several_periods(queue, mode, length):
    x = np.arange(1, length + 1) ** 2
    own = ht.asarray(x, queue=queue)
    for width in ((15, 2), (1, 10), (45, 10), (3, 0), (0, 13)):
        right = np.pad(x, width, mode=mode, reflect_type="odd")
        result = hnp.pad(own, width, mode=mode, reflect_type="odd")
        np.testing.assert_array_equal(ht.asnumpy(result), right)


@pytest.mark.parametrize("mode", ["minimum", "maximum"])
def test_lengths_of_statistics_are_checked_without_padding(queue, mode):
    for xp, x in ((np, np.arange(3)), (hnp, ht.asarray(np.arange(3), queue=queue))):
        for length in (0, (1, 0), -1):
            with pytest.raises(ValueError):
                xp.pad(x, 0, mode, stat_length=length)
        assert xp.pad(x, 0, mode, stat_length=2).tolist() == [0, 1, 2]
