# SPDX-License-Identifier: MIT
"""Bug: lost update between processes in SQLite. Each reads a number in one transaction and writes it, plus one, in
another. Bites: "1 of 2 counted", status 1. With the argument `fixed`, one statement adds one."""
import os
import sqlite3
import sys
import tempfile

fixed = "fixed" in sys.argv
directory = tempfile.mkdtemp()
path = os.path.join(directory, "rows")


def count():
    rows = sqlite3.connect(path, timeout=100, isolation_level=None)
    if fixed:
        rows.execute("update counter set number = number + 1")
    else:
        (number,) = rows.execute("select number from counter").fetchone()
        rows.execute("update counter set number = ?", (number + 1,))
    rows.close()


rows = sqlite3.connect(path, isolation_level=None)
rows.execute("create table counter (number)")
rows.execute("insert into counter values (0)")
rows.close()
children = []
for _ in range(2):
    child = os.fork()
    if not child:
        count()
        os._exit(0)
    children.append(child)
for child in children:
    if os.waitpid(child, 0)[1]:
        sys.exit(2)
(number,) = sqlite3.connect(path).execute("select number from counter").fetchone()
if number != 2:
    print(number, "of 2 counted")
    sys.exit(1)
