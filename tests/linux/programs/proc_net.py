# SPDX-License-Identifier: MIT
# /proc/net shows a listener with a connection in its queue, a datagram socket, and an abstract name.
import socket

listener = socket.create_server(("127.0.0.1", 80))
datagrams = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
datagrams.bind(("::1", 53))
named = socket.socket(socket.AF_UNIX)
named.bind("\0name")
client = socket.create_connection(("127.0.0.1", 80))
for table, columns in ("tcp", slice(1, 5)), ("udp6", slice(1, 4)), ("unix", slice(7, 8)):
    with open(f"/proc/net/{table}") as file:
        for line in file.readlines()[1:]:
            print(table, *line.split()[columns])
