# SPDX-License-Identifier: MIT
"""fuse.py DIRECTORY CONTROL: a file system in memory, mounted at DIRECTORY by FUSE, as one that machines share. As long as the file CONTROL
names an error, such as ESTALE, all requests fail with it; ENOSPC only those that need room. It ends when CONTROL says `end`,
and then the directory is one of a server that has gone (ENOTCONN). It prints a line when it is mounted. As root."""
import ctypes
import errno
import os
import stat
import struct
import sys
import time

LOOKUP, FORGET, GETATTR, SETATTR, MKDIR, UNLINK, RMDIR, RENAME, OPEN, READ, WRITE, STATFS, RELEASE = 1, 2, 3, 4, 9, 10, 11, 12, 14, 15, 16, 17, 18
FSYNC, FLUSH, INIT, OPENDIR, READDIR, RELEASEDIR, FSYNCDIR, ACCESS, CREATE, INTERRUPT, BATCH_FORGET, RENAME2 = 20, 25, 26, 27, 28, 29, 30, 34, 35, 36, 42, 45
NEED_ROOM = (MKDIR, WRITE, CREATE)
ROOT = 1


class Node:
    def __init__(self, number, mode, uid, gid):
        self.number, self.mode, self.uid, self.gid = number, mode, uid, gid
        self.entries, self.data, self.changed = {}, bytearray(), time.time_ns()


class Files:
    def __init__(self):
        self.nodes = {ROOT: Node(ROOT, stat.S_IFDIR | 0o755, 0, 0)}

    def attributes(self, node):
        s, ns = divmod(node.changed, 10**9)
        size = len(node.data)
        return struct.pack("<6Q10I", node.number, size, (size + 511) // 512, s, s, s, ns, ns, ns, node.mode, 1, node.uid, node.gid, 0, 4096, 0)

    def entry(self, node):
        return struct.pack("<QQQQII", node.number, 1, 0, 0, 0, 0) + self.attributes(node)

    def find(self, parent, name):
        number = self.nodes[parent].entries.get(name)
        if number is None:
            raise OSError(errno.ENOENT, "")
        return self.nodes[number]

    def make(self, parent, name, mode, head):
        node = Node(max(self.nodes) + 1, mode, head[0], head[1])
        self.nodes[node.number] = node
        self.nodes[parent].entries[name] = node.number
        return node

    def serve(self, opcode, at, body, head):
        names = [name for name in body.split(b"\0")]
        if opcode == LOOKUP:
            return self.entry(self.find(at, names[0]))
        if opcode in (GETATTR, SETATTR):
            node = self.nodes[at]
            if opcode == SETATTR:
                self.set(node, body)
            return struct.pack("<QII", 0, 0, 0) + self.attributes(node)
        if opcode == MKDIR:
            mode, umask = struct.unpack_from("<II", body)
            return self.entry(self.make(at, body[8:].rstrip(b"\0"), stat.S_IFDIR | (mode & ~umask), head))
        if opcode == CREATE:
            _, mode, umask = struct.unpack_from("<III", body)
            return self.entry(self.make(at, body[16:].rstrip(b"\0"), mode & ~umask, head)) + struct.pack("<QII", 0, 0, 0)
        if opcode in (UNLINK, RMDIR):
            self.find(at, names[0])
            del self.nodes[at].entries[names[0]]
            return b""
        if opcode in (RENAME, RENAME2):
            [to] = struct.unpack_from("<Q", body)
            old, new = body[16 if opcode == RENAME2 else 8 :].split(b"\0")[:2]
            node = self.find(at, old)
            del self.nodes[at].entries[old]
            self.nodes[to].entries[new] = node.number
            return b""
        if opcode in (OPEN, OPENDIR):
            return struct.pack("<QII", 0, 0, 0)
        if opcode == READ:
            _, offset, size = struct.unpack_from("<QQI", body)
            return bytes(self.nodes[at].data[offset : offset + size])
        if opcode == WRITE:
            _, offset, size = struct.unpack_from("<QQI", body)
            node = self.nodes[at]
            node.data.extend(bytes(max(0, offset - len(node.data))))
            node.data[offset : offset + size] = body[40 : 40 + size]
            node.changed = time.time_ns()
            return struct.pack("<II", size, 0)
        if opcode == READDIR:
            return self.list(at, body)
        if opcode == STATFS:
            return struct.pack("<5Q10I", 1000000, 900000, 900000, 1000, 900, 4096, 255, 4096, *[0] * 7)
        if opcode in (RELEASE, RELEASEDIR, FSYNC, FSYNCDIR, FLUSH, ACCESS):
            return b""
        raise OSError(errno.ENOSYS, "")

    def set(self, node, body):
        valid, _, _, size = struct.unpack_from("<IIQQ", body)
        mode, _, uid, gid = struct.unpack_from("<4I", body, 68)
        if valid & 1:
            node.mode = stat.S_IFMT(node.mode) | stat.S_IMODE(mode)
        if valid & 2:
            node.uid = uid
        if valid & 4:
            node.gid = gid
        if valid & 8:
            node.data[size:] = bytes(max(0, size - len(node.data)))

    def list(self, at, body):
        _, offset, size = struct.unpack_from("<QQI", body)
        out = b""
        for i, (name, number) in enumerate(sorted(self.nodes[at].entries.items())):
            one = struct.pack("<QQII", number, i + 1, len(name), 0) + name
            one += bytes(-len(one) % 8)
            if i >= offset and len(out) + len(one) <= size:
                out += one
        return out


def fault(control, opcode):
    with open(control) as file:
        name = file.read().strip()
    if name == "end":
        os._exit(0)
    if name and (name != "ENOSPC" or opcode in NEED_ROOM):
        return getattr(errno, name)
    return 0


def main():
    directory, control = sys.argv[1:]
    fd = os.open("/dev/fuse", os.O_RDWR)
    libc = ctypes.CDLL(None, use_errno=True)
    options = f"fd={fd},rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions"
    if libc.mount(b"test", directory.encode(), b"fuse.test", 6, options.encode()):
        sys.exit(f"cannot mount: {os.strerror(ctypes.get_errno())}")
    print("mounted", flush=True)
    files = Files()
    while True:
        request = os.read(fd, 1 << 18)
        _, opcode, unique, at, uid, gid, _, _ = struct.unpack_from("<IIQQIIII", request)
        error, answer = 0, b""
        if opcode in (FORGET, BATCH_FORGET, INTERRUPT):
            continue
        if opcode == INIT:
            answer = struct.pack("<4I2H2I2H8I", 7, 31, 1 << 17, 0, 16, 12, 1 << 17, 1, 0, 0, *[0] * 8)
        else:
            error = fault(control, opcode)
        if opcode != INIT and not error:
            try:
                answer = files.serve(opcode, at, request[40:], (uid, gid))
            except OSError as wrong:
                error = wrong.errno
        try:
            os.write(fd, struct.pack("<IiQ", 16 + len(answer), -error, unique) + answer)
        except OSError as wrong:
            if wrong.errno != errno.ENOENT:  # who asked has been interrupted
                raise


main()
