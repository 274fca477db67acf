// SPDX-License-Identifier: MIT
// A number that is given twice: a load and a store in place of an addition.
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;

struct Numbers {
    next: AtomicUsize,
}

impl Numbers {
    fn take(&self) -> usize {
        let number = self.next.load(Ordering::SeqCst); // cause
        self.next.store(number + 1, Ordering::SeqCst); // cause
        number
    }
}

fn main() {
    let numbers = Arc::new(Numbers { next: AtomicUsize::new(1) });
    let first = numbers.clone();
    let second = numbers.clone();
    let a = thread::spawn(move || first.take());
    let b = thread::spawn(move || second.take());
    assert_ne!(a.join().unwrap(), b.join().unwrap());
}
