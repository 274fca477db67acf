# SPDX-License-Identifier: MIT
"""Clients of memcached: several at once over TCP, and one over UDP."""
import socket
import threading

server = ("127.0.0.1", 11211)


def work(number, sums):
    stream = socket.create_connection(server).makefile("rwb")
    for i in range(50):
        value = b"%d" % (number * i)
        stream.write(b"set key%d-%d 0 0 %d\r\n%s\r\n" % (number, i, len(value), value))
        stream.flush()
        assert stream.readline() == b"STORED\r\n"
    sums[number] = 0
    for i in range(50):
        stream.write(b"get key%d-%d\r\n" % (number, i))
        stream.flush()
        stream.readline()
        sums[number] += int(stream.readline())
        assert stream.readline() == b"END\r\n"


sums = {}
threads = [threading.Thread(target=work, args=(number, sums)) for number in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(sums.items()))
with socket.create_connection(server) as client:
    client.sendall(b"stats\r\nquit\r\n")
    stats = client.makefile().read().splitlines()
print(*[line for line in stats if line.split()[1:2] in (["curr_items"], ["cmd_get"], ["threads"])], sep="\n")
with socket.socket(type=socket.SOCK_DGRAM) as client:
    client.sendto(b"\0\7\0\0\0\1\0\0get a\r\n", server)
    print(client.recv(1000))
