# SPDX-License-Identifier: MIT
# concurrent.futures of Python: threads, and processes that start by fork, by spawn, or by a server that forks.
import concurrent.futures as cf, multiprocessing as mp, os, queue, signal, sys, threading, time


def square(x):
    return x * x


def fails(x):
    raise ValueError("no %d" % x, x)


def sleeps(seconds):
    time.sleep(seconds)
    return seconds


def dies(_):
    os.kill(os.getpid(), signal.SIGKILL)


def begin(value):
    global begun
    begun = value


def what_begun(_):
    return begun


def told(future):
    return type(future.exception()).__name__ if future.exception() else future.result()


def common(make):
    """What both kinds of pools do."""
    with make(3) as pool:
        print(list(pool.map(square, range(10))), list(pool.map(pow, (2, 3, 4), (5, 2, 3))))
        futures = [pool.submit(square, i) for i in range(6)] + [pool.submit(fails, 7)]
        print(sorted(str(told(f)) for f in cf.as_completed(futures)))
        try:
            futures[-1].result()
        except ValueError as error:
            print(error.args, error.__cause__ is not None)
        done, pending = cf.wait([pool.submit(sleeps, 0.05), pool.submit(sleeps, 3)], return_when=cf.FIRST_COMPLETED)
        print([f.result() for f in done], len(pending))
        done, pending = cf.wait(pending | {pool.submit(fails, 1)}, return_when=cf.FIRST_EXCEPTION)
        print(sorted(map(told, done)), len(pending))
        try:
            pool.submit(sleeps, 3).result(timeout=0.01)
        except cf.TimeoutError as error:
            print("timeout", str(error))
        try:
            next(pool.map(sleeps, [3], timeout=0.05))
        except cf.TimeoutError:
            print("timeout of a map")
        pool.shutdown(wait=False, cancel_futures=True)
        try:
            pool.submit(square, 1)
        except RuntimeError as error:
            print(error)
    with make(2, initializer=begin, initargs=("begun",)) as pool:
        print(set(pool.map(what_begun, range(4))))


def threads():
    common(cf.ThreadPoolExecutor)
    with cf.ThreadPoolExecutor(1, thread_name_prefix="worker") as pool:
        gate, order = threading.Event(), queue.Queue()
        first = pool.submit(gate.wait)
        waits = pool.submit(square, 4)
        later = pool.submit(lambda: threading.current_thread().name)
        for future in first, waits, later:
            future.add_done_callback(lambda f: order.put(f.cancelled()))
        print(waits.cancel(), waits.cancelled(), first.running(), first.cancel())
        gate.set()
        print(later.result(), [order.get() for _ in range(3)])


def processes(method):
    context = mp.get_context(method)
    common(lambda *args, **kwargs: cf.ProcessPoolExecutor(*args, mp_context=context, **kwargs))
    with cf.ProcessPoolExecutor(2, mp_context=context) as pool:
        try:
            pool.submit(dies, 0).result()
        except cf.process.BrokenProcessPool as error:
            print(type(error).__name__)
    with cf.ProcessPoolExecutor(1, mp_context=context, initializer=fails, initargs=(1,)) as pool:
        try:
            pool.submit(square, 1).result()
        except cf.process.BrokenProcessPool as error:
            print(error)


if __name__ == "__main__":
    threads() if sys.argv[1] == "threads" else processes(sys.argv[1])
