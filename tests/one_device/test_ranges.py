"""Ranges in other profilers: tasks, compilations and waits as NVTX and ITT show them.

A small library stands for the profiler. It writes the beginnings and ends of ranges into a file.
"""

from __future__ import annotations

import collections
import json
import os
import shutil
import subprocess
import sys

import pytest

from hither import _hither

pytestmark = pytest.mark.either_mode

WRITER = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(const char* what, const char* name) {
  static FILE* file;
  if (!file) file = fopen(getenv("RANGES_FILE"), "w");
  fprintf(file, "%s %s\n", what, name);
  fflush(file);
}
"""

NVTX = r"""
typedef void (*Function)(void);
struct Callbacks {
  size_t size;
  int (*functions)(int32_t module, Function*** table, unsigned* count);
};
struct Event {
  uint16_t version, size;
  uint32_t category;
  int32_t color_type;
  uint32_t color;
  int32_t payload_type, reserved;
  uint64_t payload;
  int32_t message_type;
  const char* message;
};

static int push(void* domain, const struct Event* event) {
  put("begin", event->message);
  return 0;
}
static int pop(void* domain) {
  put("end", "");
  return 0;
}
static void* create(const char* name) {
  put("domain", name);
  return (void*)1;
}

int InitializeInjectionNvtx2(const void* (*table_of)(uint32_t)) {
  const struct Callbacks* callbacks = table_of(1);
  Function** table;
  unsigned count;
  if (!callbacks->functions(5, &table, &count) || count <= 12) return 0;
  *table[4] = (Function)push;
  *table[5] = (Function)pop;
  *table[12] = (Function)create;
  return 1;
}
"""

ITT = r"""
struct Id {
  unsigned long long parts[3];
};
struct Named {
  int flags;
  const char* name;
};

/* oneTBB has ranges of its own. */
static int is_other(const struct Named* domain) { return strcmp(domain->name, "hither") != 0; }

const char* __itt_api_version(void) { return "test"; }
struct Named* __itt_domain_create(const char* name) {
  struct Named* domain = calloc(1, 64);
  domain->flags = 1;
  domain->name = strdup(name);
  if (!is_other(domain)) put("domain", name);
  return domain;
}
void* __itt_string_handle_create(const char* name) {
  const char** handle = calloc(1, 64);
  *handle = strdup(name);
  return handle;
}
void __itt_task_begin(struct Named* domain, struct Id task, struct Id parent, const char** name) {
  if (!is_other(domain)) put("begin", *name);
}
void __itt_task_end(struct Named* domain) {
  if (!is_other(domain)) put("end", "");
}
"""

PROFILERS = {
    "NVTX": (NVTX, {"NVTX_INJECTION64_PATH": "{library}"}),
    "ITT": (ITT, {"INTEL_LIBITTNOTIFY64": "{library}", "INTEL_ITTNOTIFY_GROUPS": "all"}),
}

WORK = """
@ht.kernel
def doubles(a):
    a[ht.get_global_id(0)] *= 2

def work():
    x = ht.asarray(np.ones(1000))
    doubles(x)
    y = ht.sqrt(x) + 1
    host = ht.asnumpy(ht.sort(y @ y + y))
    x.queue.wait()
    with ht.device_context(x.queue):
        loop(host)

@numba.njit(parallel=True)
def loop(a):
    for i in numba.prange(a.size):
        a[i] += 1
"""

PROGRAM = f"""
import json
import numba, numpy as np
import hither as ht
{WORK}
with ht.profile() as p:
    work()
print(json.dumps([(e.kind, e.name) for e in p.events]))
"""


@pytest.fixture(params=PROFILERS)
def profiler(request, tmp_path):
    """Runs a program under the profiler: its standard output, and what the profiler wrote."""
    compiler = shutil.which("cc")
    if request.param not in _hither.range_interfaces():
        pytest.skip(f"this build has no {request.param}")
    if not compiler:
        pytest.skip("no C compiler")
    source, variables = PROFILERS[request.param]
    (tmp_path / "profiler.c").write_text(WRITER + source)
    library, written = tmp_path / "profiler.so", tmp_path / "ranges"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-o", library, tmp_path / "profiler.c"], check=True
    )
    attached = {name: text.format(library=library) for name, text in variables.items()}

    def run(program, **environment):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | attached | {"RANGES_FILE": str(written)} | environment,
            capture_output=True, text=True, timeout=240, check=True,
        )  # fmt: skip
        lines = written.read_text().splitlines() if written.exists() else []
        return done.stdout, [tuple(line.split(" ", 1)) for line in lines]

    return run


def ranges_of(lines):
    """The numbers of ranges by their names, after a check of the beginnings and ends."""
    assert lines[0] == ("domain", "hither")
    open_ranges = 0
    for what, _ in lines[1:]:
        open_ranges += {"begin": 1, "end": -1}[what]
        assert open_ranges >= 0
    assert open_ranges == 0
    return collections.Counter(name for what, name in lines if what == "begin")


def test_ranges_have_the_names_of_the_profile(profiler):
    output, lines = profiler(PROGRAM, HITHER_DISK_CACHE="0")
    events = json.loads(output)
    ranges = ranges_of(lines)
    compiled = {name for name in ranges if name.startswith("compile ")}
    assert {f"compile {name}" for kind, name in events if kind == "compilation"} <= compiled
    expected = collections.Counter(
        name for kind, name in events if kind not in ("compilation", "fallback")
    )
    assert expected["doubles"] == 1
    assert {kind for kind, _ in events} >= {"kernel", "copy", "compilation"}
    assert {name: n for name, n in ranges.items() if name not in compiled} == expected


def test_the_variable_makes_ranges_without_a_profile(profiler):
    program = f"import numba, numpy as np\nimport hither as ht\n{WORK}\nwork()\nwork()"
    _, lines = profiler(program, HITHER_RANGES="1")
    assert ranges_of(lines)["doubles"] == 2
    assert any(name.startswith("compile ") for what, name in lines if what == "begin")


def test_there_are_no_ranges_without_both(profiler):
    program = f"import numba, numpy as np\nimport hither as ht\n{WORK}\nwork()"
    _, lines = profiler(program)
    assert lines == []


def test_ranges_end_when_the_work_fails(profiler):
    program = """
import hither as ht
@ht.kernel
def wrong(a):
    a.foo = 1
with ht.profile():
    try:
        wrong(ht.ones(3))
    except ht.CompileError:
        pass
    ht.asnumpy(ht.ones(3) + 1)
"""
    _, lines = profiler(program)
    assert ranges_of(lines)["compile wrong"] == 1


def test_no_profiler_is_needed():
    program = f"import numba, numpy as np\nimport hither as ht\n{WORK}\nwork()\nprint('ran')"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"HITHER_RANGES": "1"}, capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert done.stdout == "ran\n", done.stderr
