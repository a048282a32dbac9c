"""Writes the pages of the reference from signatures and docstrings.

Autodoc cannot describe most of hither: functions of the extension, instances that are called, names
that are imported at their first use. These pages contain the directives that autodoc would make.
"""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

import api_walk
from sphinx.ext.napoleon import Config, NumpyDocstring

import hither as ht
from hither import _call_errors

_NAPOLEON = Config(napoleon_use_rtype=False, napoleon_use_param=False)
_COMMANDS = (
    "hither --help", "hither info --help", "hither doctor --help", "hither cache --help",
    "hither profile --help", "hither demo --help", "hither.compat --help",
)  # fmt: skip

_LITERAL = re.compile(r"(`[^`]+`+|`+[^`]+`+)")
_MARKUP = re.compile(r"\||\*+(?=\w)|(?<=\w)_(?!\w)")


class Page(NamedTuple):
    """A page of the reference: its file, title and first sentence, and the names of a module."""

    file: str
    title: str
    text: str
    module: str
    names: tuple[str, ...]


# (title, first sentence, names) of the package's names that no module of arrays lists.
_PACKAGE = (
    ("Devices, queues and memory", "They have SYCL's terms.",
     "Device devices absent_backends Context Queue default_queue Event device_context OpenContext "
     "get_context current_queue QueueManager shared_queues Memory MemoryUSMDevice MemoryUSMShared "
     "MemoryUSMHost PointerInfo pointer_info memory_info release_cached set_memory_limit "
     "trim_pools"),
    ("Arrays: the class", "There is one class of arrays.", "Array"),
    ("Sharded arrays", "They are divided among the queues of a mesh.",
     "Mesh ShardedArray shard gather"),
    ("Evaluation and measurement", "Array operations are lazy.",
     "evaluate synchronize stream blocks explain kernel_history clear_kernel_history KernelRecord "
     "host_fallback benchmark profile Profile ProfileEvent counters"),
    ("Launching kernels", "Kernels are Python functions, or come from C++.",
     "kernel device_func vectorize launch load_module Range NdRange LocalAccessor"),
    ("In kernels", "These functions and classes have a meaning only in kernels.",
     "get_global_id get_global_linear_id get_global_size get_local_id get_local_linear_id "
     "get_local_size get_group get_group_id get_group_linear_id get_num_groups get_sub_group "
     "get_sub_group_id get_sub_group_local_id get_sub_group_size get_num_sub_groups Item NdItem "
     "Group SubGroup barrier mem_fence group_barrier atomic_fence group_reduce "
     "group_inclusive_scan group_exclusive_scan group_broadcast group_any_of group_all_of "
     "group_none_of shuffle shuffle_up shuffle_down shuffle_xor AtomicRef MemFence MemoryOrder "
     "MemoryScope AddressSpace"),
    ("Exchange with other software", "Memory is shared where it can be.",
     "asnumpy UsmView usm_array_interface usm_array_like get_usm_type get_usm_device get_include "
     "get_cmake_dir get_pkgconfig_dir blas_name set_blas_library set_spirv_emitter "
     "offload_to_sycl_device offload_report check_array_api_version"),
)  # fmt: skip
_ARRAYS = (
    ("creation", "Creation"), ("elementwise", "Element-wise functions"),
    ("reductions", "Reductions, scans and searches"), ("manipulation", "Shapes and joining"),
    ("products", "Products"), ("sorting", "Sorting"), ("sets", "Sets"),
    ("quantiles", "Order statistics"), ("dtypes", "Data types"),
)  # fmt: skip


def _pages() -> list[Page]:
    listed = api_walk.names_of(ht)
    found, seen = [], set()
    for title, text, words in _PACKAGE:
        names = [n for n in words.split() if hasattr(ht, n)]
        found.append(_page("hither", title, text, names))
        seen |= set(names)
    for module, title in _ARRAYS:
        names = [n for n in getattr(ht._array, module).__all__ if not n.startswith("_")]
        names = [n for n in names if callable(getattr(ht, n)) and n not in seen]
        found.append(_page("hither", title, "The names are the Array API standard's.", names))
        seen |= set(names)
    errors = [n for n in listed if _is_error(getattr(ht, n)) and n not in seen]
    found.append(_page("hither", "Errors and warnings", "Every error is a `hither.Error`.", errors))
    rest = [n for n in listed if n not in seen and n not in errors]
    rest = [p.name for p in api_walk.public_names(("hither",)) if p.name in rest]
    if rest:
        found.append(_page("hither", "Other names", "", rest))
    for module in api_walk.MODULES[1:]:
        if module == "hither.numpy":
            found += _pages_of_numpy()
        elif module not in ("hither.errors", "hither.dparray"):
            found.append(_module_page(module))
    return found


def _is_error(value: Any) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


def _page(module: str, title: str, text: str, names: Iterable[str]) -> Page:
    words = f"{module} {title}".lower().replace(":", "").replace(",", "").replace("-", "_")
    return Page("_".join(words.replace(".", "_").split()), title, text, module, tuple(names))


def _module_page(module: str) -> Page:
    names = sorted(p.name for p in api_walk.public_names((module,)))
    value = api_walk.module_of(module)
    text = inspect.getdoc(value) or "" if inspect.ismodule(value) else inspect.getdoc(type(value))
    return Page(module.replace(".", "_"), module, text or "", module, tuple(names))


def _pages_of_numpy() -> list[Page]:
    module = api_walk.module_of("hither.numpy")
    public = {p.name for p in api_walk.public_names(("hither.numpy",))}
    pages = []
    for part in module._MODULES:
        title = part.__name__.rpartition("._")[2].replace("_", " ").capitalize()
        text = (inspect.getdoc(part) or "").partition("\n\n")[0]
        names = sorted(n for n in part.__all__ if n in public)
        pages.append(_page("hither.numpy", title, text, names))
    return pages


def _indented(text: str, columns: int = 3) -> str:
    return textwrap.indent(text, " " * columns)


def _escaped(text: str) -> str:
    """Text whose bars, stars and last underscores are no markup; examples stay as they are."""
    parts = text.split("\n\n")
    prose = [i for i, part in enumerate(parts) if ">>>" not in part]
    for i in prose:
        pieces = _LITERAL.split(parts[i])
        pieces[::2] = [_MARKUP.sub(r"\\\g<0>", piece) for piece in pieces[::2]]
        parts[i] = "".join(pieces)
    return "\n\n".join(parts)


def _body(value: Any) -> str:
    return str(NumpyDocstring(_escaped(api_walk.docstring_of(value)), _NAPOLEON)).strip()


def _call_of(value: Any) -> str:
    """The parameters and their defaults; their types are in the text."""
    signature = api_walk.signature_of(value)
    if not signature:
        return "(...)"
    name, parameters = _call_errors._parse(f"f{signature}")
    return _call_errors._shown_call(name, parameters)[1:]


def _function(path: str, value: Any, kind: str = "function") -> str:
    signature = _call_of(value)
    return f".. py:{kind}:: {path}{signature}\n\n{_indented(_body(value))}\n"


def _class(path: str, value: type) -> str:
    if _is_error(value):
        bases = ", ".join(b.__name__ for b in value.__bases__)
        return f".. py:exception:: {path}\n\n   Bases: {bases}.\n\n{_indented(_body(value))}\n"
    signature = _call_of(value) if api_walk.signature_of(value) else ""
    parts = [f".. py:class:: {path}{signature}\n", _indented(_body(value)), ""]
    members = api_walk.Public("", "", value)
    for name, member in api_walk.members_of(value):
        if isinstance(member, Enum):
            parts += [_indented(f".. py:attribute:: {name}\n")]
        elif isinstance(member, property) or type(member).__name__ == "getset_descriptor":
            parts += [_indented(f".. py:property:: {name}\n\n{_indented(_body(member))}\n")]
    for method in api_walk.methods_of(members):
        parts += [_indented(_function(method.name, method.value, "method"))]
    return "\n".join(parts)


def _entry(page: Page, name: str) -> str:
    value = getattr(api_walk.module_of(page.module), name)
    path = f"{page.module}.{name}"
    if isinstance(value, type):
        return _class(path, value)
    return _function(path, value) if callable(value) else f".. py:data:: {path}\n"


def _heading(title: str) -> str:
    return f"{title}\n{'=' * len(title)}\n"


def _text_of(page: Page) -> str:
    title = page.title if page.title.startswith("hither") else f"{page.module}: {page.title}"
    parts = [_heading(title), str(NumpyDocstring(_escaped(page.text), _NAPOLEON)), ""]
    return "\n".join(parts + [_entry(page, name) for name in page.names])


def _commands() -> str:
    parts = [_heading("Commands"), "What each command prints for ``--help``.\n"]
    for command in _COMMANDS:
        module, *words = command.split()
        done = subprocess.run(
            [sys.executable, "-m", module, *words], capture_output=True, text=True, timeout=60
        )
        shown = command if module == "hither" else f"python -m {command}"
        parts += [f".. code-block:: console\n\n   $ {shown}\n{_indented(done.stdout)}"]
    return "\n".join(parts)


def write(folder: Path) -> None:
    """Writes the pages and their index into the folder, which holds nothing else."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = [page for page in _pages() if page.names]
    texts = {page.file: _text_of(page) for page in pages}
    texts["commands"] = _commands()
    index = [_heading("Functions and classes"), ".. toctree::", "   :maxdepth: 1", ""]
    index += [f"   {page.file}" for page in pages]
    texts["index"] = "\n".join(index) + "\n"
    for old in folder.glob("*.rst"):
        if old.stem not in texts:
            old.unlink()
    for name, text in texts.items():
        file = folder / f"{name}.rst"
        if not file.exists() or file.read_text() != text:  # Sphinx reads changed files again
            file.write_text(text)
