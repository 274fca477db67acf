# SPDX-License-Identifier: MIT
"""Multicast on eth0, which the tests' own network has not natively."""
import socket

OWN = socket.inet_aton('10.0.2.15')
MDNS = '224.0.0.251'


def show(receiver):
    try:
        print(receiver.recvfrom(10)[0])
    except BlockingIOError:
        print('nothing')


def member(family, own):
    receiver = socket.socket(family, socket.SOCK_DGRAM)
    receiver.bind((own, 5353 if family == socket.AF_INET else 5354))
    receiver.setblocking(False)
    return receiver


four, six = member(socket.AF_INET, ''), member(socket.AF_INET6, '::')
four.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(MDNS) + OWN)
group = socket.inet_pton(socket.AF_INET6, 'ff02::fb')
six.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group + (2).to_bytes(4, 'little'))
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, OWN)
sender.sendto(b'loop', (MDNS, 5353))
show(four)
sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 0)
sender.sendto(b'outside', (MDNS, 5353))
show(four)
sender = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
sender.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, 2)
sender.sendto(b'six', ('ff02::fb', 5354))
show(six)
