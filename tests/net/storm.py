# SPDX-License-Identifier: MIT
# A storm of connections for a published server: `serve` in the guest, `storm` on the host. A client says in 9 bytes what
# it is (a letter and a size), and then uploads (u), downloads (d), reads slowly (s), sends half and waits for the answer
# (h), or resets the connection (r).
import resource
import selectors
import socket
import struct
import sys
import time
import zlib

BLOCK = bytes((i * 31 + i // 256) & 255 for i in range(1 << 20))
HEADER = struct.Struct("!cQ")
SUM = struct.Struct("!QI")


def block(start, bytes):
    """Bytes of the stream that all send, which repeats BLOCK."""
    at = start % len(BLOCK)
    return memoryview(BLOCK)[at : at + bytes]


def want_descriptors(count):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (count if hard == resource.RLIM_INFINITY else min(count, hard), hard))


class Peer:
    """The server's end of a connection."""

    def __init__(self, connection):
        self.connection = connection
        self.header = b""
        self.kind = None
        self.size = self.got = self.crc = self.sent = 0
        self.answer = b""

    def read(self):
        """Returns the events to wait for, or 0 when the connection is done."""
        data = self.connection.recv(262144)
        if len(self.header) < HEADER.size:
            need = HEADER.size - len(self.header)
            self.header, data = self.header + data[:need], data[need:]
            if len(self.header) < HEADER.size:
                return selectors.EVENT_READ if self.header else 0
            self.kind, self.size = HEADER.unpack(self.header)
            if self.kind in b"ds":
                return selectors.EVENT_WRITE
            if not data:
                return selectors.EVENT_READ
        if self.kind in b"r" and not data:
            return 0
        self.crc = zlib.crc32(data, self.crc)
        self.got += len(data)
        ended = not data and self.kind in b"h"
        if self.kind in b"u" and self.got == self.size or ended:
            self.answer = SUM.pack(self.got, self.crc)
            return selectors.EVENT_WRITE
        return selectors.EVENT_READ if data or self.kind in b"uh" and self.got < self.size else 0

    def write(self):
        if self.kind in b"ds":
            data = block(self.sent, min(262144, self.size - self.sent))
            self.sent += self.connection.send(data)
            return selectors.EVENT_WRITE if self.sent < self.size else 0
        self.answer = self.answer[self.connection.send(self.answer) :]
        return selectors.EVENT_WRITE if self.answer else 0


def serve(port, connections):
    """Serves so many connections, and says what it has seen."""
    want_descriptors(100000)
    server = socket.create_server(("0.0.0.0", port), backlog=4096)
    server.setblocking(False)
    print("port", port, flush=True)
    poller = selectors.DefaultSelector()
    poller.register(server, selectors.EVENT_READ)
    done = resets = total = 0
    while done < connections:
        for key, events in poller.select():
            if key.fileobj is server:
                connection, _ = server.accept()
                connection.setblocking(False)
                poller.register(connection, selectors.EVENT_READ, Peer(connection))
                continue
            peer = key.data
            try:
                want = peer.read() if events & selectors.EVENT_READ else peer.write()
            except BlockingIOError:
                continue
            except ConnectionError:
                want = 0
                resets += 1
            if want:
                if want != key.events:
                    poller.modify(peer.connection, want, peer)
                continue
            poller.unregister(peer.connection)
            peer.connection.close()
            done += 1
            total += peer.got + peer.sent
    print("served", done, "reset", resets > 0, "bytes", total // 1000000, "MB")


class Client:
    def __init__(self, number, port, most):
        self.kind = b"udshr"[number % 5 : number % 5 + 1]
        self.size = most * (1 + number % 7) // 7
        if self.kind in b"s":
            self.size = self.size // 4 + 1
        self.sent = self.got = self.crc = 0
        self.answer = b""
        self.header = HEADER.pack(self.kind, self.size)
        self.connection = socket.socket()
        self.connection.connect(("127.0.0.1", port))
        self.connection.setblocking(False)
        if self.kind in b"s":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)

    def write(self):
        if self.header:
            self.header = self.header[self.connection.send(self.header) :]
            return selectors.EVENT_WRITE if self.header or self.kind in b"uhr" else selectors.EVENT_READ
        data = block(self.sent, min(262144, self.size - self.sent))
        sent = self.connection.send(data)
        self.crc = zlib.crc32(data[:sent], self.crc)
        self.sent += sent
        if self.kind in b"r" and self.sent > self.size // 2:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return 0
        if self.sent < self.size:
            return selectors.EVENT_WRITE
        if self.kind in b"h":
            self.connection.shutdown(socket.SHUT_WR)
        return selectors.EVENT_READ

    def read(self):
        data = self.connection.recv(4096 if self.kind in b"s" else 262144)
        if self.kind in b"ds":
            if data != block(self.got, len(data)) and not self.wraps(data):
                raise ValueError("wrong bytes")
            self.got += len(data)
            if self.got == self.size:
                return 0
        else:
            self.answer += data
            if len(self.answer) == SUM.size:
                if SUM.unpack(self.answer) != (self.size, self.crc):
                    raise ValueError("a wrong sum")
                return 0
        if not data:
            raise ValueError(f"the end after {self.got} of {self.size} bytes")
        return selectors.EVENT_READ

    def wraps(self, data):
        first = bytes(block(self.got, len(data)))
        return data == first + bytes(block(self.got + len(first), len(data) - len(first)))


def storm(port, connections, at_once, most):
    """Makes so many connections, some at once, of `most` bytes at most, and says which were wrong."""
    want_descriptors(at_once + 100)
    poller = selectors.DefaultSelector()
    begun = done = wrong = total = 0
    said = time.monotonic()
    while done < connections:
        while begun < connections and begun - done < at_once:
            client = Client(begun, port, most)
            poller.register(client.connection, selectors.EVENT_WRITE, client)
            begun += 1
        for key, events in poller.select():
            client = key.data
            try:
                want = client.write() if events & selectors.EVENT_WRITE else client.read()
            except BlockingIOError:
                continue
            except (ConnectionError, ValueError) as error:
                print("wrong:", client.kind, client.size, error, flush=True)
                wrong += 1
                want = 0
            if want:
                if want != key.events:
                    poller.modify(client.connection, want, client)
                continue
            poller.unregister(client.connection)
            client.connection.close()
            done += 1
            total += client.sent + client.got
        if time.monotonic() - said > 10:
            said = time.monotonic()
            print("after", done, "connections", total // 1000000, "MB", flush=True)
    print("stormed", done, "wrong", wrong, "bytes", total // 1000000, "MB")


what, *rest = sys.argv[1:]
{"serve": serve, "storm": storm}[what](*map(int, rest))
