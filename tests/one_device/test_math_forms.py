"""Mathematical functions on CPUs have the same bits in all forms; tools/math_forms.py compares all
functions with more arguments."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

TOOLS = Path(__file__).parents[2] / "tools"
pytestmark = pytest.mark.either_mode  # one of the forms is without laziness


@pytest.fixture
def math_forms(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    return importlib.import_module("math_forms")


# Of SLEEF, with an extension and in float64, arithmetic, replaced in kernels, of two operands.
@pytest.mark.parametrize("name", ["sin", "sinh", "erf", "cbrt", "power"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_forms_agree(math_forms, name, dtype):
    result = math_forms.wide_result(name, dtype, 100_000)
    assert result.differing == 0
    assert result.arguments >= 100_000
    assert {"vectors", "masked_loop", "single_items", "offloaded"} <= result.computed.keys()


@pytest.mark.parametrize("name", ["exp", "atan2"])
def test_narrow_floats_are_rounded_float32(math_forms, name):
    for dtype in math_forms.narrow_dtypes():
        assert math_forms.narrow_result(name, dtype).differing == 0


def test_a_difference_is_found(math_forms, capfd):
    forms = {
        "right": lambda xs: xs[0].copy(),
        "zero_without_sign": lambda xs: xs[0] + 0.0,
        "few": lambda xs: np.nextafter(xs[0], 9)[:2],
        "other_nan": lambda xs: np.where(np.isnan(xs[0]), -np.nan, xs[0]),
    }
    result = math_forms.compare("name", forms, [np.array([1.0, 2.0, 3.0, -0.0, np.nan])])
    assert result.differing == 3
    assert dict(result.computed) == {"right": 5, "zero_without_sign": 5, "few": 2, "other_nan": 5}
    text = capfd.readouterr().err
    assert "by few, else 0x1.0000000000000p+0; 2 of 2 differ\n" in text
    zero = (
        "name(-0x0.0p+0) of float64: 0x0.0p+0 by zero_without_sign, else -0x0.0p+0; 1 of 5 differ"
    )
    assert zero in text and "other_nan" not in text
