# SPDX-License-Identifier: MIT
# Servers and clients in one process: asyncio over IPv4, a server with threads over IPv6, a refused connection.
import asyncio
import hashlib
import socket
import socketserver
import threading


async def answer(reader, writer):
    while line := await reader.readline():
        writer.write(line.upper())
        await writer.drain()
    writer.close()


async def ask(port, number):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = []
    for i in range(20):
        writer.write(f"client {number} line {i}\n".encode())
        lines.append(await reader.readline())
    writer.close()
    await writer.wait_closed()
    return hashlib.sha256(b"".join(lines)).hexdigest()[:8]


async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    print(await asyncio.gather(*[ask(port, number) for number in range(8)]))
    server.close()


class Count(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(str(len(self.rfile.read())).encode())


class Server(socketserver.ThreadingTCPServer):
    address_family = socket.AF_INET6


def count(address, size, counts):
    with socket.create_connection(address) as connection:
        connection.sendall(b"x" * size)
        connection.shutdown(socket.SHUT_WR)
        counts[size] = connection.recv(100)


asyncio.run(main())
with Server(("::1", 0), Count) as server:
    threads = [threading.Thread(target=server.serve_forever)]
    threads[0].start()
    counts = {}
    clients = [
        threading.Thread(target=count, args=(server.server_address[:2], size, counts))
        for size in (1, 1000, 100000, 1000000)
    ]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    print(sorted(counts.items()))
    server.shutdown()
    threads[0].join()
try:
    socket.create_connection(("localhost", 1))
except OSError as error:
    print(type(error).__name__)
