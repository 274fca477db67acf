# SPDX-License-Identifier: MIT
"""Sets, reads, lists and removes user.* attributes in the working directory, in all ways that may fail."""
import errno
import os
import shutil
import subprocess


def call(function, *arguments, **named):
    try:
        result = function(*arguments, **named)
    except OSError as error:
        result = errno.errorcode[error.errno]
    shown = [a if not isinstance(a, bytes) or len(a) < 9 else len(a) for a in arguments]
    print(function.__name__, *shown, *named.values(), sorted(result) if isinstance(result, list) else result)


os.mkdir("dir")
open("file", "w").close()
os.symlink("file", "link")
os.symlink("none", "dangling")
os.mkfifo("fifo")
for path in "file", "dir", "link":
    call(os.listxattr, path)
    call(os.getxattr, path, "user.a")
    call(os.removexattr, path, "user.a")
    call(os.setxattr, path, "user.a", b"1", os.XATTR_REPLACE)
    call(os.setxattr, path, "user.a", b"1", os.XATTR_CREATE)
    call(os.setxattr, path, "user.a", b"2", os.XATTR_CREATE)
    call(os.setxattr, path, "user.a", b"a longer value", os.XATTR_REPLACE)
    call(os.setxattr, path, "user.empty", b"")
    call(os.setxattr, path, "user.zero", b"\0\1\0")
    call(os.getxattr, path, "user.a")
    call(os.getxattr, path, "user.empty")
    call(os.getxattr, path, "user.zero")
    call(os.listxattr, path)
    call(os.removexattr, path, "user.empty")
    call(os.listxattr, path)
for path in "link", "dangling", "fifo", "none", "file/x":
    call(os.setxattr, path, "user.a", b"1", follow_symlinks=False)
    call(os.getxattr, path, "user.a", follow_symlinks=False)
    call(os.listxattr, path, follow_symlinks=False)
    call(os.removexattr, path, "user.a", follow_symlinks=False)
call(os.setxattr, "dangling", "user.a", b"1")
for name in "user.", "user", "other.a", "", "user." + "n" * 250, "user." + "n" * 251:
    call(os.setxattr, "file", name, b"1")
    call(os.getxattr, "file", name)
call(os.removexattr, "file", "user." + "n" * 250)
call(os.setxattr, "file", "user.big", b"x" * 65537)
call(os.setxattr, "file", "user.a", b"1", 4)

# By a descriptor, in a child, after a rename and by another name.
fd = os.open("file", os.O_RDONLY)
for name in "user.fd", "user.a":
    call(os.setxattr, fd, name, b"fd")
call(os.getxattr, fd, "user.fd")
if not os.fork():
    os.setxattr("file", "user.child", b"child")
    os._exit(0)
os.wait()
os.rename("file", "renamed")
os.link("renamed", "other")
call(os.listxattr, "other")
call(os.getxattr, "other", "user.child")
call(os.getxattr, fd, "user.child")
path = os.open("other", os.O_PATH)
call(os.getxattr, path, "user.a")

# What copies them, and what does not.
for command in ["cp", "-a"], ["cp"], ["mv"]:
    subprocess.run([*command, "other", command[0] + "".join(command[1:])], check=True)
for copy in "cp-a", "cp", "mv":
    call(os.listxattr, copy)
shutil.copy2("mv", "shutil")
call(os.listxattr, "shutil")
before = os.stat("mv").st_mtime_ns
os.setxattr("mv", "user.a", b"3")
print("the contents' time is as before:", os.stat("mv").st_mtime_ns == before)
open("mv", "w").close()
call(os.listxattr, "mv")
os.remove("mv")
open("mv", "w").close()
call(os.listxattr, "mv")
