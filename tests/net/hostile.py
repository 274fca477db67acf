# SPDX-License-Identifier: MIT
# A published server, and clients that break every rule: `serve TCP_PORT UDP_PORT` in the guest, `attack TCP UDP PID` on
# the host. Every form of hostile client is a function here; after each one a good client must get its answer.
import errno
import os
import select
import socket
import struct
import sys

HOST = "127.0.0.1"
forms = []
STORM = int(os.environ.get("HOSTILE", "1"))  # how many times as many connections and datagrams


def form(function):
    forms.append(function)
    return function


# --- the server ---


def answer(connection, data):
    """One request line; returns False if the connection is to be closed."""
    if data.startswith(b"GET "):
        body = b"x" * int(data.split()[1])
        connection.setblocking(True)
        connection.settimeout(1)  # a client that never reads is given up
        connection.sendall(b"OK %d\n" % len(body) + body)
        connection.setblocking(False)
        return True
    return not data.startswith(b"QUIT")


def serve(tcp, udp):
    server = socket.create_server(("0.0.0.0", tcp), backlog=128)
    server.setblocking(False)
    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    datagrams.bind(("0.0.0.0", udp))
    datagrams.setblocking(False)
    poller = select.poll()
    poller.register(server, select.POLLIN)
    poller.register(datagrams, select.POLLIN)
    connections = {}
    print("port", tcp, flush=True)
    running = True
    while running:
        for fd, _ in poller.poll():
            try:
                if fd == server.fileno():
                    connection, _ = server.accept()
                    connection.setblocking(False)
                    connections[connection.fileno()] = [connection, b""]
                    poller.register(connection, select.POLLIN)
                elif fd == datagrams.fileno():
                    data, peer = datagrams.recvfrom(65536)
                    if data.startswith(b"ask"):
                        datagrams.sendto(b"answer", peer)
                else:
                    running = serve_one(poller, connections, fd) and running
            except OSError:
                continue
    print("ended")


def serve_one(poller, connections, fd):
    connection, pending = connections[fd]
    stay = False
    try:
        data = connection.recv(65536)
        pending += data
        stay = bool(data) and len(pending) < 70000
        while stay and b"\n" in pending:
            line, pending = pending.split(b"\n", 1)
            if line == b"STOP":
                return False
            stay = answer(connection, line)
    except (OSError, ValueError, IndexError, OverflowError, MemoryError):
        stay = False
    connections[fd][1] = pending
    if not stay:
        poller.unregister(fd)
        connections.pop(fd)[0].close()
    return True


# --- clients ---


class Attack:
    def __init__(self, tcp, udp, pid):
        self.tcp, self.udp, self.pid = tcp, udp, pid

    def connect(self, receive_bytes=0):
        client = socket.socket()
        client.settimeout(60)
        if receive_bytes:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client.connect((HOST, self.tcp))
        return client

    def good(self):
        """A client as it should be, and a good datagram. One may be lost behind garbage, as on any host."""
        with self.connect() as client:
            client.sendall(b"GET 1000\n")
            got = read_exactly(client, 8 + 1000)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.connect((HOST, self.udp))
            client.settimeout(5)
            for _ in range(12):
                client.send(b"ask")
                try:
                    return got == b"OK 1000\n" + b"x" * 1000 and client.recv(100) == b"answer"
                except TimeoutError:
                    continue
        return False

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def resident(self):
        with open(f"/proc/{self.pid}/status") as status:
            return int(next(line for line in status if line.startswith("VmRSS")).split()[1])


def read_exactly(client, size):
    got = b""
    while len(got) < size and (piece := client.recv(size - len(got))):
        got += piece
    return got


def reset(client):
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


@form
def reset_at_once(attack):
    for _ in range(10 * STORM):
        reset(attack.connect())


@form
def reset_in_request(attack):
    client = attack.connect()
    client.sendall(b"GET 10")
    reset(client)


@form
def reset_after_request(attack):
    client = attack.connect()
    client.sendall(b"GET 100000\n")
    reset(client)


@form
def reset_in_answer(attack):
    client = attack.connect(4096)
    client.sendall(b"GET 1000000\n")
    client.recv(1)
    reset(client)


@form
def reset_with_unread(attack):
    client = attack.connect()
    client.sendall(b"GET 1000\n")
    select.select([client], [], [], 60)
    client.close()  # unread data: the host sends RST


@form
def close_at_once(attack):
    for _ in range(20 * STORM):
        attack.connect().close()


@form
def half_open(attack):
    attack.kept = [attack.connect() for _ in range(20 * STORM)]


@form
def half_open_gone(attack):
    for client in attack.kept:
        client.close()
    attack.kept = []


@form
def send_end_first(attack):
    client = attack.connect()
    client.shutdown(socket.SHUT_WR)
    client.recv(1)
    client.close()


@form
def request_and_end(attack):
    client = attack.connect()
    client.sendall(b"GET 50\n")
    client.shutdown(socket.SHUT_WR)
    read_exactly(client, 10000)
    client.close()


@form
def receive_end_first(attack):
    client = attack.connect()
    client.shutdown(socket.SHUT_RD)
    client.sendall(b"GET 1000\n")
    client.close()


@form
def both_ends_twice(attack):
    client = attack.connect()
    client.shutdown(socket.SHUT_RDWR)
    try:
        client.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    client.close()


@form
def slow_loris(attack):
    clients = [attack.connect() for _ in range(10 * STORM)]
    for byte in b"GET 5":
        for client in clients:
            client.sendall(bytes([byte]))
    for client in reversed(clients):
        client.close()


@form
def tiny_segments(attack):
    client = attack.connect()
    for byte in b"GET 20\n" * 20:
        client.sendall(bytes([byte]))
    read_exactly(client, 20 * 26)
    client.close()


@form
def zero_window(attack):
    attack.kept = [attack.connect(1) for _ in range(3 * STORM)]
    for client in attack.kept:
        client.sendall(b"GET 3000000\n")


@form
def zero_window_gone(attack):
    for client in attack.kept:
        reset(client)
    attack.kept = []


@form
def never_read_and_close(attack):
    for _ in range(3 * STORM):
        client = attack.connect(1)
        client.sendall(b"GET 500000\n")
        client.close()


@form
def urgent_data(attack):
    client = attack.connect()
    client.send(b"GE", socket.MSG_OOB)
    client.send(b"T", socket.MSG_OOB)
    client.sendall(b" 10\n")
    client.send(b"!" * 1000, socket.MSG_OOB)
    client.close()


@form
def urgent_and_reset(attack):
    client = attack.connect()
    client.send(b"!", socket.MSG_OOB)
    reset(client)


@form
def long_header(attack):
    client = attack.connect()
    try:
        client.sendall(b"A" * 65536)
        client.sendall(b"B" * 65536)
        client.recv(1)
    except OSError as error:
        assert error.errno in (errno.ECONNRESET, errno.EPIPE), error
    client.close()


@form
def empty_lines(attack):
    client = attack.connect()
    client.sendall(b"\n" * 60000)
    client.close()


@form
def binary_garbage(attack):
    client = attack.connect()
    client.sendall(bytes(range(256)) * 100)
    client.close()


@form
def numbers_out_of_range(attack):
    for text in (b"GET -5\n", b"GET 0x\n", b"GET \n", b"GET 99999999999999999999\n", b"GET \0\n"):
        client = attack.connect()
        client.sendall(text)
        try:
            client.recv(100)
        except OSError:
            pass
        client.close()


@form
def pipelined(attack):
    client = attack.connect()
    client.sendall(b"GET 30\n" * 200)
    assert len(read_exactly(client, 200 * 36)) == 200 * 36
    client.close()


@form
def pipelined_and_gone(attack):
    client = attack.connect()
    client.sendall(b"GET 3000\n" * 200)
    client.close()


@form
def upload_without_end(attack):
    client = attack.connect()
    client.setblocking(False)
    for _ in range(200):
        try:
            client.send(b"\n" + b"z" * 60000)
        except OSError:
            break
    reset(client)


@form
def storm_of_connections(attack):
    clients = []
    for i in range(60 * STORM):
        clients.append(attack.connect())
        if i % 3 == 0:
            clients.pop(i * 7919 % len(clients)).close()
        if i % 5 == 0 and clients:
            reset(clients.pop(i * 104729 % len(clients)))
    for client in clients[::2] + clients[1::2]:
        client.close()


@form
def storm_without_wait(attack):
    clients = []
    for _ in range(100 * STORM):
        client = socket.socket()
        client.setblocking(False)
        client.connect_ex((HOST, attack.tcp))
        clients.append(client)
    for client in clients:
        client.close()


@form
def out_of_order_closes(attack):
    clients = [attack.connect() for _ in range(12)]
    for i in (5, 0, 11, 3, 8, 1, 10, 2, 9, 4, 7, 6):
        clients[i].sendall(b"GET 10\n" if i % 2 else b"QUIT\n")
        clients[i].close()


@form
def quit_and_send(attack):
    client = attack.connect()
    client.sendall(b"QUIT\n")
    client.recv(1)
    try:
        for _ in range(5):
            client.sendall(b"more\n")
    except OSError:
        pass
    client.close()


@form
def many_source_addresses(attack):
    for i in range(2, 60):
        client = socket.socket()
        client.bind((f"127.0.{i % 7}.{i}", 0))
        client.settimeout(60)
        client.connect((HOST, attack.tcp))
        client.close()


@form
def options_of_tcp(attack):
    client = attack.connect()
    for option in (socket.TCP_MAXSEG, socket.TCP_CORK, socket.TCP_QUICKACK, socket.TCP_WINDOW_CLAMP):
        try:
            client.setsockopt(socket.IPPROTO_TCP, option, 100)
        except OSError:
            pass
    client.sendall(b"GET 5000\n")
    read_exactly(client, 5008)
    client.close()


@form
def closed_ports(attack):
    with socket.socket() as spare:  # bound without listening: closed for sure
        spare.bind((HOST, 0))
        for _ in range(20):
            with socket.socket() as client:
                assert client.connect_ex(spare.getsockname()) == errno.ECONNREFUSED


@form
def sixth_version(attack):
    """The port is published for IPv4 alone."""
    if socket.has_ipv6:
        try:
            with socket.socket(socket.AF_INET6) as client:
                assert client.connect_ex(("::1", attack.tcp)) != 0
        except OSError:
            return
        with socket.socket(socket.AF_INET6) as client:
            client.settimeout(60)
            if client.connect_ex(("::ffff:127.0.0.1", attack.tcp)) == 0:
                client.sendall(b"GET 5\n")
                assert read_exactly(client, 10) == b"OK 5\nxxxxx"


def datagrams(attack, payloads):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        for payload in payloads:
            try:
                client.sendto(payload, (HOST, attack.udp))
            except OSError as error:
                assert error.errno in (errno.EMSGSIZE, errno.ECONNREFUSED), error


@form
def garbage_datagrams(attack):
    datagrams(attack, [os.urandom(i * 37 % 1500) for i in range(100 * STORM)])


@form
def empty_datagrams(attack):
    datagrams(attack, [b""] * 50 * STORM)


@form
def largest_datagrams(attack):
    datagrams(attack, [b"L" * size for size in (65507, 65506, 65508, 40000, 9000, 8192, 8193)] * 3)


@form
def datagrams_of_many_ports(attack):
    for i in range(300 * STORM):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.sendto(b"ask" if i % 2 else b"noise", (HOST, attack.udp))


@form
def answers_to_nobody(attack):
    """Asks, and closes the port before the answer: the host reports it as unreachable."""
    for _ in range(50):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
            client.sendto(b"ask", (HOST, attack.udp))


def raw(attack, packets):
    """Sends IP packets of our own on the loopback alone, where this user may."""
    try:
        sender = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
    except PermissionError:
        return
    with sender:
        for protocol, payload in packets:
            header = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), 7, 0, 64, protocol, 0, b"\x7f\0\0\1", b"\x7f\0\0\1")
            try:
                sender.sendto(header + payload, (HOST, 0))
            except OSError:
                pass


@form
def wrong_lengths(attack):
    raw(attack, [(17, struct.pack("!HHHH", 4000, attack.udp, length, 0) + b"ask") for length in (0, 7, 8, 9, 11, 12, 100, 65535)])


@form
def odd_segments(attack):
    flags = (0, 1, 2, 4, 8, 16, 17, 20, 32, 0x29, 0x3F, 6, 3)
    raw(attack, [(6, struct.pack("!HHIIBBHHH", 4000 + flag, attack.tcp, 1, 2, length << 4, flag, 0, 0, 5)) for flag in flags for length in (0, 5, 15)])


def attack(tcp, udp, pid):
    it = Attack(tcp, udp, pid)
    it.kept = []
    wrong = 0
    for _ in range(5):  # all that is made once is made
        it.good()
    before, resident = it.descriptors(), it.resident()
    for function in forms:
        print("#", function.__name__, flush=True)
        function(it)
        if not it.good():
            wrong += 1
            print("wrong: after", function.__name__, "a good client gets no answer")
    for _ in range(200):  # connections that end take some turns of the monitor
        if it.descriptors() <= before:
            break
        it.good()
    if it.descriptors() > before:
        wrong += 1
        print("wrong:", before, "descriptors before,", it.descriptors(), "after:", sorted(os.readlink(f"/proc/{pid}/fd/{fd}").split(":")[0] for fd in os.listdir(f"/proc/{pid}/fd")))
    if it.resident() > resident + 128 * 1024:  # the guest's own pages are among them
        wrong += 1
        print("wrong:", resident, "kB before,", it.resident(), "after")
    with it.connect() as client:
        client.sendall(b"STOP\n")
    print("forms", len(forms), "wrong", wrong, flush=True)


what, *rest = sys.argv[1:]
globals()[what](*[int(word) for word in rest])
