# SPDX-License-Identifier: MIT
import os, platform, random, resource, tempfile, threading, time, uuid

print(random.random(), uuid.uuid1(), uuid.uuid4(), os.urandom(8), hash("x"), id(object()), {object(), "a", 1.5, os})
print(time.time_ns(), time.monotonic_ns(), time.process_time_ns(), time.localtime(), time.tzname, resource.getrusage(0))
print(os.getcwd(), os.environ, os.getpid(), os.getppid(), os.getuid(), os.cpu_count(), os.getloadavg(), os.uname())
print([(entry.name, entry.stat()) for entry in os.scandir("/jobs")], os.listdir("/"), os.isatty(0), platform.platform())
print([resource.getrlimit(i) for i in range(16)], os.sched_getaffinity(0), os.statvfs("/jobs"), os.umask(0), tempfile.mkdtemp())
threads = [threading.Thread(target=lambda i=i: print(i, threading.get_ident(), time.time_ns())) for i in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
if os.fork() == 0:
    os._exit(random.randrange(9))
print(os.wait())
