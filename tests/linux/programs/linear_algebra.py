# SPDX-License-Identifier: MIT
# NumPy with OpenBLAS: linear algebra by as many threads as the argument says, Fourier transforms, random numbers, files.
# Every bit of the results is shown, by digests.
import ctypes
import hashlib
import sys
import threading

import numpy as np
from numpy import fft, linalg


def digest(*arrays):
    return hashlib.sha256(b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)).hexdigest()[:16]


def show(name, *arrays):
    print(name, *[f"{float(np.sum(np.abs(a))):.9g}" for a in arrays], digest(*arrays))


blas = ctypes.CDLL("libopenblas.so.0")
blas.openblas_set_num_threads(int(sys.argv[1]))
blas.openblas_get_corename.restype = ctypes.c_char_p
print(blas.openblas_get_num_threads(), "threads for", blas.openblas_get_corename().decode())
rng = np.random.default_rng(1234)
a = rng.standard_normal((300, 300))
b = rng.standard_normal((300, 200))
show("normal", a)
show("product", a @ b)
show("single", a.astype(np.float32) @ b.astype(np.float32))
show("complex", (a + 1j * a.T) @ (b - 2j * b))
show("solve", linalg.solve(a, b))
show("inverse", linalg.inv(a))
show("svd", linalg.svd(a, compute_uv=False))
show("eigen", np.sort(np.abs(linalg.eigvals(a))))
show("symmetric", linalg.eigvalsh(a + a.T))
show("qr", np.abs(linalg.qr(a)[1]))
show("cholesky", linalg.cholesky(a @ a.T + 300 * np.eye(300)))
show("least squares", linalg.lstsq(b, a[:, 0], rcond=None)[0])
print("rank", linalg.matrix_rank(b @ b.T), "sign", linalg.slogdet(a)[0])
x = rng.random(4096)
show("fft", fft.fft(x), fft.rfft(x[:1000]), fft.fft2(a))
print("back", np.allclose(fft.ifft(fft.fft(x)).real, x))
show("functions", np.sin(x), np.exp(x), np.log1p(x), np.cumsum(x), np.sort(x))
print(np.random.RandomState(7).randint(0, 1000, 8).tolist(), rng.permutation(8).tolist())
for name, draw in (("gamma", rng.gamma(2.0, size=1000)), ("binomial", rng.binomial(10, 0.3, 1000))):
    show(name, draw)
print(np.einsum("ij,jk->ik", a[:5, :6], b[:6, :2]).round(6).tolist())
np.savez_compressed("arrays.npz", a=a, b=b)
with np.load("arrays.npz") as loaded:
    print(np.array_equal(loaded["a"], a), loaded["b"].dtype)
mapped = np.memmap("mapped", dtype=np.float64, mode="w+", shape=a.shape)
mapped[:] = a
mapped.flush()
print(np.array_equal(np.fromfile("mapped").reshape(a.shape), a))

# Several threads of Python, which all call OpenBLAS.
results = [None] * 4


def work(i):
    results[i] = linalg.norm(linalg.matrix_power(a / 20, i + 2) @ a)


threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print([f"{r:.9g}" for r in results])
with np.errstate(all="raise"):
    for bad in (lambda: np.float64(1) / np.float64(0), lambda: linalg.inv(np.zeros((2, 2)))):
        try:
            bad()
        except (FloatingPointError, linalg.LinAlgError) as e:
            print(type(e).__name__, e)
