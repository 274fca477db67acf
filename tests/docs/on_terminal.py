# SPDX-License-Identifier: MIT
"""Types keys to a command on a terminal of its own, once it has printed something: on_terminal.py TEXT KEYS COMMAND."""
import os, pty, sys

text, keys, command = sys.argv[1].encode(), sys.argv[2].encode().decode("unicode_escape").encode(), sys.argv[3]
pid, terminal = pty.fork()
if not pid:
    os.execvp("bash", ("bash", "-c", command))
seen = b""
while True:
    try:
        more = os.read(terminal, 65536)
    except OSError: # the other side is closed
        more = b""
    if not more:
        break
    seen += more
    sys.stdout.buffer.write(more)
    if keys and text in seen:
        os.write(terminal, keys)
        keys = b""
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
