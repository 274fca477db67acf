# SPDX-License-Identifier: MIT
# asyncio of Python on pairs of sockets, Unix sockets and pipes.
import asyncio, functools, os, signal, socket, threading


async def pairs():
    """Both ends of a pair as streams: lines, exact counts, ends, more than a buffer, limits."""
    (r1, w1), (r2, w2) = [await asyncio.open_connection(sock=s) for s in socket.socketpair()]
    w1.write(b"one\ntwo\nthree")
    print(await r2.readline(), await r2.readuntil(b"w"), await r2.readexactly(4))
    w1.write_eof()
    print(await r2.read(), r2.at_eof())

    async def send():
        for i in range(50):
            w2.write(bytes([i]) * 10000)
            await w2.drain()
        w2.close()
        await w2.wait_closed()

    sender = asyncio.create_task(send())
    data = await r1.read()
    await sender
    print(len(data), data[::50000], w1.is_closing())
    w1.close()
    reader, writer = [await asyncio.open_connection(sock=s, limit=64) for s in socket.socketpair()]
    writer[1].write(b"x" * 200 + b"\n")
    try:
        await reader[0].readline()
    except ValueError as error:
        print(error)
    writer[1].close()
    try:
        await reader[0].readexactly(300)
    except asyncio.IncompleteReadError as error:
        print(len(error.partial), error.expected)
    reader[1].close()


async def loop_calls():
    """The loop's own calls on sockets that do not block, readers, writers, signals, threads."""
    loop = asyncio.get_running_loop()
    a, b = socket.socketpair()
    a.setblocking(False), b.setblocking(False)
    got = asyncio.create_task(loop.sock_recv(a, 100))
    await loop.sock_sendall(b, b"hello")
    print(await got)
    readable = asyncio.Event()
    loop.add_reader(a, readable.set)
    b.send(b"again")
    await readable.wait()
    print(a.recv(9), loop.remove_reader(a), loop.remove_reader(a))
    written = loop.create_future()
    loop.add_writer(b, lambda: written.done() or written.set_result("writable"))
    print(await written, loop.remove_writer(b))
    a.close(), b.close()
    came = asyncio.Event()
    loop.add_signal_handler(signal.SIGUSR1, came.set)
    os.kill(os.getpid(), signal.SIGUSR1)
    await came.wait()
    print("signal", loop.remove_signal_handler(signal.SIGUSR1))
    future = loop.create_future()
    thread = threading.Thread(target=lambda: loop.call_soon_threadsafe(future.set_result, "by a thread"))
    thread.start()
    print(await future, await loop.run_in_executor(None, functools.partial(pow, 3, 4)), await asyncio.to_thread(max, 3, 5))
    thread.join()
    start = loop.time()
    await asyncio.sleep(0.5)
    print(0.5 <= loop.time() - start)


class Echo(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.transport.write(data.upper())

    def eof_received(self):
        self.transport.write(b"!")


async def servers():
    """A server on a Unix socket with streams, and one with a protocol."""
    async def serve(reader, writer):
        while line := await reader.readline():
            writer.write(line[::-1])
        writer.close()

    async def client(i):
        reader, writer = await asyncio.open_unix_connection("streams.socket")
        writer.write(b"%d abc\n" % i)
        writer.write_eof()
        data = await reader.read()
        writer.close()
        return data

    async with await asyncio.start_unix_server(serve, "streams.socket"):
        print(await asyncio.gather(*map(client, range(8))))
    os.unlink("streams.socket")
    loop = asyncio.get_running_loop()
    server = await loop.create_unix_server(Echo, "echo.socket")
    reader, writer = await asyncio.open_unix_connection("echo.socket")
    writer.write(b"quiet")
    writer.write_eof()
    print(await reader.read(), server.is_serving())
    writer.close()
    server.close()
    await server.wait_closed()
    os.unlink("echo.socket")


async def processes():
    """Children: pipes, status, kill, a timeout."""
    child = await asyncio.create_subprocess_exec("/bin/cat", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
    print(await child.communicate(b"through a child" * 10000) == (b"through a child" * 10000, None), child.returncode)
    child = await asyncio.create_subprocess_shell("echo out; echo err >&2; exit 5", stdout=asyncio.subprocess.PIPE,
                                                  stderr=asyncio.subprocess.PIPE)
    print(await child.communicate(), await child.wait())
    child = await asyncio.create_subprocess_exec("/bin/sleep", "1000")
    try:
        await asyncio.wait_for(child.wait(), 0.05)
    except asyncio.TimeoutError:
        child.terminate()
        print("timeout", await child.wait())
    print(await asyncio.gather(*[count(i) for i in range(5)]))


async def count(i):
    child = await asyncio.create_subprocess_exec("/bin/sh", "-c", "exit %d" % i)
    return await child.wait()


async def tasks():
    """Groups, timeouts, cancellation, locks, queues, conditions, semaphores, asynchronous generators."""
    log = []

    async def work(name, seconds, error=None):
        try:
            await asyncio.sleep(seconds)
            log.append(name)
            if error:
                raise error
        except asyncio.CancelledError:
            log.append(name + " cancelled")
            raise

    try:
        async with asyncio.timeout(0.02):
            await asyncio.shield(asyncio.sleep(1))
    except TimeoutError:
        print("timeout")
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(work("a", 0.02))
            group.create_task(work("b", 0.04, KeyError("b")))
            group.create_task(work("c", 5))
    except* KeyError as errors:
        print(log, errors.exceptions)
    queue, lock, room = asyncio.Queue(2), asyncio.Lock(), asyncio.Semaphore(2)
    inside, most = 0, 0

    async def produce():
        for i in range(10):
            await queue.put(i)
        await queue.put(None)

    async def consume():
        return [item async for item in items()]

    async def items():
        while (item := await queue.get()) is not None:
            yield item

    async def guarded():
        nonlocal inside, most
        async with room:
            inside += 1
            most = max(most, inside)
            async with lock:
                await asyncio.sleep(0.001)
            inside -= 1

    print((await asyncio.gather(produce(), consume()))[1])
    await asyncio.gather(*[guarded() for _ in range(6)])
    print(inside, most)
    condition, turns = asyncio.Condition(), []

    async def waiter(i):
        async with condition:
            await condition.wait_for(lambda: len(turns) >= i)
            turns.append(i)
            condition.notify_all()

    await asyncio.gather(*[waiter(i) for i in (3, 1, 2, 0)])
    print(turns)
    outcomes = await asyncio.gather(work("d", 0, ValueError("d")), work("e", 0), return_exceptions=True)
    print(outcomes)


async def pipes():
    """The ends of a pipe as transports."""
    loop = asyncio.get_running_loop()
    read, write = os.pipe()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(read, "rb"))
    transport, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(write, "wb"))
    transport.write(b"p" * 200000)
    transport.close()
    print(len(await reader.read()))


for part in pairs, loop_calls, servers, processes, tasks, pipes:
    asyncio.run(part())
