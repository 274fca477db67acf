# SPDX-License-Identifier: MIT
# `COUNT` products of two matrices of 400 rows, on one thread.
import sys

import numpy

random = numpy.random.default_rng(1)
a, b = random.random((400, 400)), random.random((400, 400))
for _ in range(int(sys.argv[1])):
    a @ b
