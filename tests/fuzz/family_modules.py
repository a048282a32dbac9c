"""Kernels in LLVM IR text with random changes.

hither compiles a changed text or refuses it with an exception; the process never ends. A text
without changes gives the right results.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

import hither as ht

from .difference import Difference

Program = dict[str, Any]

DECLARATIONS = """declare i64 @hither.global_id(i32)
declare i64 @hither.global_size(i32)
declare i64 @hither.local_id(i32)
declare i64 @hither.local_size(i32)
declare i64 @hither.group_id(i32)
declare i32 @hither.sub_group_size()
declare void @hither.barrier(i32)
declare void @hither.raise(i32, i32)
declare double @hither.math.sin.f64(double)
declare double @llvm.fma.f64(double, double, double)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""

SCALE = """define void @k(ptr %x, ptr %y, i64 %n, double %a) section "hither.kernel" {
entry:
  %i = call i64 @hither.global_id(i32 0)
  %inside = icmp slt i64 %i, %n
  br i1 %inside, label %work, label %end
work:
  %at = getelementptr double, ptr %x, i64 %i
  %value = load double, ptr %at, align 8
  %scaled = fmul double %value, %a
  %to = getelementptr double, ptr %y, i64 %i
  store double %scaled, ptr %to, align 8
  br label %end
end:
  ret void
}
"""
LOOP = """define internal double @twice(double %v) {
  %r = fadd double %v, %v
  ret double %r
}
define void @k(ptr %x, ptr %y, i64 %n, double %a) section "hither.kernel" {
entry:
  %part = alloca [4 x double], align 8
  %i = call i64 @hither.global_id(i32 0)
  call void @llvm.memset.p0.i64(ptr %part, i8 0, i64 32, i1 false)
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  %slot = getelementptr [4 x double], ptr %part, i64 0, i64 %j
  store double %a, ptr %slot, align 8
  %old = load double, ptr %slot, align 8
  %more = fadd double %sum, %old
  %next = add nuw nsw i64 %j, 1
  %done = icmp eq i64 %next, 4
  br i1 %done, label %end, label %loop
end:
  %at = getelementptr double, ptr %x, i64 %i
  %value = load double, ptr %at, align 8
  %quarter = fmul double %more, 0.125
  %double = call double @twice(double %quarter)
  %result = fmul double %value, %double
  %to = getelementptr double, ptr %y, i64 %i
  store double %result, ptr %to, align 8
  ret void
}
"""
GROUP = """@shared = internal addrspace(3) global [64 x double] undef, align 8
@table = internal constant [2 x double] [double 1.0, double 1.0], align 8
define void @k(ptr %x, ptr %y, i64 %n, double %a) section "hither.kernel" {
entry:
  %i = call i64 @hither.global_id(i32 0)
  %l = call i64 @hither.local_id(i32 0)
  %in = getelementptr double, ptr %x, i64 %i
  %value = load double, ptr %in, align 8
  %cell = getelementptr [64 x double], ptr addrspace(3) @shared, i64 0, i64 %l
  store double %value, ptr addrspace(3) %cell, align 8
  call void @hither.barrier(i32 1)
  %back = load double, ptr addrspace(3) %cell, align 8
  %odd = and i64 %i, 1
  %entry.at = getelementptr [2 x double], ptr @table, i64 0, i64 %odd
  %one = load double, ptr %entry.at, align 8
  %product = fmul double %back, %one
  %result = fmul double %product, %a
  %to = getelementptr double, ptr %y, i64 %i
  store double %result, ptr %to, align 8
  %negative = icmp slt i64 %i, 0
  br i1 %negative, label %bad, label %good
bad:
  call void @hither.raise(i32 1, i32 0)
  ret void
good:
  ret void
}
"""
KERNELS = {"scale": SCALE, "loop": LOOP, "group": GROUP}

TYPES = ["i1", "i8", "i16", "i32", "i64", "i128", "i7", "i8388607", "half", "float", "double",
         "bfloat", "x86_fp80", "fp128", "ptr", "ptr addrspace(1)", "ptr addrspace(3)", "token",
         "ptr addrspace(5)", "<4 x double>", "<vscale x 2 x i64>", "{ i64, double }", "[0 x i8]",
         "[9223372036854775807 x i8]", "void", "metadata", "label", "x86_amx",
         "%nothing"]  # fmt: skip
OPERATIONS = ["fadd", "fmul", "fdiv", "frem", "add nuw", "sub", "mul", "udiv", "sdiv", "urem",
              "shl", "lshr", "ashr", "and", "xor", "icmp ne", "fcmp uno", "nothing"]  # fmt: skip
VALUES = ["undef", "poison", "null", "zeroinitializer", "0", "-1", "1.0", "0x7FF8000000000000",
          "%i", "%value", "%at", "%x", "%n", "%a", "@k", "@shared", "%nothing", "true", "%entry",
          "9223372036854775808", "blockaddress(@k, %end)",
          "ptrtoint (ptr @k to i64)"]  # fmt: skip
LINES = [
    "  unreachable",
    "  ret i64 0",
    "  ret void",
    "  br label %work",
    "  br label %entry",
    "  br label %loop",
    "  fence seq_cst",
    "  call void @nothing()",
    "  call void %x()",
    '  call void asm sideeffect "int3", ""()',
    "  call void @k(ptr %x, ptr %y, i64 %n, double %a)",
    "  %new = alloca i8, i64 %n",
    "  %new = alloca [100000000 x double]",
    "  %new = alloca [9223372036854775807 x double]",
    "  %new = freeze i64 %i",
    "  %new = atomicrmw add ptr %x, i64 1 seq_cst",
    "  %new = atomicrmw fadd ptr %x, double 1.0 seq_cst",
    "  %new = atomicrmw nand ptr %x, i128 1 seq_cst, align 16",
    "  %new = cmpxchg ptr %x, i64 0, i64 1 seq_cst seq_cst",
    "  %new = cmpxchg weak ptr %x, ptr %x, ptr %y acq_rel monotonic",
    "  %new = va_arg ptr %x, i32",
    "  %new = load atomic i64, ptr %x seq_cst, align 8",
    "  store volatile i64 0, ptr %x",
    "  store i64 %n, ptr addrspace(4) null",
    "  %new = addrspacecast ptr %x to ptr addrspace(3)",
    "  %new = inttoptr i64 %n to ptr",
    "  %new = ptrtoint ptr %x to i8",
    "  %new = bitcast double %a to i64",
    "  %new = bitcast double %a to <64 x i1>",
    "  %new = fptosi double %a to i128",
    "  %new = fpext double %a to fp128",
    "  %new = udiv i128 %big, 7",
    "  %new = call double @hither.math.sin.f64(double %a)",
    "  %new = call double @llvm.fma.f64(double %a, double %a, double %a)",
    "  %new = call double @llvm.powi.f64.i32(double %a, i32 3)",
    "  %new = call ptr @llvm.stacksave.p0()",
    "  call void @llvm.trap()",
    "  call void @llvm.assume(i1 false)",
    "  call void @llvm.debugtrap()",
    "  %new = call i64 @llvm.vscale.i64()",
    "  call void @llvm.memset.p0.i64(ptr %x, i8 1, i64 %n, i1 true)",
    "  %new = call ptr @llvm.returnaddress(i32 0)",
    "  %new = call i32 @llvm.eh.typeid.for(ptr null)",
    "  %new = call double @llvm.vector.reduce.fadd.v4f64(double 0.0, <4 x double> zeroinitializer)",
    "  %new = call <4 x double> @llvm.masked.load.v4f64.p0(ptr %x, i32 8, <4 x i1> "
    "zeroinitializer, <4 x double> undef)",
    "  call void @hither.barrier(i32 1)",
    "  call void @hither.barrier(i32 77)",
    "  call void @hither.raise(i32 -1, i32 9)",
    "  %new = call i32 @hither.sub_group_size()",
    "  %new = call i64 @hither.global_id(i32 3)",
    "  %new = call i64 @hither.global_id(i32 %odd32)",
    "  switch i64 %i, label %end [ i64 0, label %end i64 1, label %work ]",
    "  indirectbr ptr %x, [label %end]",
    "  %new = select i1 undef, ptr %x, ptr addrspace(0) %y",
    "  %new = extractelement <4 x i64> undef, i64 %i",
    "  %new = insertvalue { i64, double } undef, i64 %i, 0",
    "  %new = shufflevector <2 x i64> undef, <2 x i64> undef, <3 x i32> undef",
    "  resume { ptr, i32 } undef",
    "  %new = landingpad { ptr, i32 } cleanup",
    "  invoke void @k(ptr %x, ptr %y, i64 %n, double %a) to label %end unwind label %end",
    "dead:",
    "end:",
    "  %new = getelementptr i8, ptr %x, i128 99999999999999999999",
    "  %new = phi i64 [ 0, %entry ], [ %new, %loop ]",
]
TOPS = [
    "@mutable = global i64 0",
    "@outside = external global i64",
    "@thread = thread_local global i64 0",
    "@alias = alias void (), ptr @k",
    "@ifunc = ifunc void (), ptr @k",
    'module asm "int3"',
    "@llvm.used = appending global [1 x ptr] [ptr @k]",
    "@huge = constant [4000000000 x i8] zeroinitializer",
    "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr "
    "} { i32 1, ptr @k, ptr null }]",
    'target triple = "nowhere-none-none"',
    'target datalayout = "e-p:16:16"',
    "define void @k() { ret void }",
    'define void @other() section "hither.kernel" { ret void }',
    'define i64 @worse() section "hither.kernel" { ret i64 0 }',
    'define void @varied(...) section "hither.kernel" { ret void }',
    "%nothing = type opaque",
    "$k = comdat any",
    '!llvm.module.flags = !{!0}\n!0 = !{i32 1, !"Debug Info Version", i32 3}',
    "!llvm.dbg.cu = !{!9}\n!9 = !{}",
    "@local = internal addrspace(3) global [100000000 x i8] undef",
    "@self = constant ptr @self",
    "attributes #0 = { naked noinline optnone }",
    "define internal void @again() { call void @again() ret void }",
]
ATTRIBUTES = ["naked", "noreturn", "optnone noinline", "alwaysinline", "convergent", 'gc "none"',
              "personality ptr @k", "prologue i32 0", '"target-features"="+nothing"', "strictfp",
              '"target-cpu"="nothing"', "presplitcoroutine", "sanitize_address", "returns_twice",
              '"stack-probe-size"="x"', "ssp", "comdat", "align 4294967296"]  # fmt: skip
# Tokens of the kernels in groups: text in which one replaces another of its group often parses.
ALIKE = [
    ["%value", "%scaled", "%result", "%product", "%more", "%old", "%quarter", "%double", "%back",
     "%one", "%a", "0.0", "-1.0", "0x7FF0000000000000", "undef", "poison"],
    ["%i", "%n", "%l", "%j", "%next", "%odd", "0", "-1", "4", "9223372036854775807", "poison"],
    ["%x", "%y", "%at", "%to", "%in", "%slot", "%part", "@table", "null", "poison", "@k"],
    ["%inside", "%done", "%negative", "true", "false", "undef"],
    ["label %work", "label %end", "label %loop", "label %good", "label %bad"],
    ["fadd", "fmul", "fdiv", "frem", "fsub", "fadd fast", "fmul contract"],
    ["add nuw nsw", "and", "sub", "mul", "udiv", "sdiv", "srem", "shl", "lshr exact", "ashr"],
    ["icmp slt", "icmp eq", "icmp ugt", "icmp ne"],
    ["i32 0)", "i32 1)", "i32 2)", "i32 3)", "i32 -1)", "i32 undef)"],
    ["align 8", "align 1", "align 4294967296", "align 64", "!nontemporal !0"],
]  # fmt: skip
FLOATS = ["float", "half", "<2 x double>", "bfloat", "x86_fp80", "fp128"]
CHANGES = ("drop", "double", "swap", "type", "operation", "value", "line", "top", "attribute",
           "bytes", "cut", "name", "alike", "alike", "alike", "alike", "floats")  # fmt: skip
FEATURES = frozenset({*KERNELS, *CHANGES})


def make(rng: random.Random, device: str) -> Program:
    name = rng.choice(tuple(KERNELS))
    changes = [
        [rng.choice(CHANGES), rng.randrange(2**31)] for _ in range(rng.choice([0, 1, 1, 1, 2, 3]))
    ]
    return {"kernel": name, "changes": changes}


def shrink(program: Program) -> Iterator[Program]:
    for i in range(len(program["changes"])):
        yield program | {"changes": program["changes"][:i] + program["changes"][i + 1 :]}


def features(program: Program) -> Iterable[str]:
    yield program["kernel"]
    for change, _ in program["changes"]:
        yield change


def _replaced(rng: random.Random, text: str, pattern: str, choices: list[str]) -> str:
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    at = rng.choice(found)
    return text[: at.start()] + rng.choice(choices) + text[at.end() :]


def _alike(rng: random.Random, text: str) -> str:
    group = rng.choice(ALIKE)
    pattern = "|".join(re.escape(name) + r"(?![\w.])" for name in group if name in text)
    begin = text.find("define")
    if not pattern or begin < 0:
        return text
    return text[:begin] + _replaced(rng, text[begin:], rf"(?<!= )(?:{pattern})(?! =)", group)


def _changed_lines(rng: random.Random, change: str, text: str) -> str:
    lines = text.split("\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    if change == "drop":
        del lines[i]
    elif change == "double":
        lines.insert(j, lines[i])
    elif change == "swap":
        lines[i], lines[j] = lines[j], lines[i]
    else:
        inside = [n for n, line in enumerate(lines) if line.startswith("  ") and "phi" not in line]
        lines.insert(rng.choice(inside or [i]), rng.choice(LINES))
    return "\n".join(lines)


def _changed(change: str, seed: int, text: str) -> str:
    rng = random.Random(seed)
    if change in ("drop", "double", "swap", "line"):
        return _changed_lines(rng, change, text)
    if change == "type":
        return _replaced(rng, text, r"\b(double|i64|i32|i1|ptr)\b", TYPES)
    if change == "operation":
        return _replaced(rng, text, r"\b(fadd|fmul|add nuw nsw|and|icmp \w+)\b", OPERATIONS)
    if change == "value":
        return _replaced(rng, text, r"%[\w.]+|\b\d+(\.\d+)?\b", VALUES)
    if change == "alike":
        return _alike(rng, text)
    if change == "floats":
        return re.sub(r"\bdouble\b(?!\()", rng.choice(FLOATS), text)
    if change == "name":
        others = ["@k", "@hither.global_id", "@llvm.x", "%k"]
        return _replaced(rng, text, r"@[\w.]+|%[\w.]+", others)
    if change == "top":
        return rng.choice([f"{rng.choice(TOPS)}\n{text}", f"{text}\n{rng.choice(TOPS)}\n"])
    if change == "attribute":
        return text.replace(') section "hither.kernel"',
                            f') {rng.choice(ATTRIBUTES)} section "hither.kernel"', 1)  # fmt: skip
    if change == "cut":
        return text[: rng.randrange(len(text))]
    letters = list(text)
    for _ in range(rng.choice([1, 1, 4])):
        letters[rng.randrange(len(letters))] = chr(rng.randrange(1, 127))
    return "".join(letters)


def source(program: Program) -> str:
    """The text that hither gets."""
    text = DECLARATIONS + KERNELS[program["kernel"]]
    for change, seed in program["changes"]:
        text = _changed(change, seed, text)
    return text


REFUSALS = (ht.CompileError, TypeError, ValueError, ht.UnsupportedError, MemoryError)


def run(program: Program, device: str) -> None:
    queue = ht.Queue(device)
    group = (
        program["kernel"] == "group" or "hither.barrier(" in source(program)[len(DECLARATIONS) :]
    )
    whole = not program["changes"]
    n = 64 if whole else 0  # a changed kernel may write anywhere, so it gets no elements
    local = 16
    x = ht.asarray(np.arange(1.0, n + 1), queue=queue)
    y = ht.zeros(n, queue=queue)
    chosen = ht.NdRange(n, local) if group else ht.Range(n)
    try:
        library = ht.load_module(source(program).encode())
        for name in library:
            kernel = library[name]
            if kernel.parameter_types == ("ptr", "ptr", "i64", "double"):
                kernel.launch(chosen, x, y, n, 2.0)
            else:
                arguments = [_argument(t, x) for t in kernel.parameter_types]
                kernel.launch(chosen, *arguments, queue=queue)
    except REFUSALS as error:
        if whole:
            raise Difference(f"an unchanged kernel is refused: {error}") from None
        return
    if whole and not np.array_equal(ht.asnumpy(y), np.arange(1.0, n + 1) * 2):
        raise Difference(f"an unchanged kernel gives {ht.asnumpy(y)}")


def _argument(type_name: str, x: ht.Array) -> Any:
    if type_name == "ptr":
        return x
    if type_name.startswith("ptr"):
        return ht.LocalAccessor(4, ht.float64)
    return 1 if type_name.startswith("i") else 1.0
