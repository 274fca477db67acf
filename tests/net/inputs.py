# SPDX-License-Identifier: MIT
# A program that looks for standard input before it reads, for input.test.
import os
import select
import socket
import sys
import threading
import time


def say(*words):
    print(*words, flush=True)


def poll():
    """Nothing has come before the first line; then each piece, by epoll."""
    os.set_blocking(0, False)
    say("select", select.select([0], [], [], 0)[0])
    try:
        say("read", os.read(0, 100))
    except BlockingIOError:
        say("read EAGAIN")
    say("ready")
    total, pieces = 0, select.epoll()
    pieces.register(0, select.EPOLLIN)
    while True:
        events = pieces.poll()
        data = os.read(0, 65536)
        if not data:
            break
        total += len(data)
        if len(data) < 100:
            say("piece", data)
    say("end", total, "bytes", bool(events[0][1] & select.EPOLLHUP))


def wait():
    """A wait with a long limit ends by the line, one with a short limit by the limit."""
    begin = time.monotonic()
    say("short", select.select([0], [], [], 0.02)[0], time.monotonic() - begin >= 0.02)
    say("ready")
    begin = time.monotonic()
    say("long", select.select([0], [], [], 36000)[0], time.monotonic() - begin < 3600)
    say("line", sys.stdin.readline())
    begin = time.monotonic()
    time.sleep(36000)  # nothing waits for input now
    say("slept", time.monotonic() - begin >= 36000)


def ticks():
    """Other threads go on while one reads."""
    done = threading.Event()

    def tick():
        for i in range(1, 1000):
            say("tick", i)
            if done.wait(0.005):
                break

    thread = threading.Thread(target=tick)
    thread.start()
    say("line", sys.stdin.readline())
    done.set()
    thread.join()


def chat(address, port):
    """Sends what comes on standard input, and prints what comes from the peer."""
    with socket.create_connection((address, int(port))) as peer:
        say("ready")
        ends = [0, peer]
        while ends:
            for end in select.select(ends, [], [])[0]:
                data = os.read(0, 100) if end == 0 else peer.recv(100)
                if not data:
                    ends.remove(end)
                if end == 0:
                    peer.sendall(data) if data else peer.shutdown(socket.SHUT_WR)
                elif data:
                    say("peer", data)


def first():
    """What is there before the program begins is seen at the first look."""
    say("select", select.select([0], [], [], 0)[0], os.read(0, 100))
    say("select", select.select([0], [], [], 0)[0], os.read(0, 100))


globals()[sys.argv[1]](*sys.argv[2:])
