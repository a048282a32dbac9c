"""Code libraries that hold LLVM IR as text. They are neither linked nor run by llvmlite.

The text is printed by llvmlite's pure-Python `ir` only: the syntax that its bundled LLVM prints is
too new for hither's LLVM.
"""

from __future__ import annotations

import re

from .numba_adapter import Codegen, CodeLibrary, errors, ir, llvm_binding

# The layout agrees with x86-64, NVPTX and SPIR-V for every type that a kernel can use.
_LAYOUT = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
# The only attribute that llvmlite prints in the syntax of newer LLVM; both accept the older name.
_OLDER_NAME = ("captures(none)", "nocapture")
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_.$]")


class TextLibrary(CodeLibrary):
    """The IR modules of one function, and the libraries of the functions that it calls."""

    def __init__(self, codegen, name):
        super().__init__(codegen, name)
        self.modules = []
        self.linked = []

    def add_ir_module(self, module):
        self.modules.append(module)

    def add_linking_library(self, library):
        if library is not self and library not in self.linked:
            self.linked.append(library)

    def finalize(self):
        self._finalized = True

    def _raise_if_finalized(self):
        """Modules may be added at any time, because no machine code is generated from them."""

    def get_function(self, name):
        for module in self.modules:
            for function in module.functions:
                if function.name == name:
                    return function
        raise KeyError(name)

    def get_llvm_str(self):
        return "\n".join(self.texts())

    def get_asm_str(self):
        return ""

    def texts(self, seen: dict | None = None) -> list[str]:
        """One module each, callers before callees, without libraries that are in `seen`."""
        modules = reversed(self._callees_first({} if seen is None else seen))
        return [str(m).replace(*_OLDER_NAME) for m in modules]

    def _callees_first(self, seen):
        if id(self) in seen:
            return []
        seen[id(self)] = self
        modules = []
        for library in self.linked:
            modules += library._callees_first(seen)
        return modules + self.modules


class TextCodegen(Codegen):
    """Creates TextLibrary objects. It uses LLVM only for the sizes of types."""

    _library_class = TextLibrary

    def __init__(self):
        self._target_data = llvm_binding.create_target_data(_LAYOUT)

    def insert_unresolved_ref(self, builder, function_type, name):
        # Numba calls this where a function calls another one that is still being compiled.
        raise errors.UnsupportedError(
            "a device function cannot call itself, directly or through others: devices have no "
            "stack for it; write a loop"
        )

    def _create_empty_module(self, name):
        return ir.Module(_NOT_IN_A_NAME.sub("_", name))

    def _add_module(self, module):
        """Does nothing, because the module is not executed."""

    def magic_tuple(self):
        return ("hither", 1)
