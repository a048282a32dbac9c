"""Reads the AddressSanitizer reports of a folder and fails on hither's errors and leaks.

Every error fails. A leak counts if the frame that allocated it, below the allocator and the C++
library, is in libhither or in the extension. The interpreter and other packages keep blocks until
the process ends; these do not count.
"""

import re
import sys
from pathlib import Path

HITHER = re.compile(r"libhither\.so|_hither\.|hither_(inner_)?tests")
ALLOCATORS = re.compile(r"lib(asan|lsan|stdc\+\+|c)\.so|/nanobind/")
LEAK = re.compile(r"^(?:Dir|Indir)ect leak of .*?(?=^(?:Dir|Indir)ect leak|^SUMMARY)", re.M | re.S)


def is_of_hither(leak: str) -> bool:
    for frame in re.findall(r"^\s*#\d+ .*$", leak, re.M):
        if not ALLOCATORS.search(frame):
            return bool(HITHER.search(frame))
    return False


def main() -> int:
    faults = []
    for report in sorted(Path(sys.argv[1]).glob("asan*")):
        text = report.read_text(errors="replace")
        if "ERROR: AddressSanitizer" in text or "runtime error:" in text:
            faults.append(text)
            continue
        faults += [match.group(0) for match in LEAK.finditer(text) if is_of_hither(match.group(0))]
    print("\n".join(faults))
    print(f"sanitize: {len(faults)} errors or leaks of hither's own")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
