"""Public functions, classes and methods have docstrings in NumPy's form, whose examples run."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from pathlib import Path

import numpy
import pytest

import hither as ht
import hither.numpy
from hither._documentation import complete

EXAMPLES = Path(ht.__file__).parent / "_documentation" / "examples"
TOOLS = Path(__file__).parents[2] / "tools"
# The share of complete docstrings in percent. It may only rise.
COMPLETE = 98.0
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@pytest.fixture(scope="module")
def walk():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(TOOLS))
        return importlib.import_module("api_walk")


@pytest.fixture(scope="module")
def public(walk):
    """Each public object once."""
    found = {}
    for name in walk.public_names():
        found.setdefault(id(name.value), name)
        for method in walk.methods_of(name) if isinstance(name.value, type) else ():
            found.setdefault(id(method.value), method)
    return list(found.values())


@pytest.mark.either_mode
def test_the_share_of_complete_docstrings_does_not_fall(walk, public):
    missing = {p.path: parts for p in public if (parts := walk.missing_parts(p))}
    share = 100 * (1 - len(missing) / len(public))
    shown = "\n".join(f"{path}: {', '.join(parts)}" for path, parts in list(missing.items())[:30])
    assert share >= COMPLETE, (
        f"{share:.1f} % of {len(public)} are complete; without parts:\n{shown}"
    )


@pytest.mark.either_mode
def test_every_public_object_says_what_it_does(walk, public):
    assert [p.path for p in public if not walk.docstring_of(p.value)] == []


@pytest.mark.either_mode
def test_sections_of_parameters_name_the_parameters(walk, public):
    wrong = {}
    for p in public:
        text = walk.docstring_of(p.value)
        section = re.search(r"^Parameters\n-+\n(.*?)(?=\n\n\w+\n---|\Z)", text, re.M | re.S)
        if section is None or isinstance(p.value, type):
            continue
        documented = {
            word.strip().lstrip("*")
            for line in re.findall(r"^(\S[^:\n]*?)(?: :.*)?$", section[1], re.M)
            for word in line.split(",")
        }
        try:
            names = set(inspect.signature(p.value).parameters) - {"self"}
        except ValueError:  # functions of the extension
            names = set(re.findall(r"(?<=[(, *])(\w+)(?=[:,)=])", walk.signature_of(p.value)))
            names &= documented
        if names != documented:
            wrong[p.path] = sorted(names ^ documented)
    assert wrong == {}


@pytest.mark.either_mode
def test_examples_of_names_that_this_numpy_lacks_are_left_out():
    complete("numpy", {})  # an older NumPy has fewer names, and so has hither.numpy


@pytest.mark.either_mode
@pytest.mark.parametrize(
    "module",
    "numpy numpy.linalg numpy.fft numpy.random numpy.emath scipy.ndimage scipy.signal "
    "scipy.special".split(),
)
def test_every_example_of_a_file_has_a_name(module):
    text = (EXAMPLES / f"{module}.txt").read_text()
    names = re.findall(r"^\[(\w+)(?:\.\w+)?\]\n>>>", text, re.M)
    found = vars(importlib.import_module(f"hither.{module}"))
    assert len(names) > 5 and [name for name in names if name not in found] == []


MODULES = (
    "hither hither.linalg hither.fft hither.random hither.lapack hither.blas hither.numpy "
    "hither.numpy.linalg hither.numpy.fft hither.numpy.random hither.numpy.emath hither.dparray "
    "hither.compat hither.offload hither.cuda hither.sycl hither.atomic hither.local "
    "hither.private hither.constant hither.errors hither.scipy.sparse "
    "hither.scipy.sparse.linalg hither.scipy.ndimage hither.scipy.signal hither.scipy.special"
).split()


@pytest.mark.either_mode  # some examples show what laziness does
@pytest.mark.parametrize("module", MODULES)
def test_examples_run(module, walk, public, cpu_by_default, capsys):
    np = hither.numpy if module.startswith("hither.numpy") else numpy
    failed = []
    for p in public:
        owner = p.module if p.module in MODULES else p.module.rpartition(".")[0]
        if owner != module:
            continue
        names = {"ht": ht, "np": np}
        test = doctest.DocTestParser().get_doctest(
            walk.docstring_of(p.value), names, p.path, None, 0
        )
        if doctest.DocTestRunner(verbose=False, optionflags=FLAGS).run(test).failed:
            failed.append(p.path)
    assert failed == [], capsys.readouterr().out
