"""inspect.signature() of hither's functions."""

from __future__ import annotations

import inspect

import pytest

import hither as ht


@pytest.mark.parametrize("name", ht.__all__)
def test_every_function_has_a_signature(name):
    function = getattr(ht, name)
    if callable(function) and not isinstance(function, type):
        assert isinstance(inspect.signature(function), inspect.Signature)


def test_parameters_and_defaults():
    shown = "(x, axis=None, dtype=None, *, keepdims=False, queue=None)"
    assert str(inspect.signature(ht.sum)) == shown
    assert str(inspect.signature(ht.concat)) == "(arrays, axis=0, *, queue=None)"
    assert list(inspect.signature(ht.Queue.wait).parameters) == ["self"]
    bound = inspect.signature(ht.roll).bind(1, shift=2)
    assert bound.arguments == {"x": 1, "shift": 2}
    with pytest.raises(TypeError):
        inspect.signature(ht.roll).bind(1, 2, 3, 4)
