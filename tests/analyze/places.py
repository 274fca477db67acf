# SPDX-License-Identifier: MIT
"""Bug: a number is read in one locked section and written in another."""
import os
import threading


class Counter:
    def __init__(self):
        self.lock = threading.Lock()
        self.value = 0

    def get(self):
        with self.lock:
            return self.value

    def put(self, value):
        with self.lock:
            self.value = value


def work(counter):
    seen = counter.get()
    counter.put(seen + 1)


counter = Counter()
threads = [threading.Thread(target=work, args=(counter,)) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
os._exit(counter.get() != 2)
