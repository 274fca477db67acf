// SPDX-License-Identifier: MIT
// A check and a withdrawal in two locked sections.
use std::sync::{Arc, Mutex};
use std::thread;

struct Account {
    balance: Mutex<i64>,
}

impl Account {
    fn has(&self, amount: i64) -> bool {
        *self.balance.lock().unwrap() >= amount // cause
    }

    fn take(&self, amount: i64) {
        *self.balance.lock().unwrap() -= amount; // cause
    }

    fn withdraw(&self, amount: i64) {
        if self.has(amount) {
            self.take(amount);
        }
    }
}

fn main() {
    let account = Arc::new(Account { balance: Mutex::new(100) });
    let mut threads = Vec::new();
    for _ in 0..2 {
        let shared = account.clone();
        threads.push(thread::spawn(move || shared.withdraw(80)));
    }
    for thread in threads {
        thread.join().unwrap();
    }
    assert!(*account.balance.lock().unwrap() >= 0, "overdrawn");
}
