# SPDX-License-Identifier: MIT
"""Bug: answers out of order in asyncio. Each request is answered by a thread, and the last answer to come is shown, even
if a later request was answered before. Bites: "request 1 is shown", status 1. With the argument `fixed`, an answer to an
earlier request than the one shown is dropped."""
import asyncio
import os
import sys

fixed = "fixed" in sys.argv
shown = 0


def answer(request):
    for _ in range(3):
        os.listdir("/proc/self")  # other threads can run meanwhile
    return request


async def ask(request):
    global shown
    got = await asyncio.to_thread(answer, request)
    if not fixed or got > shown:
        shown = got


async def main():
    await asyncio.gather(ask(1), ask(2))


asyncio.run(main())
if shown != 2:
    print("request", shown, "is shown")
    sys.exit(1)
