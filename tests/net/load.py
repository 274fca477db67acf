# SPDX-License-Identifier: MIT
# Servers and clients under load, on the host or in a guest.
import hashlib
import resource
import select
import socket
import struct
import sys
import threading


def want_descriptors(count):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard != resource.RLIM_INFINITY and hard < count:
        sys.exit(f"the hard limit of open files is {hard}, and {count} are needed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


def listen(port, backlog):
    server = socket.create_server(("0.0.0.0", port), backlog=backlog)
    print("port", server.getsockname()[1], flush=True)
    return server


def pattern(number, size):
    block = bytes((i * (number + 1) * 31 + i // 256) & 255 for i in range(4096))
    return (block * (size // 4096 + 1))[:size]


def replies(port, clients, size):
    """Answers each request line of `clients` keep-alive connections, all served by one thread, with `size` bytes."""
    server = listen(port, 64)
    poller = select.poll()
    poller.register(server, select.POLLIN)
    connections = {}
    ended = 0
    data = pattern(7, size)
    while ended < clients:
        for fd, _ in poller.poll():
            if fd == server.fileno():
                connection, _ = server.accept()
                connections[connection.fileno()] = connection
                poller.register(connection, select.POLLIN)
            elif connections[fd].recv(100):
                connections[fd].sendall(data)
            else:
                poller.unregister(fd)
                connections.pop(fd).close()
                ended += 1
    print("served", ended)


def in_turn(port, clients, size):
    """Keep-alive clients, of which one after another reads an answer."""
    connections = [socket.create_connection(("127.0.0.1", port), 60) for _ in range(clients)]
    want = pattern(7, size)
    for connection in connections:
        connection.sendall(b"request\n")
        got = bytearray()
        while len(got) < size:
            piece = connection.recv(1 << 20)
            if not piece:
                break
            got += piece
        if got != want:
            print("wrong answer of", len(got), "bytes")
    for connection in connections:
        connection.close()
    print("asked", clients)


def hoard(port, senders):
    """Accepts `senders` connections, and reads each to its end only when a line comes from standard input."""
    want_descriptors(senders + 100)
    server = listen(port, senders)
    connections = [server.accept()[0] for _ in range(senders)]
    print("accepted", flush=True)
    sys.stdin.readline()
    total = 0
    for connection in connections:
        data = bytearray()
        while piece := connection.recv(65536):
            data += piece
        number, size = struct.unpack_from("!II", data)
        if data[8:] != pattern(number, size):
            print("wrong bytes of sender", number)
        total += len(data) - 8
    print("read", total)


def send_all(port, senders, size, small):
    """`senders` connections that send as much as is taken until all is sent, `small` of them in pieces of one byte."""
    want_descriptors(senders + 100)
    poller = select.poll()
    left = {}
    stalls = 0
    for number in range(senders):
        connection = socket.create_connection(("127.0.0.1", port), 60)
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        data = memoryview(struct.pack("!II", number, size) + pattern(number, size))
        left[connection.fileno()] = (connection, data, 1 if number < small else 65536)
        poller.register(connection, select.POLLOUT)
    print("connected", flush=True)
    while left:
        ready = poller.poll(2000)
        if not ready and not stalls:
            stalls += 1
            print("stalled", flush=True)
        for fd, _ in ready:
            connection, data, piece = left[fd]
            try:
                data = data[connection.send(data[:piece]) :]
            except BlockingIOError:
                continue
            left[fd] = (connection, data, piece)
            if not data:
                poller.unregister(fd)
                left.pop(fd)
                connection.close()
    print("sent")


def slow_readers(port, clients, size):
    """All clients ask, and only then read, the last one first."""
    connections = [socket.create_connection(("127.0.0.1", port), 60) for _ in range(clients)]
    for connection in connections:
        connection.sendall(b"request\n")
    want = hashlib.sha256(pattern(7, size)).digest()
    for connection in reversed(connections):
        got = hashlib.sha256()
        count = 0
        while count < size and (piece := connection.recv(1 << 20)):
            got.update(piece)
            count += len(piece)
        if got.digest() != want:
            print("wrong answer of", count, "bytes")
        connection.close()
    print("asked", clients)


def threaded(port, clients, size):
    """Answers each of `clients` connections in a thread of its own."""
    server = listen(port, 64)
    data = pattern(7, size)

    def answer(connection):
        with connection:
            while connection.recv(100):
                connection.sendall(data)

    threads = []
    for _ in range(clients):
        threads.append(threading.Thread(target=answer, args=(server.accept()[0],)))
        threads[-1].start()
    for thread in threads:
        thread.join()
    print("served", clients)


def one_after_another(port, clients, size):
    """All clients connect; then each asks, reads and closes."""
    connections = [socket.create_connection(("127.0.0.1", port), 60) for _ in range(clients)]
    want = pattern(7, size)
    for connection in connections:
        connection.sendall(b"request\n")
        if connection.recv(size, socket.MSG_WAITALL) != want:
            print("wrong answer")
        connection.close()
    print("asked", clients)


def strangers(port):
    """Before it answers a datagram, another port sends one to the same place."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own, socket.socket(
        socket.AF_INET, socket.SOCK_DGRAM
    ) as stranger:
        own.bind(("127.0.0.1", port))
        print("port", own.getsockname()[1], flush=True)
        _, peer = own.recvfrom(100)
        stranger.sendto(b"stranger", peer)
        own.sendto(b"answer", peer)


def ask_once(address, port):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
        own.sendto(b"question", (address, port))
        print("got", own.recv(100).decode())


def main():
    what, *rest = sys.argv[1:]
    function = globals()[what]
    function(*[int(word) if word.isdigit() else word for word in rest])


main()
