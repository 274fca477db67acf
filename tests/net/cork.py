# SPDX-License-Identifier: MIT
# What TCP_CORK and MSG_MORE let through to the outside: a server that says how many bytes came first, and its client.
import os
import socket
import sys


def serve():
    with socket.create_server(("127.0.0.1", 0)) as server:
        print("port", server.getsockname()[1], flush=True)
        for _ in range(4):
            connection, _ = server.accept()
            with connection:
                connection.sendall(str(len(connection.recv(65536))).encode())


def ask(port, way):
    """Sends 100 pieces of 10 bytes, which arrive as one."""
    connection = socket.create_connection(("10.0.2.2", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, way == "cork")
    for _ in range(100):
        connection.send(b"0123456789", 0 if way == "cork" else socket.MSG_MORE)
    if way == "exit":
        os._exit(0)
    if way == "cork":
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 0)
    if way == "more":
        connection.send(b"the end")
    print("first", connection.recv(100).decode())


serve() if sys.argv[1] == "serve" else ask(int(sys.argv[2]), sys.argv[1])
