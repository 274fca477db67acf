#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""edit.py FROM TO CODE [--unsigned]: unpacks the image FROM, runs the Python code CODE, and makes the image TO.

CODE has `manifest`, whose changes are written back with the right identity (with --unsigned: the old one), `step`, its
first step, and these functions."""
import hashlib
import json
import os
import shutil
import subprocess
import sys


def output(what):
    """The entry of an output in the manifest."""
    return next(o for o in step["outputs"] if what in (o["what"], o.get("path")))


def store(what, contents):
    """Replaces the contents of an output, and its SHA-256."""
    entry = output(what)
    with open(os.path.join(tree, entry["stored"]), "wb") as to:
        to.write(contents)
    entry["sha256"], entry["bytes"] = hashlib.sha256(contents).hexdigest(), len(contents)


def identity(text):
    return hashlib.sha256(text.replace(manifest["identity"].encode(), b"0" * 64, 1)).hexdigest()


def dump():
    return json.dumps(manifest, indent=1, separators=(",", ":\t"), ensure_ascii=False).encode() + b"\n"


source, target, code = sys.argv[1:4]
tree = target + ".tree"
shutil.rmtree(tree, ignore_errors=True)
subprocess.run(["fsck.erofs", "--extract=" + tree, source], check=True, stdout=subprocess.DEVNULL)
path = os.path.join(tree, ".eremite/manifest.json")
with open(path, encoding="utf-8") as text:
    manifest = json.load(text)
step = manifest["steps"][0]
exec(code)
if "--unsigned" not in sys.argv:
    manifest["identity"] = identity(dump())
with open(path, "wb") as to:
    to.write(dump())
if os.path.exists(target):
    os.unlink(target)
subprocess.run(["mkfs.erofs", "-x-1", "-T946684800", "--all-root", "--quiet", "-Enoinline_data", target, tree],
               check=True, stdout=subprocess.DEVNULL)
shutil.rmtree(tree)
