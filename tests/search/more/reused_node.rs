// SPDX-License-Identifier: MIT
// A lock-free list of nodes that are reused at once. The compare_exchange of pop compares the index alone (ABA): an element
// is lost, or taken twice, if its node was taken and given back between the load of `next` and the exchange. The fixed
// form counts the exchanges beside the index.
use std::process::exit;
use std::sync::atomic::{AtomicUsize, Ordering::*};
use std::sync::Arc;
use std::thread;

const NODES: usize = 8;
const NONE: usize = 0xffff;

struct Stack {
    head: AtomicUsize,
}

struct Nodes {
    next: [AtomicUsize; NODES],
    value: [AtomicUsize; NODES],
    full: Stack,
    free: Stack,
}

// The new value of a list's head.
fn after(head: usize, node: usize) -> usize {
    if cfg!(fixed) {
        ((head | NONE) + 1) | node
    } else {
        node
    }
}

impl Nodes {
    fn push(&self, stack: &Stack, node: usize) {
        let mut head = stack.head.load(Relaxed);
        loop {
            self.next[node].store(head & NONE, Relaxed);
            match stack.head.compare_exchange_weak(head, after(head, node), Release, Relaxed) {
                Ok(_) => return,
                Err(now) => head = now,
            }
        }
    }

    fn pop(&self, stack: &Stack) -> Option<usize> {
        let mut head = stack.head.load(Acquire);
        while head & NONE != NONE {
            let next = self.next[head & NONE].load(Relaxed);
            match stack.head.compare_exchange_weak(head, after(head, next), Acquire, Acquire) {
                Ok(_) => return Some(head & NONE),
                Err(now) => head = now,
            }
        }
        None
    }
}

fn main() {
    let nodes = Arc::new(Nodes {
        next: std::array::from_fn(|i| AtomicUsize::new(if i + 1 < NODES { i + 1 } else { NONE })),
        value: std::array::from_fn(|_| AtomicUsize::new(0)),
        full: Stack { head: AtomicUsize::new(NONE) },
        free: Stack { head: AtomicUsize::new(0) },
    });
    let threads: Vec<_> = (0..3)
        .map(|id| {
            let nodes = nodes.clone();
            thread::spawn(move || {
                let mut sum = 0isize;
                for i in 1..4 {
                    let node = nodes.pop(&nodes.free).unwrap();
                    nodes.value[node].store(10 * id + i, Relaxed);
                    sum += (10 * id + i) as isize;
                    nodes.push(&nodes.full, node);
                    if let Some(node) = nodes.pop(&nodes.full) {
                        sum -= nodes.value[node].load(Relaxed) as isize;
                        nodes.push(&nodes.free, node);
                    }
                }
                sum
            })
        })
        .collect();
    let mut sum: isize = threads.into_iter().map(|t| t.join().unwrap()).sum();
    let mut left = NODES;
    while let Some(node) = nodes.pop(&nodes.full) {
        sum -= nodes.value[node].load(Relaxed) as isize;
        left -= 1;
        if left == 0 {
            break;
        }
    }
    if sum != 0 {
        eprintln!("lost or doubled: {}", sum);
        exit(1);
    }
}
