# SPDX-License-Identifier: MIT
#
# A child and its pipe live at the marker "ready". Behind it: threads, files, further children, a shell, and modules and
# programs that are read from the host.
import ctypes
import json
import os
import subprocess
import tempfile
import threading

reader, writer = os.pipe()
child = os.fork()
if not child:
    os.close(writer)
    while os.read(reader, 1):
        pass
    os._exit(7)

ctypes.CDLL(None).syscall(400, b"ready")

turns = []
threads = [threading.Thread(target=lambda n=n: [turns.append(n) for _ in range(20)]) for n in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()

with tempfile.NamedTemporaryFile("w+", dir="/tmp") as file:
    json.dump(turns, file)
    file.flush()
    file.seek(0)
    assert json.load(file) == turns

import difflib  # noqa: E402

print(difflib.get_close_matches("ready", ["read", "redo"]))
second = os.fork()
if not second:
    os._exit(turns.index(2) % 50)
print(os.waitpid(second, 0)[1])
shell = subprocess.run(["/bin/sh", "-c", "echo $((1 + 2)); exit 4"], capture_output=True)
print(shell.stdout, shell.returncode, turns)
os.write(writer, b"x")
os.close(writer)
os.close(reader)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
