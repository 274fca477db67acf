# SPDX-License-Identifier: MIT
# A peer for tests, on the host or in a guest: one end of TCP or UDP.
import asyncio
import hashlib
import socket
import struct
import sys
import threading
import time


def receive(connection):
    data = bytearray()
    while piece := connection.recv(65536):
        data += piece
    return bytes(data)


def answer(connection):
    """The hash of what came, and as many bytes of it as there were."""
    with connection:
        data = receive(connection)
        text = hashlib.sha256(data).hexdigest().encode()
        connection.sendall(text + data)


def serve(address, port, count):
    """Answers `count` connections, each in a thread of its own."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.create_server((address, port), family=family, backlog=64) as server:
        print("port", server.getsockname()[1], flush=True)
        threads = []
        for _ in range(count):
            connection, _ = server.accept()
            threads.append(threading.Thread(target=answer, args=(connection,)))
            threads[-1].start()
        for thread in threads:
            thread.join()
        print("served", count)


def ask(address, port, size, count=1):
    """Makes `count` connections at once, sends bytes on each, and checks the answers."""

    def one(number):
        data = bytes((i * (number + 1) * 31) & 255 for i in range(min(size, 4096))) * (size // 4096 + 1)
        data = data[:size]
        with socket.create_connection((address, port), 30) as connection:
            sender = threading.Thread(target=lambda: (connection.sendall(data), connection.shutdown(socket.SHUT_WR)))
            sender.start()
            got = receive(connection)
            sender.join()
        if got != hashlib.sha256(data).hexdigest().encode() + data:
            print("wrong answer of", len(got), "bytes")

    def one_or_error(number):
        try:
            one(number)
        except OSError as error:
            print(type(error).__name__, error.errno, error.strerror)

    threads = [threading.Thread(target=one_or_error, args=(n,)) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("asked", count, "times for", size, "bytes")


def bounce(address, port):
    """Echoes the bytes of one connection as they come."""
    with socket.create_server((address, port)) as server:
        print("port", server.getsockname()[1], flush=True)
        connection, _ = server.accept()
        while data := connection.recv(65536):
            connection.sendall(data)


def rounds(address, port, count):
    """Sends a few bytes and waits for them to come back, `count` times."""
    with socket.create_connection((address, port), 30) as connection:
        for _ in range(count):
            connection.sendall(b"there and back")
            connection.recv(14, socket.MSG_WAITALL)
    print("went", count, "times")


def echo(address, port, count):
    """Echoes datagrams."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
        own.bind((address, port))
        print("port", own.getsockname()[1], flush=True)
        for _ in range(count):
            data, peer = own.recvfrom(65536)
            own.sendto(data[::-1], peer)


def say(address, port, sizes):
    """Sends datagrams, and prints the answers."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
        for size in sizes:
            own.sendto(bytes(range(256)) * (size // 256) + b"x" * (size % 256), (address, port))
            data, peer = own.recvfrom(65536)
            print("answer of", len(data), "bytes from", peer[0], peer[1] == port)


def flood(address, port, count):
    """Answers a datagram with many, of which some may be lost."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
        own.bind((address, port))
        print("port", own.getsockname()[1], flush=True)
        _, peer = own.recvfrom(100)
        for i in range(count):
            own.sendto(i.to_bytes(4, "big") + bytes(1396), peer)


def drain(address, port):
    """Asks once, and counts the answers until none comes for a second."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
        own.settimeout(1)
        own.sendto(b"go", (address, port))
        got = 0
        try:
            while True:
                data = own.recv(2000)
                got += len(data) == 1400
        except TimeoutError:
            pass
        print("got", got)


def dns_delay():
    """Says how much later than others a datagram to port 53 arrives."""
    took = []
    for port in (52, 53):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
            own.bind(("127.0.0.1", port))
            start = time.monotonic()
            own.sendto(b"hello", ("127.0.0.1", port))
            own.recv(10)
            took.append(time.monotonic() - start)
    print(f"later by {took[1] - took[0]:.2f} seconds")


def refused(address, port):
    """Sends a datagram to a port that nobody has."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
        own.connect((address, port))
        own.send(b"hello")
        try:
            own.recv(10)
        except OSError as error:
            print(type(error).__name__)


def crowd(address, port, count):
    """Opens many connections, lets them idle, then asks on the first and the last."""
    connections = [socket.create_connection((address, port), 30) for _ in range(count)]
    for connection in (connections[-1], connections[0]):
        connection.sendall(b"here")
        print("answer", connection.recv(10))
    # One is reset with data unread, one says nothing more.
    connections[1].sendall(b"lost")
    connections[1].setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def host_crowd(port, count):
    """Echoes on each of `count` connections until all are closed."""
    closed = asyncio.Event()
    seen = [0, 0]

    async def echo_all(reader, writer):
        seen[0] += 1
        try:
            while data := await reader.read(100):
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            print("reset")
        writer.close()
        seen[1] += 1
        if seen[1] == count:
            closed.set()

    server = await asyncio.start_server(echo_all, "0.0.0.0", port, backlog=20)
    print("port", port, flush=True)
    await closed.wait()
    server.close()
    print("closed", seen)


def lines():
    for line in sys.stdin:
        print("line", line.strip())


def main():
    what, *rest = sys.argv[1:]
    if what == "serve":
        serve(rest[0], int(rest[1]), int(rest[2]))
    elif what == "ask":
        ask(rest[0], int(rest[1]), int(rest[2]), int(rest[3]))
    elif what == "bounce":
        bounce(rest[0], int(rest[1]))
    elif what == "rounds":
        rounds(rest[0], int(rest[1]), int(rest[2]))
    elif what == "echo":
        echo(rest[0], int(rest[1]), int(rest[2]))
    elif what == "say":
        say(rest[0], int(rest[1]), [int(size) for size in rest[2:]])
    elif what == "flood":
        flood(rest[0], int(rest[1]), int(rest[2]))
    elif what == "drain":
        drain(rest[0], int(rest[1]))
    elif what == "dns_delay":
        dns_delay()
    elif what == "refused":
        refused(rest[0], int(rest[1]))
    elif what == "crowd":
        crowd(rest[0], int(rest[1]), int(rest[2]))
    elif what == "host_crowd":
        asyncio.run(host_crowd(int(rest[0]), int(rest[1])))
    elif what == "lines":
        lines()
    elif what == "idle":
        socket.create_connection((rest[0], int(rest[1]))).recv(1)


try:
    main()
except OSError as error:
    print(type(error).__name__, error.errno, error.strerror)
    sys.exit(3)
