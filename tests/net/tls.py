# SPDX-License-Identifier: MIT
# HTTP over TLS for tests: a server on the host, a client in a guest; and a reader of the keys in a capture.
import http.server
import socket
import ssl
import struct
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = f"the answer to {self.path}\n".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def serve(certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print("port", server.server_address[1], flush=True)
        server.serve_forever()


def ask(port, paths):
    """Makes a request for each path, on a connection of its own."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    for path in paths:
        with socket.create_connection(("10.0.2.2", port), 30) as plain, context.wrap_socket(plain) as connection:
            connection.sendall(f"GET {path} HTTP/1.0\r\nHost: example.org\r\n\r\n".encode())
            data = b""
            while piece := connection.recv(4096):
                data += piece
            print(connection.version(), data.split(b"\r\n\r\n")[1].decode().strip())


def read_keys(name):
    """The blocks of a capture: checks their lengths, and that each ClientHello has keys in a block before it."""
    data = open(name, "rb").read()
    at, text, blocks, hellos, known = 0, b"", 0, 0, 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        assert length % 4 == 0 and struct.unpack_from("<I", data, at + length - 4)[0] == length, at
        if kind == 10:
            secrets, size = struct.unpack_from("<4sI", data, at + 8)
            assert secrets == b"KSLT" and size <= length - 20
            text += data[at + 16 : at + 16 + size]
            blocks += 1
        elif kind == 6:
            frame = data[at + 28 : at + length - 4]
            payload = frame[14 + 20 + 20 :]  # Ethernet, IPv4, TCP without options
            if payload[:1] == b"\x16" and payload[5:6] == b"\1":
                hellos += 1
                known += payload[11:43].hex().encode() in text
        at += length
    return text, blocks, hellos, known


def main():
    what, *rest = sys.argv[1:]
    if what == "serve":
        serve(*rest)
    elif what == "ask":
        ask(int(rest[0]), rest[1:])
    elif what == "text":
        sys.stdout.write(read_keys(rest[0])[0].decode())
    else:
        text, blocks, hellos, known = read_keys(rest[0])
        print(f"{blocks} blocks, {hellos} connections, {known} with keys, {len(text.splitlines())} lines")


main()
