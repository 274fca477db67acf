# SPDX-License-Identifier: MIT
# HTTP for tests: a server on the host, clients and a server in a guest.
import http.client
import http.server
import random
import sys
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    served = 0
    text = ""

    def answer(self, body):
        type(self).served += 1
        print(self.command, self.path, flush=True)
        data = f"{self.text}{self.command} {self.path} {body} number {type(self).served}\n".encode()
        self.send_response(200)
        if self.path.startswith("/close"):
            self.send_header("Connection", "close")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        self.answer(self.headers["Host"].split(":")[0])

    def do_POST(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            total = 0
            while size := int(self.rfile.readline(), 16):
                total += len(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
        else:
            total = len(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer(f"{total} bytes")

    def log_message(self, *_):
        pass


def serve(address, port, text):
    """Answers each request with what it was, and its number."""
    Handler.text = text
    with http.server.ThreadingHTTPServer((address, port), Handler) as server:
        print("port", server.server_address[1], flush=True)
        server.serve_forever()


def ask(address, port, paths, is_one):
    """Makes a request for each path, on one connection or on one each, and prints the answers."""
    connection = None
    for path in paths:
        if connection is None or not is_one:
            connection = http.client.HTTPConnection(address, port, timeout=30)
        try:
            if path.startswith("/post"):
                connection.request("POST", path, random.randbytes(100000))
            elif path.startswith("/chunks"):
                connection.request("POST", path, iter([b"a" * 1000, b"b" * 70000]), {}, encode_chunked=True)
            else:
                connection.request("GET", path)
            answer = connection.getresponse()
            print(answer.status, answer.read().decode().strip())
        except OSError as error:
            print(path, type(error).__name__)
            connection = None


def at_once(address, port, paths):
    """Makes the requests in a thread each."""
    threads = [threading.Thread(target=ask, args=(address, port, [path], True)) for path in paths]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main():
    what, address, port, *rest = sys.argv[1:]
    if what == "serve":
        serve(address, int(port), rest[0] if rest else "")
    elif what == "threads":
        at_once(address, int(port), rest)
    else:
        ask(address, int(port), rest, what == "one")


main()
