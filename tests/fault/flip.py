# SPDX-License-Identifier: MIT
#
# flip.py IMAGE COPY: for each line on standard input, makes COPY the image with one to three flipped bits, by a fixed seed,
# and prints a line. Every second copy has them in its first 700 bytes, where the loader reads.
import random
import sys

image, copy = open(sys.argv[1], "rb").read(), sys.argv[2]
random.seed(4711)
for number, _ in enumerate(sys.stdin):
    damaged = bytearray(image)
    for _ in range(random.randint(1, 3)):
        damaged[random.randrange(700 if number % 2 else len(image))] ^= 1 << random.randrange(8)
    open(copy, "wb").write(damaged)
    print("made", flush=True)
