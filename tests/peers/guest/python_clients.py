# SPDX-License-Identifier: MIT
"""The packages requests and urllib against a server with threads in the same process."""
import json
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import requests


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        data = self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(200, json.dumps({"path": self.path, "bytes": len(data), "sum": sum(data)}).encode())

    def do_GET(self):
        if self.path == "/again":
            return self.answer(302, b"", Location="/end")
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for i in range(5):
            self.wfile.write(b"6\r\nchunk%d\r\n" % i)
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("localhost", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://localhost:{server.server_port}"
with requests.Session() as session:
    for i in range(5):
        print(session.post(f"{url}/{i}", data=b"z" * i * 100000).json())
    answer = session.get(url + "/again")
    print(answer.history, answer.text)
    try:
        session.get("http://localhost:1/")
    except requests.ConnectionError as error:
        print("Connection refused" in str(error))
print(urllib.request.urlopen(url + "/again").read())
try:
    urllib.request.urlopen("http://localhost:1/")
except OSError as error:
    print(error)
