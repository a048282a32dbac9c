"""The form of a region for few iterations: the functions of its kernel, for the host's code.

Host code runs a small region in the calling function, without a launch. The functions are those of
the kernel, and every operation in them has one exact result, so both forms give the same bits,
except the sign of a NaN. A body that contains anything else has no small form: mathematical
functions, loops, exceptions, atomic operations, and conversions of floats to integers, which are
not defined for large values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .._kernel.numba.entry import is_optional_array
from .._kernel.numba.front_end import with_stable_names
from .array_type import HitherArray
from .numba_adapter import llvm_binding, types
from .schedule import FEWEST_GROUPS
from .target import host_target

# A region is small if its iterations, times the operations of one, are at most this many. An
# operation is an instruction of the optimised body.
MOST_OPERATIONS = 4096
# The most items in a group of a reduction. Host code has a loop for each length of a group.
LONGEST_GROUP = 4
_MOST_TEXT = 1 << 18
_INEXACT = frozenset("fptosi fptoui frem atomicrmw cmpxchg fence invoke indirectbr".split())
_EXACT_CALLS = re.compile(
    r"llvm\.(sqrt|fabs|floor|ceil|trunc|rint|nearbyint|copysign|fma|abs|smin|smax|umin|umax|ctpop"
    r"|ctlz|cttz|bswap|bitreverse|fshl|fshr|mem(set|cpy|move)|assume|lifetime"
    r"|[su](add|sub|mul)\.with|experimental\.noalias)\b"
)
_FREE = frozenset("ret br phi bitcast getelementptr extractvalue insertvalue unreachable".split())
_SQUARE_ROOTS = {'@"sqrt"': '@"llvm.sqrt.f64"', '@"sqrtf"': '@"llvm.sqrt.f32"'}
_DEFINITION = re.compile(r"^define .*$", re.MULTILINE)
# Types whose operations compilers round differently, and memory that the host lacks.
_REFUSED = re.compile(r"\b(half|bfloat|x86_fp80|fp128)\b|addrspace\((?!1\b|4\b)")


@dataclass(frozen=True)
class SmallForm:
    """What host code needs to run a region of at most `most_items` iterations itself."""

    module: str  # LLVM IR
    body: str  # the names of functions in the module
    combines: list[str]
    compiled: object  # the body's description
    reductions: list
    lowest: dict
    written: frozenset[str]  # the names of arguments
    most_items: int


def small_form(body, reductions, lowest, given, written, prefix) -> SmallForm | None:
    """The small form of a region whose body is compiled; None if there is none. `prefix` is a name
    that identifies the functions in all programs."""
    if not all(_is_simple(t) for t in given) or any(r.is_array for r in reductions):
        return None
    seen: dict = {}
    texts = body.library.texts(seen)
    for reduction in reductions:
        texts += reduction.combine.library.texts(seen)
    if sum(map(len, texts)) > _MOST_TEXT:
        return None
    compiled = [body, *(r.combine for r in reductions)]
    wanted = [c.fndesc.llvm_func_name for c in compiled]
    header = "; " + " ".join(f'@"{name}"' for name in wanted)
    header, *texts = with_stable_names([header, *texts], "", prefix)
    roots = re.findall(r'@"([^"]+)"', header)
    module = _optimised([_without_promise(text) for text in texts], roots)
    operations = sum(_operations(module.get_function(name)) for name in set(roots))
    if operations > MOST_OPERATIONS or _REFUSED.search(str(module)):
        return None
    most = int(MOST_OPERATIONS // operations)
    if reductions:
        # Positions restart the partial results of a group in each row; see schedule.GroupWriter.
        most = min(most, FEWEST_GROUPS * (LONGEST_GROUP if len(lowest) == 1 else 1))
    return SmallForm(str(module), roots[0], roots[1:], body, reductions, lowest, written, most)


def _is_simple(argument) -> bool:
    """Whether host code can compare where the argument's arrays are with other arrays."""
    if isinstance(argument, types.BaseTuple):
        return all(_is_simple(t) and not isinstance(t, types.Array) for t in argument)
    return not is_optional_array(argument)


def on_host(numba_type) -> bool:
    """Whether host code may access a value of the program: it is in no memory of a device."""
    if isinstance(numba_type, types.Optional):
        return on_host(numba_type.type)
    if isinstance(numba_type, types.BaseTuple):
        return all(map(on_host, numba_type))
    return not isinstance(numba_type, HitherArray) or numba_type.host


def _without_promise(text: str) -> str:
    """The text for arrays that may overlap, with square roots as instructions."""
    for name, instruction in _SQUARE_ROOTS.items():
        text = text.replace(name, instruction)
    return _DEFINITION.sub(lambda line: line[0].replace(" noalias", ""), text)


def _optimised(texts, roots):
    """One module with these functions and what is left of the functions that they call."""
    codegen = host_target.target_context.codegen()
    module = llvm_binding.parse_assembly(str(codegen._create_empty_module("small")))
    for text in texts:
        part = llvm_binding.parse_assembly(text)
        part.triple, part.data_layout = module.triple, module.data_layout
        module.link_in(part)
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in roots else "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    passes, builder = codegen._module_pass_manager(loop_vectorize=False, slp_vectorize=False, opt=2)
    passes.run(module, builder)
    for name in roots:
        module.get_function(name).linkage = "linkonce_odr"
    return module


def _operations(function) -> float:
    """The number of operations of a function without loops. It is infinite if the function has
    loops, or operations whose result depends on the compiler."""
    count = 0.0
    for block in function.blocks:
        for instruction in block.instructions:
            code = instruction.opcode
            if code in _INEXACT or (code == "call" and not _is_exact_call(instruction)):
                return float("inf")
            count += code not in _FREE
    return count + 1 if _has_no_loop(function) else float("inf")


def _is_exact_call(call) -> bool:
    *_, callee = call.operands
    return bool(_EXACT_CALLS.match(callee.name))


def _has_no_loop(function) -> bool:
    """Whether no block reaches itself."""
    following = {}
    for block in function.blocks:
        *_, last = block.instructions
        following[block] = [o for o in last.operands if o.value_kind.name == "basic_block"]
    while ends := [b for b, after in following.items() if not set(after) & following.keys()]:
        for block in ends:
            del following[block]
    return not following
