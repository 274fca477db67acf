// SPDX-License-Identifier: MIT
// A bounded queue of many producers and consumers with a sequence number in each slot, as Vyukov's. Its consumers take a
// position by a load and a store instead of a compare_exchange, so two of them can take one element.
use std::cell::UnsafeCell;
use std::process::exit;
use std::sync::atomic::{AtomicUsize, Ordering::*};
use std::sync::Arc;
use std::thread;

const SLOTS: usize = 8;

struct Slot {
    sequence: AtomicUsize,
    value: UnsafeCell<usize>,
}

struct Queue {
    slots: Vec<Slot>,
    head: AtomicUsize,
    tail: AtomicUsize,
}

unsafe impl Sync for Queue {}

impl Queue {
    fn new() -> Queue {
        let slots = (0..SLOTS).map(|i| Slot { sequence: AtomicUsize::new(i), value: UnsafeCell::new(0) }).collect();
        Queue { slots, head: AtomicUsize::new(0), tail: AtomicUsize::new(0) }
    }

    fn push(&self, value: usize) -> bool {
        let mut at = self.tail.load(Relaxed);
        loop {
            let slot = &self.slots[at % SLOTS];
            let sequence = slot.sequence.load(Acquire);
            if sequence == at {
                match self.tail.compare_exchange_weak(at, at + 1, Relaxed, Relaxed) {
                    Ok(_) => {
                        unsafe { *slot.value.get() = value };
                        slot.sequence.store(at + 1, Release);
                        return true;
                    }
                    Err(now) => at = now,
                }
            } else if sequence < at {
                return false;
            } else {
                at = self.tail.load(Relaxed);
            }
        }
    }

    fn pop(&self) -> Option<usize> {
        let at = self.head.load(Relaxed);
        let slot = &self.slots[at % SLOTS];
        if slot.sequence.load(Acquire) != at + 1 {
            return None;
        }
        let value = unsafe { *slot.value.get() };
        if cfg!(fixed) {
            if self.head.compare_exchange(at, at + 1, Relaxed, Relaxed).is_err() {
                return None;
            }
        } else {
            self.head.store(at + 1, Relaxed);
        }
        slot.sequence.store(at + SLOTS, Release);
        Some(value)
    }
}

fn main() {
    let queue = Arc::new(Queue::new());
    let mut threads = Vec::new();
    for first in 0..2 {
        let queue = queue.clone();
        threads.push(thread::spawn(move || {
            for i in 0..3 {
                while !queue.push(1 + first * 3 + i) {
                    thread::yield_now();
                }
            }
            (0, 0)
        }));
    }
    for _ in 0..2 {
        let queue = queue.clone();
        threads.push(thread::spawn(move || {
            let (mut sum, mut count) = (0, 0);
            for _ in 0..20 {
                if let Some(value) = queue.pop() {
                    sum += value;
                    count += 1;
                } else {
                    thread::yield_now();
                }
            }
            (sum, count)
        }));
    }
    let (mut sum, mut count) = (0, 0);
    for thread in threads {
        let (more, number) = thread.join().unwrap();
        sum += more;
        count += number;
    }
    while let Some(value) = queue.pop() {
        sum += value;
        count += 1;
    }
    if (sum, count) != (21, 6) {
        eprintln!("{} elements with the sum {}", count, sum);
        exit(1);
    }
}
