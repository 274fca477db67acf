# SPDX-License-Identifier: MIT
# A toy of Raft: three processes choose a leader by majority, and the leader commits entries that a majority has. Its
# error: a node that nobody has heard for 30 seconds is taken for dead, and the majority is that of the living. So two
# leaders commit different entries, but only while a partition keeps living nodes apart: neither delays of up to ten
# seconds nor losses make a node silent for so long.
import json
import os
import random
import select
import socket
import sys
import time

NODES = 3
PORT = 7000
SILENCE_S = 30
END_S = 150


class Node:
    def __init__(self, number, report):
        self.number = number
        self.report = report
        self.random = random.Random(number)
        self.link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.link.bind(("127.0.0.1", PORT + number))
        self.term = 0
        self.voted = {}
        self.votes = set()
        self.role = "follower"
        self.log = {}
        self.acks = {}
        self.heard = {peer: time.monotonic() for peer in range(NODES) if peer != number}
        self.leader_seen = time.monotonic()
        self.patience = 15 + 5 * number

    def send(self, peer, **message):
        message.update(source=self.number, term=self.term)
        self.link.sendto(json.dumps(message).encode(), ("127.0.0.1", PORT + peer))

    def majority(self):
        now = time.monotonic()
        living = 1 + sum(now - heard < SILENCE_S for heard in self.heard.values())
        return living // 2 + 1

    def stand(self):
        self.term += 1
        self.role = "candidate"
        self.votes = {self.number}
        self.voted[self.term] = self.number
        self.leader_seen = time.monotonic()

    def take(self, message):
        source, term = message["source"], message["term"]
        self.heard[source] = time.monotonic()
        if term > self.term:
            self.term, self.role = term, "follower"
        what = message["what"]
        if what == "ask" and term == self.term and self.voted.setdefault(term, source) == source:
            self.leader_seen = time.monotonic()
            self.send(source, what="vote")
        elif what == "vote" and term == self.term and self.role == "candidate":
            self.votes.add(source)
        elif what == "entry" and term == self.term:
            self.role = "follower"
            self.leader_seen = time.monotonic()
            if message["value"]:
                self.log[message["index"]] = message["value"]
            self.send(source, what="have", index=message["index"])
        elif what == "have" and term == self.term and self.role == "leader":
            self.acks.setdefault(message["index"], {self.number}).add(source)

    def tick(self):
        now = time.monotonic()
        if self.role == "candidate" and len(self.votes) >= self.majority():
            self.role = "leader"
            self.acks = {}
            self.log = {index: value for index, value in self.log.items() if index in self.committed}
        if self.role == "leader":
            index = len(self.committed)
            self.log.setdefault(index, f"{self.number} in term {self.term}")
            self.acks.setdefault(index, {self.number})
            if len(self.acks[index]) >= self.majority():
                self.committed[index] = self.log[index]
                self.report.write(f"{index} {self.log[index]}\n")
                self.report.flush()
            for peer in self.heard:
                self.send(peer, what="entry", index=index, value=self.log.get(index, ""))
        elif now - self.leader_seen > self.patience:
            self.stand()
        if self.role == "candidate":
            for peer in self.heard:
                self.send(peer, what="ask")

    def run(self):
        self.committed = {}
        while time.monotonic() < self.end:
            self.tick()
            wake = time.monotonic() + 1
            while (left := wake - time.monotonic()) > 0:
                if select.select([self.link], [], [], left)[0]:
                    self.take(json.loads(self.link.recv(1000)))


def main():
    reading, writing = os.pipe()
    start = time.monotonic()
    for number in range(NODES):
        if os.fork() == 0:
            os.close(reading)
            node = Node(number, os.fdopen(writing, "w"))
            node.end = start + END_S
            node.run()
            os._exit(0)
    os.close(writing)
    entries = {}
    for line in os.fdopen(reading):
        index, value = line.strip().split(" ", 1)
        if entries.setdefault(index, value) != value:
            print(f"entry {index} was committed twice: {entries[index]}, {value}")
            sys.exit(3)
    print("committed", len(entries) > 5)


main()
