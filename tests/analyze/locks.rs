// SPDX-License-Identifier: MIT
// Two mutexes of Rust's library in opposite order. Their words do not say who holds them.
use std::sync::{Arc, Mutex};
use std::thread;

fn main() {
    let a = Arc::new(Mutex::new(0));
    let b = Arc::new(Mutex::new(0));
    let (a1, b1) = (a.clone(), b.clone());
    let one = thread::spawn(move || {
        let mut x = a1.lock().unwrap(); // one
        let mut y = b1.lock().unwrap();
        *x += 1;
        *y += 1;
    });
    let other = thread::spawn(move || {
        let mut y = b.lock().unwrap(); // other
        let mut x = a.lock().unwrap();
        *x += 1;
        *y += 1;
    });
    one.join().unwrap();
    other.join().unwrap();
}
