# SPDX-License-Identifier: MIT
# A server that gives secrets in pieces, and a client that sends some (redact.test).
#
#   secrets.py serve          prints `port N`; for each connection: answers a line by secrets in pieces, then waits
#   secrets.py ask PORT WHAT  asks; WHAT: print | use | stay | file NAME
import socket
import sys
import time

SECRET = b"secret-" + b"0123456789" * 4
LONG = b"secret-" + b"7" * 12000


def serve():
    server = socket.create_server(("127.0.0.1", 0))
    print("port", server.getsockname()[1], flush=True)
    while True:
        connection, _ = server.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line = b""
        while not line.endswith(b"\n"):
            got = connection.recv(4096)
            if not got:
                break
            line += got
        for piece in [b"plain " * 10] + [bytes([c]) for c in SECRET] + [b" and ", LONG[:5000], LONG[5000:], b" end\n"]:
            connection.sendall(piece)
            time.sleep(0.002)
        if line.startswith(b"stay"):
            connection.recv(1)
        connection.close()


def ask(port, what, name=None):
    outside = socket.create_connection(("10.0.2.2", port))
    secret = b"secret-none"
    if name:
        with open(name, "rb") as file:
            secret = file.read().strip()
    outside.sendall(b"stay " if what == "stay" else b"go ")
    for at in range(0, len(secret), 3):  # a secret crosses the messages of the guest, too
        outside.sendall(secret[at : at + 3])
    outside.sendall(b"\n")
    text = b""
    while not text.endswith(b" end\n"):
        got = outside.recv(65536)
        if not got:
            break
        text += got
    if what == "stay":
        print("got", text == b"plain " * 10 + SECRET + b" and " + LONG + b" end\n", flush=True)
        outside.recv(1)
    elif what == "use":  # what is sent depends on each byte
        print("got", len(text), sum(text), flush=True)
        outside.sendall(b"sum %d\n" % sum(text))
    else:
        print("got", len(text), text.count(b"plain"), flush=True)


if sys.argv[1] == "serve":
    serve()
else:
    ask(int(sys.argv[2]), sys.argv[3], *sys.argv[4:])
