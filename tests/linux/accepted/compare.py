# SPDX-License-Identifier: MIT
"""Compares the lines of a native run with those of a guest: compare.py DIFFERENCES NATIVE GUEST.

A case of an option's effect that only one side has is left to the line of its setsockopt. Each line that differs needs a row of the table, the first whose pattern is found in the case. A row of the class
`refused` holds only if the guest fails as a kernel without the feature does.
"""
import re
import sys

REFUSALS = {"ENOPROTOOPT", "EOPNOTSUPP", "EINVAL", "ENOTTY", "ENOSYS"}
SHOWN = int(__import__("os").environ.get("SHOWN", 40))


def rows_of(path):
    rows = []
    for line in open(path):
        parts = [part.strip() for part in line.split(" | ")]
        if line.startswith("#") or not line.strip():
            continue
        if len(parts) != 3 or parts[0] not in ("differs", "refused", "host"):
            sys.exit(f"{path}: not a row: {line}")
        rows.append([parts[0], re.compile(parts[1]), line.strip(), 0])
    return rows


def lines_of(path):
    lines = {}
    for line in open(path, errors="replace"):
        case, _, result = line.rstrip("\n").partition("\t")
        if case in lines:
            sys.exit(f"{path}: two lines: {case}")
        lines[case] = result
    return lines


def has_row(rows, case, result):
    is_refused = result.split()[:1] and result.split()[0].rstrip(",") in REFUSALS
    for row in rows:
        if row[1].search(case) and (row[0] != "refused" or is_refused):
            row[3] += 1
            return True
    return False


rows, native, guest = rows_of(sys.argv[1]), lines_of(sys.argv[2]), lines_of(sys.argv[3])
wrong = []


def is_left_out(case):
    return re.search(" effect (send|receive) ", case) and not (case in native and case in guest)


for case in list(native) + [case for case in guest if case not in native]:
    if native.get(case) != guest.get(case) and not is_left_out(case) and not has_row(rows, case, guest.get(case) or ""):
        wrong.append(f"{case}\n  < {native.get(case)}\n  > {guest.get(case)}")
print("\n".join(wrong[:SHOWN]))
print(f"{len(native)} cases, {len(wrong)} differ without a row in {sys.argv[1]} (< native, > eremite)")
unused = [row[2] for row in rows if not row[3] and row[0] == "differs"]
for row in unused:
    print("differs no more:", row)
sys.exit(1 if wrong or unused else 0)
