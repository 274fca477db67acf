# SPDX-License-Identifier: MIT
# multiprocessing of Python; The argument is how processes start.
import multiprocessing as mp, os, sys, time
def f(x): return x*x
def slow(x): time.sleep(0.001 * (x % 3)); return x*x # a thread of the pool polls meanwhile
def g(q,c): q.put(("hi", 42)); c.send([1,2]); c.close()
if __name__=="__main__":
    mp.set_start_method(sys.argv[1])
    with mp.Pool(3) as p: print(p.map(f, range(10)), p.map(slow, range(20)))
    q=mp.Queue(); a,b=mp.Pipe(); p=mp.Process(target=g,args=(q,b)); p.start(); print(q.get(), a.recv()); p.join(); print(p.exitcode)
    v=mp.Value('i',0); l=mp.Lock()
    with mp.Manager() as m: d=m.dict(); d['a']=1; print(dict(d))
    from concurrent.futures import ProcessPoolExecutor
    with ProcessPoolExecutor(2) as ex: print(list(ex.map(f,range(5))))
    from multiprocessing import shared_memory
    s=shared_memory.SharedMemory(create=True,size=100); s.buf[0]=5; print(s.buf[0]); s.close(); s.unlink()
