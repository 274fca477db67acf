# SPDX-License-Identifier: MIT
# A figure by NumPy and Matplotlib.
import matplotlib
import numpy

matplotlib.use("Agg")
import matplotlib.pyplot as plot

x = numpy.linspace(0, 10, 500)
y = numpy.sin(x) + numpy.random.default_rng(1).normal(0, 0.1, x.size)
fit = numpy.polynomial.Polynomial.fit(x, y, 9)
plot.plot(x, y, ".")
plot.plot(x, fit(x))
plot.savefig("/tmp/eremite-bench-figure.png")
