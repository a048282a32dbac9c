"""Writes python/hither/__init__.pxd, the C API as Cython sees it, from its headers.

`pxd.py --check` fails if the file differs.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from made_file import write_or_check

ROOT = Path(__file__).parent.parent
HEADERS = [ROOT / "include/hither/c_api.h", ROOT / "include/hither/c_api_table.h"]
PXD = ROOT / "python/hither/__init__.pxd"
TOP = """# Made by tools/pxd.py. hither's C API: `from hither cimport *`, then hither_import().
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

cdef extern from "hither/c_api.h":
    int hither_import() except -1
    const hither_table* hither_api
"""
BOTTOM = '''
cdef inline int hither_check(hither_status status) except -1 nogil:
    """Raises the exception for a status that is not HITHER_OK."""
    if status != HITHER_OK:
        with gil:
            hither_api.raise_error(status)
    return 0
'''


def code() -> str:
    """The headers without comments and preprocessor lines."""
    text = "\n".join(path.read_text() for path in HEADERS)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return re.sub(r"^#.*(\\\n.*)*$", "", text, flags=re.MULTILINE)


def one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def function_pointer(declaration: str) -> str:
    """`T (*name)(...)`. Python objects become Cython's; functions without any need no GIL."""
    if "PyObject*" in declaration:
        # Cython raises the exception if the returned object is NULL.
        text = re.sub(r"PyObject\* ?object\b", "object value", declaration)
        text = text.replace("PyObject*", "object").replace("(void)", "()")
        return text if text.startswith("object") else text + " noexcept"
    return declaration.replace("(void)", "()") + " noexcept nogil"


def members(body: str) -> list[str]:
    declarations = [one_line(part) for part in body.split(";")]
    return [function_pointer(d) if "(*" in d else d for d in declarations if d]


def declarations() -> list[str]:
    lines: list[str] = []
    pattern = re.compile(
        r"typedef struct (?P<opaque>\w+) \w+;"
        r"|typedef (?P<base>\w+) (?P<alias>\w+);"
        r"|enum \{(?P<values>.*?)\};"
        r"|typedef (?P<function>\w+ \(\*\w+\)\([^;]*\));"
        r"|typedef (?P<kind>struct|union) (?P<name>\w+) \{(?P<body>.*?)\n\} \w+;"
        r"|static inline (?P<inline>\w+ hither_\w+\([^)]*\)) \{",
        re.DOTALL,
    )
    for found in pattern.finditer(code()):
        if found["opaque"]:
            lines.append(f"    ctypedef struct {found['opaque']}:\n        pass")
        elif found["alias"]:
            lines.append(f"    ctypedef {found['base']} {found['alias']}")
        elif found["values"]:
            names = [one_line(v).split(" ")[0] for v in found["values"].split(",")]
            lines.append("    enum:\n" + "\n".join(f"        {n}" for n in names if n))
        elif found["function"]:
            # The extension implements this function, and must not raise.
            lines.append(f"    ctypedef {one_line(found['function'])} noexcept nogil")
        elif found["name"]:
            lines.append(f"    ctypedef {found['kind']} {found['name']}:")
            lines += [f"        {member}" for member in members(found["body"])]
        elif found["inline"] and "import" not in found["inline"]:
            lines.append(f"    {one_line(found['inline'])} noexcept nogil")
    return lines


def main() -> int:
    text = TOP + "\n" + "\n".join(declarations()) + "\n" + BOTTOM
    return write_or_check(PXD, text.replace("HITHER_MAX_NDIM", "16"))


if __name__ == "__main__":
    sys.exit(main())
