"""Public functions, classes and methods have docstrings in NumPy's form, whose examples run."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
from collections import Counter
from pathlib import Path

import numpy
import pytest

import hither as ht
import hither.numpy
from hither._documentation import complete

EXAMPLES = Path(ht.__file__).parent / "_documentation" / "examples"
TOOLS = Path(__file__).parents[2] / "tools"
# Modules without names of hither's own: packages, NumPy's modules, and programs.
WITHOUT_NAMES = {
    "hither.demo", "hither.numpy.dtypes", "hither.numpy.exceptions", "hither.numpy.lib",
    "hither.numpy.polynomial", "hither.numpy.testing", "hither.numpy.typing",
    "hither.numpy.version", "hither.scipy", "hither.spirv_worker",
}  # fmt: skip
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


def modules_of(package):
    """The names of the public modules of a package."""
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if not re.search(r"\.(_|libhither)", found.name):
            yield found.name
            # The modules of hither.compat have the names of other packages.
            if found.ispkg and found.name not in ("hither.compat", "hither.demo"):
                yield from modules_of(importlib.import_module(found.name))


@pytest.mark.either_mode
def test_the_walk_finds_every_module(walk):
    assert sorted(set(modules_of(ht)) - WITHOUT_NAMES - set(walk.MODULES)) == []


@pytest.mark.either_mode
def test_docstrings_have_every_section(walk, public):
    missing = {p.path: parts for p in public if (parts := walk.missing_parts(p))}
    assert missing == {}


@pytest.mark.either_mode
def test_sections_are_in_the_order_of_numpys_form(walk, public):
    found = {p.path: walk.sections_of(walk.docstring_of(p.value)) for p in public}
    order = {p: sorted(set(s), key=walk.SECTIONS.index) for p, s in found.items()}
    assert {p: s for p, s in found.items() if s != order[p]} == {}


@pytest.mark.either_mode
def test_every_public_object_says_what_it_does(walk, public):
    assert [p.path for p in public if not walk.docstring_of(p.value)] == []


@pytest.mark.either_mode
def test_every_property_says_what_it_is(walk, public):
    classes = [p for p in public if isinstance(p.value, type)]
    found = [p for c in classes for p in walk.properties_of(c)]
    assert len(found) > 100 and [p.path for p in found if not walk.docstring_of(p.value)] == []


@pytest.mark.either_mode
def test_sections_of_parameters_name_the_parameters(walk, public):
    wrong = {}
    for p in public:
        documented = walk.documented_parameters(walk.docstring_of(p.value))
        names = walk.parameters_of(p.value) if documented else []
        if sorted(names) != sorted(documented):
            wrong[p.path] = sorted({*names} ^ {*documented})
    assert wrong == {}


@pytest.mark.either_mode
def test_parameters_are_called_optional_if_they_are(walk, public):
    wrong = []
    for p in public:
        documented = dict(re.findall(r"^(\w+) : (.*)$", walk.docstring_of(p.value), re.M))
        for name in walk.parameters_of(p.value) if documented else ():
            parameter = inspect.signature(p.value).parameters[name]
            kind = documented.get(name, "")
            required = parameter.default is parameter.empty
            if (required and kind.endswith("optional")) or (
                parameter.default is None and kind and not re.search("optional|None", kind)
            ):
                wrong.append(f"{p.path}: {name} : {kind}")
    assert wrong == []


@pytest.mark.either_mode
def test_no_parameter_is_described_twice():
    rows = (EXAMPLES.parent / "parameters.txt").read_text().splitlines()
    counts = Counter(row.partition(": ")[0] for row in rows)
    assert [name for name, count in counts.items() if count > 1] == []


@pytest.mark.either_mode
@pytest.mark.parametrize(
    ("file", "section"), [("raises.txt", "Raises"), ("returns.txt", "Returns")]
)
def test_rows_of_the_tables_are_in_docstrings(file, section, walk):
    lost = []
    for row in (EXAMPLES.parent / file).read_text().splitlines():
        key, _, text = row.partition(": ")
        module, _, names = key.partition(":")
        for name in names.split(","):
            if name.startswith("*"):  # a parameter, which test_docstring_errors.py looks at
                continue
            value = walk.module_of("hither" if module == "package" else f"hither.{module}")
            for part in name.split("."):
                value = getattr(value, part)
            docstring = walk.docstring_of(value)
            if section not in docstring or text.partition(" | ")[2] not in docstring:
                lost.append(f"{module}:{name}")
    assert lost == []


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
    "hither.numpy.linalg hither.numpy.fft hither.numpy.random hither.numpy.emath "
    "hither.numpy.lib.stride_tricks hither.dask hither.dparray "
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


def results_of_examples(p, walk):
    """The results of the calls of a function in its own examples."""
    results, owner, function = [], walk.module_of(p.module), p.value

    def recorded(*args, **keywords):
        results.append(function(*args, **keywords))
        return results[-1]

    if isinstance(owner, type):
        owner = next(base for base in owner.__mro__ if p.name in vars(base))
    names = {"ht": ht, "np": hither.numpy if p.module.startswith("hither.numpy") else numpy}
    test = doctest.DocTestParser().get_doctest(walk.docstring_of(p.value), names, p.path, None, 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, p.name, recorded)
        # test_examples_run looks at what they print.
        doctest.DocTestRunner(verbose=False, optionflags=FLAGS).run(test, out=lambda text: None)
    return results


@pytest.mark.either_mode
def test_results_are_of_the_type_that_the_docstring_names(walk, public, cpu_by_default):
    wrong, seen = {}, 0
    for p in public:
        # Functions of kernels have no results outside of kernels.
        if isinstance(p.value, type) or p.value.__module__.startswith("hither._kernel"):
            continue
        returns = re.search(r"^Returns\n-+\n(.*)", walk.docstring_of(p.value), re.M)
        named = returns[1] if returns else "None"
        for result in results_of_examples(p, walk):
            seen += 1
            right = isinstance(result, ht.Array) if named == "Array" else True
            if not right or (result is None and "None" not in named):
                wrong[p.path] = f"{named}, not {type(result).__name__}"
    assert seen > 700 and wrong == {}
