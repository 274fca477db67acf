#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""debug_kinds.py SYMBOLIZER FILE [REFERENCE]: asks eremite-symbolize for each instruction of main() and of what it calls in
FILE, and compares the places with those of addr2line in REFERENCE (default: FILE; -: compares nothing). Prints how many
answers there are, how many differ, and how many have no line. Fails if the symbolizer dies of a signal."""
import os
import re
import struct
import subprocess
import sys
import tempfile

symbolizer, path = sys.argv[1:3]
reference = sys.argv[3] if len(sys.argv) > 3 else path
MODULES, REQUEST, CONTENT_AT = 0x31646F6D7973656C, 0x32626D7973657265, 0x21000  # hypervisor/symbolize/request.h


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, errors="replace").stdout


def instructions(path):
    """The addresses of the instructions of main and deep_*."""
    found, own = [], False
    for line in run("objdump", "-d", "--no-show-raw-insn", path).splitlines():
        if line.endswith(">:"):
            own = "<main>" in line or "<deep_" in line
        elif own and (match := re.match(r" +([0-9a-f]+):\t", line)):
            found.append(int(match[1], 16))
    return found


def image(data, path):
    """The file as one module, and what is added to its addresses."""
    (table,), (count,) = struct.unpack_from("<Q", data, 32), struct.unpack_from("<H", data, 56)
    bias = 0x555555554000 if struct.unpack_from("<H", data, 16)[0] == 3 else 0
    for i in range(count):
        kind, flags, offset, address, _, _, size, _ = struct.unpack_from("<IIQQQQQQ", data, table + 56 * i)
        if kind == 1 and flags & 1:
            break
    start, end = address & ~4095, address + size + 4095 & ~4095
    head = struct.pack("<QQQQQQQ216s", MODULES, 1, start + bias, end + bias, offset & ~4095, CONTENT_AT, len(data),
                       os.path.abspath(path).encode()[:215])
    return head.ljust(CONTENT_AT, b"\0") + data, bias


def ask(addresses, path):
    with open(path, "rb") as file:
        content, bias = image(file.read(), path)
    requests = b""
    for address in addresses:
        registers = [0] * 16 + [address + bias]
        requests += struct.pack("<Q17QQQQQQ", REQUEST, *registers, 0, 0x7000, 0, 0, 0)
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.flush()
        child = subprocess.Popen([symbolizer], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 preexec_fn=lambda: os.dup2(file.fileno(), 3), pass_fds=[3])
        out, _ = child.communicate(requests)
    if child.returncode < 0:
        sys.exit(f"{path}: the symbolizer died of signal {-child.returncode}")
    return out.decode(errors="replace").split("\f")[1::2]


def places(answer):
    """The file and line of each function that is inlined at the first frame, the innermost first."""
    found = []
    for line in answer.splitlines():
        match = re.search(r"#0 .* \((?:[^()]*, )?([^()]*:\d+)\)", line)
        found += [os.path.basename(match[1]) if match else "??:0"] if "#0 " in line else []
    return found


addresses = instructions(path if reference == "-" else reference)
differ = without = 0
answers = ask(addresses, path)
for address, answer in zip(addresses, answers):
    got = places(answer)
    without += got == ["??:0"]
    if reference == "-":
        continue
    lines = run("addr2line", "-i", "-e", reference, hex(address)).splitlines()
    want = [os.path.basename(re.sub(r" \(discriminator.*", "", line)).replace(":?", ":0") for line in lines]
    if got != want:
        differ += 1
        print(f"{path}: {address:#x} is {want}, not {got}", file=sys.stderr)
print(len(answers), differ, without)
