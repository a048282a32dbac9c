"""inspect.signature() of every public function, method and class, as pip's users and editors call
it, also in the wheel for the stable ABI."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import types

import pytest

import hither as ht
import hither.numpy as hnp

MODULES = ["hither", "hither.numpy"] + [
    f"{package.__name__}.{found.name}"
    for package in (ht, hnp)
    for found in pkgutil.iter_modules(package.__path__)
    # In a wheel, shared libraries that are no modules lie in the package: libhither.so.
    if not found.name.startswith(("_", "libhither"))
    and found.name not in ("demo", "spirv_worker", "compat")
]


def public_names(module):
    names = getattr(module, "__all__", None) or vars(module)
    lazy = getattr(module, "_LAZY", {})
    return sorted({n for n in [*names, *lazy] if not n.startswith("_")})


def has_constructor(kind):
    """Whether the class, or a base class of hither, defines how its objects are made."""
    own = [v for c in kind.__mro__ for k, v in vars(c).items() if k in ("__init__", "__new__")]
    slots = (types.WrapperDescriptorType, types.BuiltinFunctionType)
    return not isinstance(own[0], slots)


def callables(module):
    """The public callables of a module and of its classes, with their names."""
    for name in public_names(module):
        value = getattr(module, name)
        if not callable(value) or not getattr(value, "__module__", "hither").startswith("hither"):
            continue
        if not isinstance(value, type):
            yield name, value
            continue
        if has_constructor(value):
            yield name, value
        for key in vars(value):
            member = getattr(value, key)
            if not key.startswith("_") and callable(member):
                yield f"{name}.{key}", member


@pytest.mark.parametrize("name", MODULES)
def test_every_callable_has_a_signature(name):
    module = importlib.import_module(name)
    lacking = []
    for label, function in callables(module):
        try:
            inspect.signature(function)
        except (TypeError, ValueError) as error:
            lacking.append((label, type(function).__name__, str(error)))
    assert lacking == []


def test_the_walk_finds_functions_of_every_kind():
    found = {label: f for m in MODULES for label, f in callables(importlib.import_module(m))}
    kinds = {type(f).__name__ for f in found.values()}
    assert {"nb_func", "nb_method", "builtin_function_or_method", "function", "ufunc",
            "DirectFunction", "DirectMethod"} <= kinds  # fmt: skip
    assert len(found) > 700


def test_signatures_say_what_the_functions_take():
    def text(function):
        plain = inspect.signature(function)
        parameters = [p.replace(annotation=p.empty) for p in plain.parameters.values()]
        return str(plain.replace(parameters=parameters, return_annotation=plain.empty))

    assert text(ht.sum) == "(x, axis=None, dtype=None, *, keepdims=False, queue=None)"
    assert text(ht.Array.sum) == "(x, axis=None, dtype=None, *, keepdims=False, queue=None)"
    assert text(ht.add) == "(x1, x2, /, *, queue=None)"
    assert text(ht.Queue).startswith("(target=None, device=Ellipsis, *, in_order=None")
    assert text(ht.Queue.wait) == "(self)" and text(ht.Queue("cpu").wait) == "()"
    assert text(ht.Event().wait) == "()"
    assert text(ht.NdRange) == "(global_size, local_size)"
    assert text(ht.LocalAccessor) == "(shape, dtype)"
    assert text(hnp.nditer).startswith("(op, flags=None, op_flags=None, ")
    assert text(ht.reduction) == "(*, identity)"
    assert text(hnp.zeros) == (
        "(shape, dtype=None, order='C', *, device=None, like=None, queue=None, usm_type=None)"
    )
    assert next(iter(inspect.signature(ht.ones(2).sum).parameters)) == "axis"


def test_overloads_have_the_first_signature():
    assert "self" not in inspect.signature(ht.NdRange).parameters
