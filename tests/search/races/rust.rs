// SPDX-License-Identifier: MIT
// Two threads of Rust, with a race by unsafe code or with what the language has against it.
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{mpsc, Arc, Barrier, Mutex, OnceLock, RwLock};
use std::thread;

struct Shared(UnsafeCell<[u64; 4]>);
unsafe impl Sync for Shared {}

static SHARED: Shared = Shared(UnsafeCell::new([0; 4]));
static ATOMIC: AtomicU64 = AtomicU64::new(0);
static READY: AtomicBool = AtomicBool::new(false);
static ONCE: OnceLock<u64> = OnceLock::new();

fn add(at: usize) {
    unsafe { (*SHARED.0.get())[at] += 1 }
}

fn both(act: fn(usize)) {
    let threads: Vec<_> = (0..2).map(|i| thread::spawn(move || act(i))).collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

fn main() {
    let way = std::env::args().nth(1).unwrap_or_default();
    match way.as_str() {
        "counter" => both(|_| add(0)),
        "together" => {
            let barrier = Arc::new(Barrier::new(2));
            let threads: Vec<_> = (0..2)
                .map(|_| {
                    let barrier = barrier.clone();
                    thread::spawn(move || {
                        barrier.wait();
                        add(0);
                    })
                })
                .collect();
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        }
        "neighbours" => both(add),
        "atomic" => both(|_| {
            ATOMIC.fetch_add(1, Ordering::Relaxed);
        }),
        "relaxed" => both(|_| ATOMIC.store(ATOMIC.load(Ordering::Relaxed) + 1, Ordering::Relaxed)),
        "publish" => both(|i| {
            if i == 0 {
                add(0);
                READY.store(true, Ordering::Release);
            } else if READY.load(Ordering::Acquire) {
                add(0);
            }
        }),
        "unpublished" => both(|i| {
            if i == 0 {
                add(0);
                READY.store(true, Ordering::Relaxed);
            } else if READY.load(Ordering::Relaxed) {
                add(0);
            }
            add(1);
        }),
        "once" => both(|_| {
            ONCE.get_or_init(|| 7);
        }),
        "mutex" => {
            let sum = Arc::new(Mutex::new(0u64));
            let threads: Vec<_> = (0..2)
                .map(|_| {
                    let sum = sum.clone();
                    thread::spawn(move || *sum.lock().unwrap() += 1)
                })
                .collect();
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        }
        "rwlock" => {
            let sum = Arc::new(RwLock::new(0u64));
            let other = sum.clone();
            let thread = thread::spawn(move || *other.write().unwrap() += 1);
            let seen = *sum.read().unwrap();
            thread.join().unwrap();
            assert!(seen < 2);
        }
        "channel" => {
            let (to, from) = mpsc::channel();
            let thread = thread::spawn(move || to.send(vec![1u64, 2]).unwrap());
            let mut got = from.recv().unwrap();
            got[0] += 1;
            thread.join().unwrap();
        }
        _ => std::process::exit(2),
    }
}
