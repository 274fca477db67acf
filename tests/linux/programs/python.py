# SPDX-License-Identifier: MIT
# Modules of Python: processes, threads, asyncio, sockets, files, numbers, compression, SQLite.
import subprocess, threading, json, decimal, re, hashlib, os, sys, queue, tempfile, shutil, signal, struct, zlib, collections, itertools, math, asyncio, socket, select, datetime, pickle, csv, io, glob, fcntl, mmap, ctypes
import sqlite3, uuid, random, time
print(subprocess.run(["sort"], input="b\na\n", text=True, capture_output=True).stdout)
p=subprocess.Popen("exit 3", shell=True); print(p.wait())
try: subprocess.run(["sleep","5"], timeout=0.2)
except subprocess.TimeoutExpired as e: print("timeout")
try: subprocess.run(["/nonexistent"])
except FileNotFoundError as e: print(e)
n=0; lock=threading.Lock()
def w():
    global n
    for i in range(1000):
        with lock: n+=1
ts=[threading.Thread(target=w) for _ in range(5)]; [t.start() for t in ts]; [t.join() for t in ts]; print(n)
q=queue.Queue(); 
def prod():
    for i in range(10): q.put(i)
    q.put(None)
threading.Thread(target=prod).start(); print(list(iter(q.get,None)))
print(json.dumps({"a":[1,2.5,None,True,"é"]},sort_keys=True)); decimal.getcontext().prec=50; print(decimal.Decimal(2).sqrt())
print(re.sub(r'(\w+) (\w+)', r'\2 \1', 'hello world')); print(hashlib.sha256(b'x').hexdigest(), hashlib.md5(b'y').hexdigest(), hashlib.blake2b(b'z').hexdigest()[:16])
print(hashlib.pbkdf2_hmac('sha256', b'a', b'b', 1000).hex())
d=tempfile.mkdtemp(); open(d+"/a","w").write("hello"*1000); os.mkdir(d+"/s"); open(d+"/s/b","w").close(); print([(len(a),b,c) for a,b,c in os.walk(d)][0][1:]); 
with tempfile.TemporaryFile() as f:
    f.write(b"x"*5000); f.flush(); m=mmap.mmap(f.fileno(),0); print(len(m)); m[0:3]=b"abc"; f.seek(0); print(f.read(4)); m.close()
print(struct.pack("<Id",1,2.5), zlib.crc32(b"abc"), zlib.decompress(zlib.compress(b"a"*100))[:3])
r,wf=os.pipe()
if os.fork()==0:
    os.write(wf,b"child"); os._exit(7)
print(os.read(r,10), os.waitstatus_to_exitcode(os.wait()[1]))
signal.signal(signal.SIGALRM, lambda *a: print("alarm")); signal.setitimer(signal.ITIMER_REAL,0.05); signal.pause()
async def co(i): await asyncio.sleep(0.01*i); return i
async def main():
    print(await asyncio.gather(*[co(i) for i in range(5)]))
    p=await asyncio.create_subprocess_exec("echo","async",stdout=asyncio.subprocess.PIPE); print(await p.communicate())
    a,b=socket.socketpair(); rd,wr=await asyncio.open_connection(sock=a); b.send(b"line\n"); print(await rd.readline()); wr.close()
    print(await asyncio.to_thread(lambda: 42))
asyncio.run(main())
print(datetime.timedelta(1.5), datetime.datetime(2000,1,1).isoformat(), pickle.loads(pickle.dumps({1:{2,3}})))
print(math.sin(1), math.exp(1), math.lgamma(3.3), 2**200, 1e308*10, float('nan'), 0.1+0.2)
libc=ctypes.CDLL("libc.so.6"); print(libc.abs(-5), libc.strlen(b"four"))
srv=socket.socket(socket.AF_UNIX); srv.bind("sk"); srv.listen(1)
def cl():
    c=socket.socket(socket.AF_UNIX); c.connect("sk"); c.sendall(b"unix"); c.close()
t=threading.Thread(target=cl); t.start(); c,_=srv.accept(); print(c.recv(10), c.recv(10)); t.join(); os.unlink("sk")
import bz2,lzma,gzip; print(len(lzma.compress(b"a"*10000)), len(bz2.compress(b"a"*10000)), gzip.decompress(gzip.compress(b"q")))
import concurrent.futures as cf
with cf.ThreadPoolExecutor(4) as ex: print(list(ex.map(lambda x:x*x, range(8))))
e=threading.Event(); threading.Timer(0.05,e.set).start(); print(e.wait(2)); import logging; logging.warning("warn")
print(select.select([0],[1],[],0)[1]); import unicodedata; print(unicodedata.name("é")); import locale; print(locale.setlocale(locale.LC_ALL,"C.UTF-8"))
c = sqlite3.connect("db")
c.execute("create table t(a)")
c.executemany("insert into t values(?)", [(i,) for i in range(1000)])
c.commit()
print(c.execute("select sum(a), max(a) from t").fetchone())
