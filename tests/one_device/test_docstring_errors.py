"""Docstrings list the errors of bad arguments: each function is called as in its examples, with one
argument spoilt."""

from __future__ import annotations

import doctest
import functools
import inspect
import re

import numpy
import pytest

import hither as ht
import hither.numpy
from one_device.test_docstrings import FLAGS, public, walk  # noqa: F401

pytestmark = [pytest.mark.either_mode, pytest.mark.filterwarnings("ignore")]

AXES = {"axis", "axes", "axis1", "axis2", "source", "destination"}
# Values that optional parameters do not take.
BAD = {
    "axis": 99, "dtype": "flaot", "mode": "nonsense", "kind": "nonsense", "order": "Q",
    "casting": "nonsense", "method": "nonsense", "norm": "nonsense", "indexing": "nonsense",
    "usm_type": "devise", "queue": "gpuu", "device": "gpuu",
}  # fmt: skip
# Functions that change the process, write files, or take very large sizes, and methods of
# ndarray's subclass.
LEFT_OUT = re.compile(
    r"(install|clear_kernel_history|release_cached|set_default_queue|tofile|save\w*|diag|diagflat"
    r"|as_ndarray)$"
)
LISTED = re.compile(r"^\w.*\n", re.M)
# Errors of NumPy and Python that no table describes.
FOREIGN = (OverflowError, MemoryError, EOFError)


def spoilt(name, value):
    """Bad values of the type of an argument."""
    if name in AXES and isinstance(value, (int, tuple, list)):
        yield 99
    elif type(value) is int:
        yield -(10**6)
    elif isinstance(value, str):
        yield "nonsense"
    elif isinstance(value, (ht.Array, numpy.ndarray)) and value.ndim:
        yield from (ht.ones((7, 3, 11)), ht.ones(0))


def errors_of(function, signature, given):
    """The classes of the errors of a call with one argument spoilt, each with such an argument."""
    bad = {(n, v) for n, v in BAD.items() if n in signature.parameters and n not in given.arguments}
    tries = [(n, v) for n, value in given.arguments.items() for v in spoilt(n, value)]
    found = {}
    for name, value in [*tries, *bad]:
        call = signature.bind(*given.args, **given.kwargs)
        if signature.parameters[name].kind in (inspect.Parameter.VAR_POSITIONAL,
                                               inspect.Parameter.VAR_KEYWORD):  # fmt: skip
            continue
        call.arguments[name] = value
        try:
            result = function(*call.args, **call.kwargs)
            if isinstance(result, ht.Array):
                result.evaluate()
        except FOREIGN:
            pass
        except Exception as error:
            found.setdefault(type(error), f"{name}={value!r:.40}: {error}")
    return found


def errors_of_examples(p, owner, docstring):
    """The errors of a function in the calls of its own examples."""
    found, function = {}, p.value
    signature = inspect.signature(function)

    @functools.wraps(function)
    def called(*args, **keywords):
        result = function(*args, **keywords)
        if not found:
            found.update(errors_of(function, signature, signature.bind(*args, **keywords)))
        return result

    names = {"ht": ht, "np": hither.numpy if p.module.startswith("hither.numpy") else numpy}
    test = doctest.DocTestParser().get_doctest(docstring, names, p.path, None, 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, p.name, called)
        doctest.DocTestRunner(verbose=False, optionflags=FLAGS).run(test, out=lambda text: None)
    return found


def test_errors_of_bad_arguments_are_in_the_docstrings(walk, public, cpu_by_default):  # noqa: F811
    missing, seen = {}, 0
    for p in public:
        owner = walk.module_of(p.module)
        if isinstance(owner, type):
            owner = next(base for base in owner.__mro__ if p.name in vars(base))
        kernels = p.value.__module__.startswith("hither._kernel")
        if isinstance(p.value, type) or kernels or LEFT_OUT.search(p.name):
            continue
        docstring = walk.docstring_of(p.value)
        section = re.search(
            r"^Raises\n-+\n(.*?\n)(?=\n\w[\w ]*\n---|\Z)", f"{docstring}\n", re.M | re.S
        )
        listed = set(re.findall(r"\w+", "".join(LISTED.findall(section[1])))) if section else set()
        for error, example in errors_of_examples(p, owner, docstring).items():
            seen += 1
            # Every function refuses an argument of a type that it does not know.
            if error is not TypeError and not listed & {c.__name__ for c in error.__mro__[:-3]}:
                missing[f"{p.path}: {error.__name__}"] = example
    assert seen > 1000 and missing == {}
