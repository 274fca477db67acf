# SPDX-License-Identifier: MIT
# What happens in the guest with --net-fault partition=2s..5s,partition=7s..8s: prints a line for each behaviour.
import select
import socket
import threading
import time


def say(what, holds, *more):
    print("ok" if holds else "wrong", what, *(() if holds else more), flush=True)


def until(second):
    time.sleep(second - time.monotonic())


def at(second):
    return second <= time.monotonic() < second + 0.01


server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
other, _ = server.accept()
receiver, sender = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
receiver.bind(("127.0.0.1", 0))
until(1)
client.sendall(b"before")
sender.sendto(b"before", receiver.getsockname())
say("before it", other.recv(100) == receiver.recv(100) == b"before" and at(1))

small = socket.create_server(("127.0.0.1", 0), backlog=0)
crowd = []
for _ in range(4):
    crowd.append(socket.socket())
    crowd[-1].setblocking(False)
    crowd[-1].connect_ex(small.getsockname())
say("a queue has room for one", select.select([], crowd, [], 0)[1] == crowd[:1])

until(2.5)
small.accept()
say("those that wait for room try again later", select.select([], crowd, [], 0.1)[1] == crowd[:1])
client.sendall(b"one")
sender.sendto(b"lost", receiver.getsockname())
sender.sendto(b"also lost", receiver.getsockname())
begun = socket.socket()
begun.setblocking(False)
say("an attempt is under way", begun.connect_ex(server.getsockname()) == 115)
limited = socket.socket()
limited.settimeout(1)
try:
    limited.connect(server.getsockname())
    say("an attempt with a timeout", False)
except TimeoutError:
    say("an attempt with a timeout", at(3.5))
limited.close()
client.sendall(b"two")
client.shutdown(socket.SHUT_WR)
say("nothing arrives", select.select([other, receiver, server], [begun], [], 1) == ([], [], []) and at(4.5))
waits = []
thread = threading.Thread(target=lambda: waits.append((socket.create_connection(server.getsockname()), time.monotonic())))
thread.start()
say("data arrive at its end", other.recv(100) == b"onetwo" and at(5), time.monotonic())
say("then the end", other.recv(1) == b"")
thread.join()
say("connections are made at its end", 5 <= waits[0][1] < 5.01, waits[0][1])
say("the one under way, too", select.select([], [begun], [], 0)[1] == [begun])
small.accept()
small.accept()
say("those that waited are connected", select.select([], crowd, [], 0)[1] == crowd)
server.setblocking(False)
accepted = []
while select.select([server], [], [], 0)[0]:
    accepted.append(server.accept())
say("both are accepted, and the other is not", len(accepted) == 2, len(accepted))
say("datagrams are lost", select.select([receiver], [], [], 1)[0] == [])
sender.sendto(b"after", receiver.getsockname())
say("after it", receiver.recv(100) == b"after" and at(6), time.monotonic())

until(7.5)
other.sendall(b"again")
say("a second one", client.recv(100) == b"again" and at(8), time.monotonic())
