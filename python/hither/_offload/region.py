"""Makes a region from a parfor: kernels that the core launches.

The id of a region is a hash of its content, so that host code from Numba's cache finds the region
in another process.
"""

from __future__ import annotations

import copy
import hashlib
import re
from dataclasses import dataclass, replace
from functools import cached_property, partial

from .. import _hither
from .._kernel.numba import fault
from .._kernel.numba.access import WRITTEN, value_of
from .._kernel.numba.bind_calls import fold
from .._kernel.numba.device_function import target_for
from .._kernel.numba.entry import is_optional_array
from .._kernel.numba.explain import explain
from .._kernel.numba.front_end import FrontEndResult, with_stable_names
from .._kernel.numba.lower_print import prints
from .._kernel.numba.refused import KernelRefused
from .._kernel.numba.runtime_functions import define_runtime_functions
from . import schedule, totals
from .atomic_updates import with_atomics
from .body_calls import SEED, BodyCalls
from .compilation import current
from .host_access import outlives
from .loop_dependence import SerialOnly, draws_random, require_independent
from .numba_adapter import compiler, numba_ir, types
from .own_elements import Check, Distinct
from .parfor_function import (
    NotOffloaded,
    body_function,
    clone,
    combine_function,
    combine_operator,
    constant_of,
    kernel_type,
)
from .serial_loops import note_in_order
from .shared_elements import sharing_of
from .small_form import SmallForm, on_host, small_form
from .team_loops import WIDTH, Refused, TeamLoops

# Of the reductions of an item. A work-group has 256, and CUDA's blocks 48 KiB of local memory.
MOST_LOCAL_BYTES = 128


@dataclass
class RegionSource:
    """The fields of launch::RegionSource. Numba's cache stores it with the host code."""

    name: str
    dimensions: int
    slots: int
    body: FrontEndResult
    dense: FrontEndResult | None  # the body for arrays whose rows are dense
    total: FrontEndResult | None  # combines the results of the groups of a reduction
    lanes: int  # work-items of such a group
    debug: bool
    single_task: bool
    is_long: bool  # an iteration has loops or calls functions (see BodyCalls)
    whole_arrays: bool  # NumPy's semantics: all reads happen before the first write
    team: int  # work-items that share an iteration (see team_loops); 0: one runs it
    joined: int  # the last dimensions that are loops inside of an iteration (see joined_loops)
    starts_of_joined: int  # the first slot of their starts
    arrays: list[tuple[int, int, str, bool, bool, int]]
    reductions: list[tuple[int, int]]

    @property
    def id(self) -> int:
        """The region's identifier in host code. The core refuses two regions with equal ids."""
        return int.from_bytes(bytes.fromhex(self.digest)[:8], "little", signed=True)

    @cached_property
    def digest(self) -> str:
        """A hash of everything that determines the behaviour of a launch."""
        digest = hashlib.sha256()
        about = (self.dimensions, self.slots, self.lanes, self.single_task, self.whole_arrays,
                 self.team, self.joined, self.is_long)  # fmt: skip
        for part in (about, self.arrays, self.reductions, self.debug):
            digest.update(repr(part).encode())
        for kernel in (self.body, self.dense, self.total):
            digest.update(repr(kernel).encode())
        return digest.hexdigest()


@dataclass(frozen=True)
class Passed:
    """The arguments that host code passes to a region besides the extents of its loops."""

    starts: list[int]  # see _given_starts
    names: list[str]
    types: list  # types of the arguments in the kernel
    reductions: dict  # types of the variables that are reduced, by name
    checks: list[Check]  # they hold if iterations do not conflict
    in_order: RegionSource | None = None  # one work-item, for launches whose checks fail
    atomic: RegionSource | None = None  # for arrays that are too large to copy, listed next
    updated: tuple[str, ...] = ()
    small: SmallForm | None = None  # for few iterations, which the host runs without a launch
    team: RegionSource | None = None  # for long inner loops
    inner: tuple = ()  # their starts and stops


def runs_lanes(device) -> bool:
    """Whether the lanes of groups are work-items on a device (see schedule)."""
    return device.has_aspect_gpu and device.max_work_group_size >= schedule.ROWS * schedule.LANES


def register(source: RegionSource) -> None:
    """Registers a region in the core, and compiles it for the current context."""
    compilation = current.get()
    _hither.register_region(source.id, source, compilation and compilation.queue)


def register_later(source: RegionSource) -> None:
    """Registers a region that few programs need. It is compiled at its first launch."""
    _hither.register_region(source.id, source, None)


def register_in_order(source: RegionSource, *about) -> None:
    """Registers a serial region, and the text of the warning at its launch."""
    register_later(source)
    note_in_order(source.id, *about)


def region_of(parfor, line, func_ir, typemap, flags) -> tuple[RegionSource, Passed]:
    """Compiles a parfor, which comes from `line` of its function. Raises NotOffloaded with a reason
    for the user."""
    builder = _Builder(parfor, line, func_ir, typemap, flags)
    try:
        try:
            region, passed = builder.build()
            register(region)
            return region, builder.with_other_regions(passed)
        except (NotOffloaded, SerialOnly):
            raise
        except KernelRefused as error:
            raise NotOffloaded(str(error)) from error
        except Exception as error:  # Numba also raises internal exceptions
            function = func_ir.func_id.func
            raise NotOffloaded(explain(error, function)) from error
    except NotOffloaded as reason:
        builder.require_order_free(str(reason))
        raise


class _Builder:
    def __init__(self, parfor, line, func_ir, typemap, flags, names=None, suffix=""):
        self.given = self.parfor = parfor
        self.names = names  # the order of arguments, if another region's host code passes them
        self.suffix = suffix
        self.team = 0
        self.checks: list = []
        self.updates: dict = {}
        self.about = (parfor, line, func_ir, typemap, flags)
        self.line = line
        self.func_ir, self.typemap = func_ir, typemap
        self.debug = bool(flags.boundscheck)
        self.target = target_for(self.debug)
        self.flags = compiler.Flags()
        options = {"nopython": True, "boundscheck": self.debug, "fastmath": flags.fastmath}
        self.target.options.parse_as_flags(self.flags, options)
        self.flags.noalias = True  # the core checks each launch, and has a variant without noalias
        # Numba implements its reductions as loops over internal_prange.
        self.whole_arrays = all(p[0] != "prange" or p[1] == "internal" for p in parfor.patterns)
        compilation = current.get()
        self.single_task = compilation is not None and compilation.single_task
        self.by_user = compilation is not None and compilation.version.parallel_by_user

    def build(self) -> tuple[RegionSource, Passed]:
        self._refuse()
        made = self._build()
        if made is None:  # shared updates have become reductions
            made = self._build()
        assert made is not None
        return made

    def with_other_regions(self, passed: Passed) -> Passed:
        """Adds the variants of the loop for one work-item and with atomic operations. They take the
        arguments of this region."""
        names = [name for name in passed.names if name != SEED]
        if passed.checks:
            other = _Builder(*self.about, names, ".in_order")
            other.single_task = True
            passed = replace(passed, in_order=other.build()[0])
        stores = [update.stores for update in self.updates.values()]
        if stores and None not in stores:
            parfor = with_atomics(self.given, [stored for found in stores for stored in found])
            if parfor is not None:
                other = _Builder(parfor, *self.about[1:], names, ".atomic")
                other.by_user = True  # iterations have no other conflicts
                passed = replace(passed, atomic=other.build()[0], updated=tuple(self.updates))
        return self._with_team(passed, names)

    def _with_team(self, passed: Passed, names) -> Passed:
        compilation = current.get()
        queue = compilation and compilation.queue
        if queue is None or not runs_lanes(queue.device) or self.single_task or self.debug:
            return passed
        if self.parfor.redvars or self.updates:
            return passed
        try:
            loops = TeamLoops(self.given, self.func_ir, self.typemap)
            if not loops.are_measured():
                return passed
            other = _Builder(loops.shared(), *self.about[1:], names, ".team")
            other.team, other.by_user = WIDTH, True  # host code tries `in_order` first
            return replace(passed, team=other.build()[0], inner=tuple(loops.limits))
        except (Refused, NotOffloaded, KernelRefused):
            return passed

    def _build(self) -> tuple[RegionSource, Passed] | None:
        calls = BodyCalls(clone(self.parfor.loop_body), self.func_ir, self.typemap)
        calls.rewrite()
        names = self._argument_names()
        given = [kernel_type(name, self.typemap[name]) for name in names]
        if calls.uses_random:
            names, given = [SEED, *names], [types.uint64, *given]
        body = body_function(
            self.parfor, calls, self.func_ir, self.typemap, self.target, self.flags,
            [p for p in zip(names, given, strict=True) if p[0] not in self.parfor.redvars],
        )  # fmt: skip
        changing = [n for n in names if n not in self.parfor.redvars]
        written = {n for p, n in enumerate(changing) if p in body.metadata[WRITTEN]}
        if self._takes_updates(written):
            return None
        reductions = [self._reduction(name, names) for name in self.parfor.redvars]
        nests, joined = self.parfor.loop_nests, joined_loops(self.parfor)
        starts = _given_starts(nests, joined)
        lowest = {d: self._lowest(n) for d, n in enumerate(nests)}
        by_lane = bool(reductions) and self._runs_by_lane(reductions)
        emit = self._emitter(reductions, by_lane)

        def entry_of(suffix="", dense=False):
            about = (f"{self._name()}{suffix}", len(nests), lowest, starts, given, reductions)
            return schedule.Entry(self.target.target_context, *about, calls.uses_random, dense)

        def iterating(entry):
            return self._kernel(entry, emit(entry, body), [body], reductions, by_lane)

        def total():
            entry = entry_of(".total")
            text = (totals.emit_total_of_lanes if by_lane else totals.emit_total)(entry)
            return self._kernel(entry, text, [], reductions, by_lane)

        entry = entry_of()
        arrays, numbers = self._arrays(names, given, written, reductions, len(starts))
        source = RegionSource(
            name=entry.name,
            dimensions=entry.dimensions,
            slots=entry.slots,
            body=iterating(entry),
            dense=iterating(entry_of(".dense", True)) if any(a[2] == "A" for a in arrays) else None,
            total=total() if reductions else None,
            lanes=schedule.LANES if by_lane else 1,
            debug=self.debug,
            single_task=self.single_task,
            is_long=calls.is_long,
            whole_arrays=self.whole_arrays,
            team=self.team,
            joined=joined,
            starts_of_joined=len(nests) + len(starts) - joined,
            arrays=arrays,
            reductions=[self._result(r, numbers) for r in reductions],
        )
        reduced = {r.name: r.type for r in reductions}
        small = None
        if self._may_be_small(calls, names):
            prefix = f"hither.small.{source.digest[:32]}"
            small = small_form(body, reductions, lowest, given, frozenset(written), prefix)
        return source, Passed(starts, names, given, reduced, self.checks, small=small)

    def _emitter(self, reductions, by_lane):
        if self.team:
            return partial(schedule.emit_teams, width=self.team)
        if reductions:
            return schedule.emit_lanes if by_lane else schedule.emit_groups
        return schedule.emit_single_task if self.single_task else schedule.emit_iterations

    def _runs_by_lane(self, reductions) -> bool:
        compilation = current.get()
        return (
            not (self.single_task or any(r.is_array for r in reductions))
            and sum(self._size(r.type) for r in reductions) <= MOST_LOCAL_BYTES
            and compilation is not None
            and compilation.queue is not None
            and runs_lanes(compilation.queue.device)
        )

    def _result(self, reduction, numbers) -> tuple[int, int]:
        """(size of the number, -1), or (0, index of the RegionArray)."""
        size = 0 if reduction.is_array else self._size(reduction.type)
        return size, numbers.get(reduction.argument, -1)

    def _may_be_small(self, calls, names) -> bool:
        compilation = current.get()
        return (
            compilation is not None
            and compilation.version.small
            and not (self.suffix or self.debug or self.single_task or calls.uses_random)
            and not self.flags.fastmath
            # Indices from an array are checked once, by a launch.
            and not any(isinstance(check, Distinct) for check in self.checks)
            and all(on_host(self.typemap[name]) for name in names)
        )

    def require_order_free(self, reason: str) -> None:
        """Raises SerialOnly if iterations, which Numba's threads would run, may conflict or draw
        random numbers, which plain Numba draws from one generator."""
        if not (self.by_user or self.single_task) and draws_random(self.parfor, self.func_ir):
            raise SerialOnly(reason)
        if self.bound_by_user():
            return
        arrays = set(self.parfor.params) - set(self.given.redvars)
        sharing = sharing_of(self.given, self.func_ir, self.typemap, arrays)
        if sharing.updates or sharing.checks:
            raise SerialOnly(f"{reason}; and its iterations may access the same elements of arrays")

    def bound_by_user(self) -> bool:
        """Whether iterations never conflict, or the decorator asserts that they do not."""
        return self.whole_arrays or self.single_task or self.by_user

    def _takes_updates(self, written) -> bool:
        """Makes reductions of the arrays whose elements several iterations update. Returns whether
        there are any. The function's decorator may assert that iterations do not conflict."""
        if self.bound_by_user():
            return False
        sharing = sharing_of(self.parfor, self.func_ir, self.typemap, written)
        found = sharing.updates
        self.checks = list(dict.fromkeys([*self.checks, *sharing.checks]))
        self.updates |= found
        if found:
            self.parfor = copy.copy(self.parfor)
            self.parfor._kws = dict(self.parfor._kws)  # its attributes; Numba lowers the original
            self.parfor.redvars = [*self.parfor.redvars, *found]
            self.parfor.reddict = {**self.parfor.reddict, **found}
        return bool(found)

    def _lowest(self, nest) -> int | None:
        """A lower bound of the indices, or None if it is not known or negative."""
        start = nest.start
        if isinstance(start, numba_ir.Var):
            start = value_of(self.func_ir, start, fold)
        if isinstance(start, int) and start >= 0:
            return start
        return 0 if self.typemap[nest.index_variable.name] == types.uintp else None

    def _refuse(self):
        require_independent(self.parfor, self.typemap)
        if self.parfor.races - set(self.parfor.redvars):
            names = ", ".join(sorted(name.partition(".")[0] for name in self.parfor.races))
            refusal = NotOffloaded if self.bound_by_user() else SerialOnly
            raise refusal(f"several iterations may assign {names}")
        for nest in self.parfor.loop_nests:
            if nest.step != 1:
                raise NotOffloaded("its loop has a step other than 1")

    def _argument_names(self) -> list[str]:
        if self.names is not None:
            return list(self.names)
        arrays = [n for n in self.parfor.redvars if isinstance(self.typemap[n], types.Array)]
        passed = set(self.parfor.params) - set(self.parfor.redvars)
        constants = {n for n in passed if constant_of(self.typemap[n], self.parfor.loc)}
        return sorted(passed - constants) + arrays

    def _reduction(self, name, names):
        numba_type = kernel_type(name, self.typemap[name])
        info = self.parfor.reddict[name]
        is_array = isinstance(numba_type, types.Array)
        if is_array and combine_operator(info) is None:
            raise NotOffloaded(f"{name} is an array whose reduction is neither + nor *")
        combine = combine_function(
            self.parfor, name, numba_type.dtype if is_array else numba_type,
            self.func_ir, self.target, self.flags,
        )  # fmt: skip
        position = names.index(name) if is_array else -1
        return schedule.Reduction(name, numba_type, info.init_val, combine, position)

    def _name(self) -> str:
        name = self.func_ir.func_id.func_name
        return f"{re.sub(r'[^A-Za-z0-9_]', '_', name)}.{self.line}{self.suffix}"

    def _kernel(self, entry, text, functions, reductions, has_groups) -> FrontEndResult:
        """The module of one kernel: the entry and the functions that it calls."""
        seen: dict = {}
        texts = [text]
        for compiled in [*functions, *(r.combine for r in reductions)]:
            texts += compiled.library.texts(seen)
        texts = define_runtime_functions(texts, seen, self.target)
        if prints(texts):
            raise NotOffloaded("it prints")
        file = self.func_ir.func_id.func.__code__.co_filename
        texts, messages = fault.number_faults(with_stable_names(texts, entry.name), file)
        return FrontEndResult(
            entry=entry.name,
            texts=texts,
            parameters=entry.parameters.codes,
            written=[True] * len(entry.parameters.codes),
            independent=not any("atomicrmw" in text or "cmpxchg" in text for text in texts),
            has_groups=has_groups or bool(self.team),
            file=file,
            messages=messages,
        )

    def _arrays(self, names, given, written, reductions, starts):
        """The RegionArrays, including those in tuples, and for each array argument the index of its
        RegionArray."""
        found, numbers = [], {}
        slot = len(self.parfor.loop_nests) + starts
        reduced = {r.argument for r in reductions}

        def visit(argument, *use):
            nonlocal slot
            if isinstance(argument, types.BaseTuple):
                for item in argument:
                    visit(item, *use)
                return
            if is_optional_array(argument):
                slot += 1
                argument = argument.type
            if isinstance(argument, types.Array):
                size = self._size(argument.dtype)
                found.append((slot, argument.ndim, argument.layout, *use, size))
            parameters = schedule.parameters_of(self.target.target_context, [argument])
            slot += schedule.slot_count(parameters.codes)

        for position, argument in enumerate(given):
            numbers[position] = len(found)
            is_written = names[position] in written or position in reduced
            visit(argument, is_written, outlives(names[position], self.func_ir))
        return found, numbers

    def _size(self, numba_type) -> int:
        context = self.target.target_context
        return context.get_abi_sizeof(context.get_data_type(numba_type))


def _given_starts(nests, joined) -> list[int]:
    """The loops whose starts are arguments: those that do not start at 0, and joined ones."""
    first = len(nests) - joined
    return [d for d, n in enumerate(nests) if d >= first or not _is_zero(n.start)]


def joined_loops(parfor) -> int:
    """How many of the loops, the last ones, are inside of an iteration in the program."""
    return parfor._kws.get("joined_loops", 0)


def _is_zero(start) -> bool:
    return not isinstance(start, numba_ir.Var) and start == 0
