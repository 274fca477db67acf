# SPDX-License-Identifier: MIT
# Threads that share a queue and a lock.
import threading, queue
q = queue.Queue(); total = 0; lock = threading.Lock()
def work():
    global total
    while (n := q.get()) is not None:
        with lock: total += n
ts = [threading.Thread(target=work) for _ in range(4)]
for t in ts: t.start()
for i in range(2000): q.put(i)
for t in ts: q.put(None)
for t in ts: t.join()
print(total)
