# SPDX-License-Identifier: MIT
# Counts what happens to connections and datagrams inside the guest.
import collections
import socket
import sys

count = collections.Counter()
server = socket.create_server(("127.0.0.1", 0), backlog=8)
for number in range(200):
    try:
        client = socket.create_connection(server.getsockname())
    except ConnectionRefusedError:
        count["refused"] += 1
        continue
    other, _ = server.accept()
    try:
        sent = bytes(range(256)) * 4
        client.setblocking(False)
        for piece in range(4):
            done = client.send(sent[piece * 256 : piece * 256 + 256])
            count["short sends"] += done < 256
            while done < 256:
                done += client.send(sent[piece * 256 + done : piece * 256 + 256])
        client.shutdown(socket.SHUT_WR)
        got = b""
        while part := other.recv(1024):
            count["short receives"] += len(part) < min(1024 - len(got), 256)
            got += part
        count["whole" if got == sent else "cut"] += 1
    except ConnectionResetError:
        count["reset"] += 1
    except BrokenPipeError:
        count["broken"] += 1
    except OSError as error:
        count[error.strerror] += 1
    client.close()
    other.close()

receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.bind(("127.0.0.1", 0))
receiver.setblocking(False)
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
order = []
for number in range(200):
    sender.sendto(b"%d" % number, receiver.getsockname())
while True:
    try:
        order.append(int(receiver.recv(100)))
    except BlockingIOError:
        break
count["datagrams lost"] = 200 - len(set(order))
count["datagrams twice"] = len(order) - len(set(order))
count["datagrams early"] = sum(a > b for a, b in zip(order, order[1:]))
for name in sorted(count):
    print(name, count[name])
sys.stdout.flush()
