# SPDX-License-Identifier: MIT
"""core.py CORE: checks a core file of a Linux program. Code and constants of mapped files are the files' bytes, each mapped
file is in NT_FILE, and each thread has its notes. Prints the numbers of threads and of compared bytes."""
import struct
import sys

PT_LOAD, PT_NOTE = 1, 4
NT_PRSTATUS, NT_FPREGSET, NT_PRPSINFO, NT_AUXV, NT_XSTATE, NT_FILE, NT_SIGINFO = 1, 2, 3, 6, 0x202, 0x46494C45, 0x53494749

core = open(sys.argv[1], "rb").read()
assert core[:4] == b"\x7fELF" and struct.unpack_from("<H", core, 16)[0] == 4, "not a core file"
offset, = struct.unpack_from("<Q", core, 32)
count, = struct.unpack_from("<H", core, 56)
headers = [struct.unpack_from("<IIQQQQQQ", core, offset + 56 * i) for i in range(count)]
loads = [h for h in headers if h[0] == PT_LOAD]
notes = next(h for h in headers if h[0] == PT_NOTE)

found, at = [], notes[2]
while at < notes[2] + notes[5]:
    name, size, kind = struct.unpack_from("<III", core, at)
    start = at + 12 + (name + 3 & ~3)
    found.append((kind, core[start:start + size]))
    at = start + (size + 3 & ~3)
assert at == notes[2] + notes[5], "notes do not end where they should"
kinds = [kind for kind, _ in found]
assert kinds[:5] == [NT_PRSTATUS, NT_PRPSINFO, NT_SIGINFO, NT_AUXV, NT_FILE], kinds
threads = kinds.count(NT_PRSTATUS)
assert kinds.count(NT_FPREGSET) == threads and kinds.count(NT_XSTATE) in (0, threads), kinds

files = dict(found)[NT_FILE]
count, page = struct.unpack_from("<QQ", files)
names = files[16 + 24 * count:].split(b"\0")
assert page == 4096 and len(names) == count + 1, "NT_FILE has another number of names"
compared = 0
for i in range(count):
    start, end, page = struct.unpack_from("<QQQ", files, 16 + 24 * i)
    kind, flags, offset, address, _, in_file, in_memory, _ = next(h for h in loads if h[3] <= start < h[3] + h[6])
    if flags != 5 or in_file != in_memory: # readable and executable: nobody writes there
        continue
    with open(names[i], "rb") as file:
        file.seek(page * 4096)
        bytes_ = file.read(end - start)
    shown = core[offset + start - address:][:end - start]
    assert shown == bytes_ + bytes(end - start - len(bytes_)), f"{names[i]} at {start:#x}: other bytes than in the file"
    compared += end - start
print(threads, compared)
