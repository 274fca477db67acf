# SPDX-License-Identifier: MIT
"""What calls about files that the user may not read, and directories that it may not list or search, return. `own` is a
directory of the user's. Changes of other directories are left out: a guest makes them in its copy."""
import ctypes
import errno
import os
import sys

libc = ctypes.CDLL(None, use_errno=True)


def call(name, function, *arguments, **named):
    try:
        result = function(*arguments, **named)
        text = "ok" if not isinstance(result, bool) else str(result)
    except OSError as error:
        text = errno.errorcode[error.errno]
    print(name, *(a for a in arguments if isinstance(a, (str, int))), text)


def c(name, *arguments):
    ctypes.set_errno(0)
    if getattr(libc, name)(*(a.encode() if isinstance(a, str) else a for a in arguments)) < 0:
        raise OSError(ctypes.get_errno(), name)


def open_and_close(path, flags):
    os.close(os.open(path, flags, 0o600))


def enter(path):
    try:
        os.chdir(path)
    finally:
        os.chdir(start)


def enter_by_descriptor(path):
    fd = os.open(path, os.O_PATH)
    try:
        os.fchdir(fd)
    finally:
        os.close(fd)
        os.chdir(start)


def execute(path):
    pid = os.fork()
    if pid == 0:
        try:
            os.execv(path, [path])
        except OSError as error:
            os._exit(error.errno)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code:
        raise OSError(code, path)


def watch(path):
    fd = libc.inotify_init()
    try:
        c("inotify_add_watch", fd, path, 0x100)
    finally:
        os.close(fd)


start = os.getcwd()
flags = {name: getattr(os, name) for name in ("O_RDONLY", "O_WRONLY", "O_RDWR", "O_PATH", "O_DIRECTORY")}
flags["truncating"] = os.O_WRONLY | os.O_TRUNC
flags["creating"] = os.O_RDWR | os.O_CREAT
flags["unnamed"] = os.O_RDWR | os.O_TMPFILE

print("files")
for path in "secret", "to_secret", "program":
    for mode in os.F_OK, os.R_OK, os.W_OK, os.X_OK, os.R_OK | os.W_OK:
        if path != "program" or mode != os.X_OK:  # a program that may be executed and not read
            call("access", os.access, path, mode)
    for name, value in flags.items():
        if name != "unnamed":
            print(name, end=" ")
            call("open", open_and_close, path, value)
    call("stat", os.stat, path)
    call("truncate", os.truncate, path, 0)
    call("truncate", os.truncate, path, 100)
    call("utime", os.utime, path)
    call("utime fixed", os.utime, path, (1, 2))
    call("chmod", os.chmod, path, 0o666)
    call("chown", os.chown, path, 0, 0)
    call("getxattr", c, "getxattr", path, "user.name", None, 0)
    call("setxattr", c, "setxattr", path, "user.name", b"x", 1, 0)
    call("inotify", watch, path)
    if sys.argv[1] == "1" and path != "to_secret":
        call("link", os.link, path, "own/link")
    call("readlink", os.readlink, path)
    call("below", os.stat, path + "/x")
    call("exec", execute, path) if path != "program" else None

print("directories")
for path in "listed", "searched", "shut", "to_shut":
    for mode in os.F_OK, os.R_OK, os.X_OK, os.R_OK | os.X_OK:
        call("access", os.access, path, mode)
    for name, value in flags.items():
        print(name, end=" ")
        if name != "unnamed" or path != "searched":
            call("open", open_and_close, path, value)
    call("stat", os.stat, path)
    call("listdir", os.listdir, path)
    call("chdir", enter, path)
    call("fchdir", enter_by_descriptor, path)
    for below in "/", "/.", "/..", "/../plain", "/./..", "/file", "/none", "/none/none", "/sub", "/sub/..":
        call("stat", os.stat, path + below)
        call("access", os.access, path + below, os.F_OK)
    for below in "/..", "/.", "/file":
        call("open", open_and_close, path + below, os.O_RDONLY)
        call("chdir", enter, path + below)
    call("chmod", os.chmod, path, 0o777)
    call("chown", os.chown, path, 0, 0)
    call("utime fixed", os.utime, path, (1, 2))
    call("inotify", watch, path)
    call("truncate", os.truncate, path + "/file", 0) if path != "searched" else None
    call("link", os.link, path + "/file", "own/link") if path != "searched" else None
    call("rename", os.rename, path + "/file", "own/moved") if path != "searched" else None
    call("unlink", os.unlink, path + "/file") if path != "searched" else None
    call("mkdir", os.mkdir, path + "/new") if path != "searched" else None
    call("symlink", os.symlink, "target", path + "/new") if path != "searched" else None
    call("exec", execute, path + "/file")
