# SPDX-License-Identifier: MIT
"""Two locked sections of Python, between which the value changes."""
import os
import sys
import threading


class Counter:
    def __init__(self):
        self.lock = threading.Lock()
        self.value = 0

    def get(self):
        with self.lock:  # cause
            return self.value  # cause

    def put(self, value):
        with self.lock:  # cause
            self.value = value  # cause


def work(counter):
    counter.put(counter.get() + 1)


counter = Counter()
threads = [threading.Thread(target=work, args=(counter,)) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
os._exit(counter.get() != 2)
