// SPDX-License-Identifier: MIT
// Bug: the balance is checked in one locked section and changed in another.
use std::sync::{Arc, Mutex};
use std::thread;

struct Account {
    balance: Mutex<i64>,
}

impl Account {
    fn has(&self, amount: i64) -> bool {
        *self.balance.lock().unwrap() >= amount
    }
    fn take(&self, amount: i64) {
        *self.balance.lock().unwrap() -= amount;
    }
    fn withdraw(&self, amount: i64) {
        if self.has(amount) {
            self.take(amount);
        }
    }
}

fn main() {
    let account = Arc::new(Account { balance: Mutex::new(100) });
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let own = account.clone();
            thread::spawn(move || own.withdraw(80))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert!(*account.balance.lock().unwrap() >= 0, "overdrawn");
}
