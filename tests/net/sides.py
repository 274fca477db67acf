# SPDX-License-Identifier: MIT
# Three processes send each other a datagram in second 20. Prints a word SENDER-RECEIVER, such as 02, for each that comes.
import os
import select
import socket
import time

reading, writing = os.pipe()
for number in range(3):
    if os.fork() == 0:
        link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        link.bind(("127.0.0.1", 7000 + number))
        time.sleep(20)
        for peer in range(3):
            if peer != number:
                link.sendto(b"%d" % number, ("127.0.0.1", 7000 + peer))
        while select.select([link], [], [], 20)[0]:
            os.write(writing, link.recv(10) + b"%d\n" % number)
        os._exit(0)
os.close(writing)
for word in os.fdopen(reading):
    print(word.strip())
