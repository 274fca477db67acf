# SPDX-License-Identifier: MIT
# Work for the interpreter: `COUNT` rounds of a sieve, of calls, and of strings and dictionaries.
import sys


def sieve(limit):
    marks = bytearray(b"\1") * limit
    for i in range(2, int(limit**0.5) + 1):
        if marks[i]:
            for j in range(i * i, limit, i):
                marks[j] = 0
    return sum(marks)


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def words(count):
    seen = {}
    for i in range(count):
        word = "w" + str(i * 7919 % 5003)
        seen[word] = seen.get(word, 0) + 1
    return len(",".join(sorted(seen)))


for _ in range(int(sys.argv[1])):
    sieve(100000), fibonacci(20), words(30000)
