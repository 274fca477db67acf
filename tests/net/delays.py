# SPDX-License-Identifier: MIT
# What is under way between sockets of the guest, with --net-fault delay=LEAST..MOST ms: prints a line for each behaviour.
import ctypes
import fcntl
import os
import select
import socket
import struct
import sys
import termios
import threading
import time

LEAST, MOST = (float(text) / 1000 for text in sys.argv[1:3])
SLACK = 0.002  # virtual time for the work of this program
libc = ctypes.CDLL(None, use_errno=True)


def say(what, holds, *more):
    print("ok" if holds else "wrong", what, *(() if holds else more), flush=True)


def took(what, begin, trips, more=0.0):
    """The time since `begin` is that of so many trips."""
    seconds = time.monotonic() - begin
    say(what, trips * LEAST <= seconds <= trips * MOST + SLACK + more, seconds)


def pair():
    """Two ends of a connection that have nothing under way."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = socket.create_connection(server.getsockname())
        other, _ = server.accept()
    return client, other


def disconnect(end):
    address = struct.pack("=H14x", socket.AF_UNSPEC)
    libc.connect(end.fileno(), address, len(address))
    end.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)  # ECONNRESET, as on Linux


def error_of(call, *arguments):
    try:
        call(*arguments)
    except OSError as error:
        return error.strerror or str(error)
    return "none"


def unsent(end):
    return struct.unpack("i", fcntl.ioctl(end, termios.TIOCOUTQ, bytes(4)))[0]


def times():
    server = socket.create_server(("127.0.0.1", 0))
    begin = time.monotonic()
    client = socket.create_connection(server.getsockname())
    took("a connection takes a round trip", begin, 2)
    other, _ = server.accept()
    begin = time.monotonic()
    for _ in range(10):
        client.sendall(b"ping")
        other.sendall(other.recv(10))
        client.recv(10)
    took("ten round trips", begin, 20)
    begin = time.monotonic()
    client.close()
    say("end after a delay", other.recv(1) == b"")
    took("the end takes a trip", begin, 1)


def order():
    client, other = pair()
    begin = time.monotonic()
    sent = [b"%06d" % number for number in range(200)]
    for piece in sent:
        client.sendall(piece)
    say("SIOCOUTQ counts what is under way", unsent(client) > 0, unsent(client))
    client.close()
    say("the sender does not wait", time.monotonic() - begin < SLACK, time.monotonic() - begin)
    other.setblocking(False)
    say("nothing is there at once", error_of(other.recv, 1) == "Resource temporarily unavailable")
    other.setblocking(True)
    got = b""
    while data := other.recv(65536):
        got += data
    say("the order and the end are kept", got == b"".join(sent), len(got))
    client, other = pair()
    client.sendall(b"x" * 1000)
    other.recv(1000, socket.MSG_WAITALL)
    say("SIOCOUTQ is 0 after the arrival", unsent(client) == 0, unsent(client))
    # A buffer that is full: the sender waits, and nothing is lost.
    big = bytes(range(256)) * 40000
    threading.Thread(target=lambda: (client.sendall(big), client.shutdown(socket.SHUT_WR))).start()
    got = b""
    while data := other.recv(1 << 20):
        got += data
    say("much arrives whole", got == big, len(got))


def edges():
    client, other = pair()
    other.settimeout(LEAST / 2)
    client.sendall(b"a")
    say("a receive has its timeout", error_of(other.recv, 1) == "timed out" or LEAST == 0)
    other.settimeout(None)
    say("and data come later", other.recv(1) == b"a")
    epoll = select.epoll()
    epoll.register(other, select.EPOLLIN | select.EPOLLRDHUP | select.EPOLLET)
    begin = time.monotonic()
    client.sendall(b"b")
    say("no edge when it is sent", epoll.poll(0) == [])
    say("an edge when it arrives", epoll.poll() == [(other.fileno(), select.EPOLLIN)])
    took("the edge takes a trip", begin, 1)
    say("one edge", epoll.poll(1) == [])
    client.shutdown(socket.SHUT_WR)
    events = epoll.poll()
    say("an edge for the end", events == [(other.fileno(), select.EPOLLIN | select.EPOLLRDHUP)], events)
    client, other = pair()
    client.send(b"!", socket.MSG_OOB)
    say("urgent data are not there yet", select.select([], [], [other], 0)[2] == [])
    say("urgent data arrive", select.select([], [], [other])[2] == [other])
    say("an urgent byte", other.recv(1, socket.MSG_OOB) == b"!")


def ends():
    client, other = pair()
    client.sendall(b"last words")
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()
    say("data come before a reset", other.recv(100) == b"last words")
    say("a reset arrives", error_of(other.recv, 1) == "Connection reset by peer")
    client, other = pair()
    begin = time.monotonic()
    other.close()
    client.sendall(b"nobody reads it")
    say("the end of the other", client.recv(1) == b"")
    poll = select.poll()
    poll.register(client, 0)
    poll.poll()
    took("a closed socket answers by a reset", begin, 2)
    say("it breaks the connection", error_of(client.send, b"x") == "Broken pipe")
    client, other = pair()
    client.shutdown(socket.SHUT_WR)
    other.shutdown(socket.SHUT_WR)
    say("both end at the same time", client.recv(1) == b"" and other.recv(1) == b"")
    say("both are closed", error_of(client.getpeername) == error_of(other.getpeername) != "none")
    client, other = pair()
    client.shutdown(socket.SHUT_WR)
    other.recv(1)
    other.sendall(b"answer")
    other.close()
    say("one half stays open", client.recv(100) == b"answer" and client.recv(1) == b"")


def attempts():
    server = socket.create_server(("127.0.0.1", 0))
    begin = time.monotonic()
    client = socket.socket()
    client.setblocking(False)
    poll = select.poll()
    poll.register(client, select.POLLOUT)
    say("connect goes on", client.connect_ex(server.getsockname()) == 115)
    say("and again", client.connect_ex(server.getsockname()) == 114)
    say("it is not writable", poll.poll(0) == [])
    say("it becomes writable", poll.poll() == [(client.fileno(), select.POLLOUT)])
    took("it takes a round trip", begin, 2)
    client = socket.socket()
    client.setblocking(False)
    client.connect_ex(server.getsockname())
    name = server.getsockname()
    server.close()
    select.select([], [client], [])
    say("the listener has been closed", client.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 111)
    server = socket.create_server(name)
    for what in "close", "disconnect", "shutdown":
        client = socket.socket()
        client.setblocking(False)
        client.connect_ex(name)
        if what == "close":
            client.close()
        elif what == "disconnect":
            disconnect(client)
        else:
            client.shutdown(socket.SHUT_RDWR)
        server.settimeout(3 * MOST)
        say(what + " gives the attempt up", error_of(server.accept) == "timed out")
    server.settimeout(None)
    # Old data do not get into a new connection.
    client = socket.create_connection(name)
    other, _ = server.accept()
    other.sendall(b"old")
    client.sendall(b"old, too")
    disconnect(client)
    client.connect(name)
    new, _ = server.accept()
    new.sendall(b"new")
    say("only new data", client.recv(3) == b"new")
    say("data from before", other.recv(100) == b"old, too")
    say("then a reset", error_of(other.recv, 1) == "Connection reset by peer")
    alone = socket.socket()
    alone.bind(("127.0.0.1", 0))
    alone.connect(alone.getsockname())
    alone.sendall(b"myself")
    alone.shutdown(socket.SHUT_WR)
    say("a connection to itself", alone.recv(100) == b"myself" and alone.recv(1) == b"")
    alone = socket.socket()
    alone.bind(("127.0.0.1", 0))
    alone.connect(alone.getsockname())
    alone.sendall(b"myself")
    alone.close()


def datagrams():
    receiver, sender = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    receiver.bind(("127.0.0.1", 0))
    name = receiver.getsockname()
    begin = time.monotonic()
    for number in range(100):
        sender.sendto(b"%d" % number, name)
    sender.close()
    came = [int(receiver.recv(100)) for _ in range(100)]
    took("datagrams take a trip", begin, 1)
    say("all came", sorted(came) == list(range(100)))
    say("with a range they overtake each other", (came == sorted(came)) == (LEAST == MOST))
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.setblocking(False)
    count = 0
    while count < 1000 and error_of(sender.sendto, bytes(1000), name) == "none":
        count += 1
    say("the buffer is full", 0 < count < 1000, count)
    say("and not writable", select.select([], [sender], [], 0)[1] == [])
    say("SIOCOUTQ of datagrams", unsent(sender) > 1000 * count)
    say("it becomes writable", select.select([], [sender], [])[1] == [sender])
    time.sleep(2 * MOST)
    say("the buffer is empty", unsent(sender) == 0)
    receiver.close()
    sender.setblocking(True)
    sender.connect(name)
    begin = time.monotonic()
    sender.send(b"nobody")
    say("a closed port", error_of(sender.recv, 1) == "Connection refused")
    took("is told after a trip", begin, 1)


def exits():
    """A process that ends leaves what it has sent."""
    client, other = pair()
    if not os.fork():
        client.sendall(b"from a child")
        os._exit(0)
    client.close()
    os.wait()
    say("a process that ends", other.recv(100) == b"from a child" and other.recv(1) == b"")


for part in times, order, edges, ends, attempts, datagrams, exits:
    part()
