"""The examples in the docstrings of hither.numpy run as printed, on every device."""

from __future__ import annotations

import doctest
import inspect

import pytest

import hither as ht
import hither.numpy as hnp

NAMES = ["", "emath", "fft", "linalg", "random"]


def documented(module):
    for name in module.__all__:
        function = getattr(module, name)
        owner = getattr(inspect.unwrap(function), "__module__", None) or ""
        if callable(function) and owner.startswith("hither.numpy"):
            yield name, function


@pytest.mark.parametrize("name", NAMES)
def test_examples(queue, name):
    module = getattr(hnp, name) if name else hnp
    finder, found = doctest.DocTestFinder(recurse=False), 0
    with ht.device_context(queue):
        for own, function in documented(module):
            for test in finder.find(function, own, module=False, globs={}):
                result = doctest.DocTestRunner(verbose=False).run(test)
                assert result.failed == 0, own
                found += result.attempted
    assert found > 0


@pytest.mark.either_mode
@pytest.mark.parametrize("name", NAMES)
def test_every_function_is_described(name):
    module = getattr(hnp, name) if name else hnp
    assert [own for own, function in documented(module) if not inspect.getdoc(function)] == []
