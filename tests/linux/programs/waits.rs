// SPDX-License-Identifier: MIT
// Threads that count while they wait for an atomic variable, in the ways of Rust: a debug build calls functions for each
// look at it, and sees to it that the count does not overflow.
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

static STOP: AtomicBool = AtomicBool::new(false);

fn run(name: &str, wait: impl FnOnce() -> u64 + Send + 'static, end: impl FnOnce()) {
    let thread = thread::spawn(wait);
    thread::sleep(Duration::from_millis(5));
    end();
    let rounds = thread.join().unwrap();
    println!("{name}: {}", if rounds > 0 { "counted" } else { "did not count" });
}

fn main() {
    run("a flag of the program's", || {
        let mut rounds = 0u64;
        while !STOP.load(Ordering::Relaxed) {
            rounds += 1;
        }
        rounds
    }, || STOP.store(true, Ordering::Relaxed));
    let ready = Arc::new(AtomicUsize::new(0));
    let other = ready.clone();
    run("a shared one", move || {
        let mut rounds = 0u64;
        while other.load(Ordering::Acquire) == 0 {
            rounds += 1;
        }
        rounds
    }, || ready.store(1, Ordering::Release));
}
