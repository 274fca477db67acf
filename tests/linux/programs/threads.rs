// SPDX-License-Identifier: MIT
//! Rust's standard library: threads, channels, locks, atomics, panics that are caught, files, child processes, hash maps
//! whose order is random, and a stack that overflows in a child.

use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, Read, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{mpsc, Arc, Barrier, Condvar, Mutex, Once, RwLock};
use std::time::{Duration, Instant};
use std::{cell::Cell, env, fs, io, net, os::unix::net::UnixStream, os::unix::process::ExitStatusExt, panic, thread};

thread_local!(static OWN: Cell<u64> = Cell::new(1));
static TOTAL: AtomicU64 = AtomicU64::new(0);

fn threads() {
    let (send, receive) = mpsc::channel();
    let workers: Vec<_> = (0..4u64)
        .map(|i| {
            let send = send.clone();
            thread::Builder::new()
                .name(format!("worker {i}"))
                .spawn(move || {
                    for k in 0..250 {
                        OWN.with(|own| own.set(own.get() + k));
                        TOTAL.fetch_add(k, Ordering::Relaxed);
                        send.send(i * 1000 + k).unwrap();
                    }
                    OWN.with(|own| own.get())
                })
                .unwrap()
        })
        .collect();
    drop(send);
    let mut all: Vec<u64> = receive.iter().collect();
    all.sort();
    println!("{} {} {}", all.len(), all.iter().sum::<u64>(), TOTAL.load(Ordering::SeqCst));
    println!("{:?}", workers.into_iter().map(|w| w.join().unwrap()).collect::<Vec<_>>());

    let shared = Arc::new((Mutex::new(0), Condvar::new(), RwLock::new(vec![1, 2, 3]), Barrier::new(3)));
    let leaders: usize = thread::scope(|s| {
        let handles: Vec<_> = (0..3)
            .map(|i| {
                let shared = &shared;
                s.spawn(move || {
                    let mut turn = shared.0.lock().unwrap();
                    while *turn != i {
                        turn = shared.1.wait(turn).unwrap();
                    }
                    *turn += 1;
                    shared.1.notify_all();
                    drop(turn);
                    shared.2.write().unwrap().push(i);
                    shared.3.wait().is_leader() as usize
                })
            })
            .collect();
        handles.into_iter().map(|h| h.join().unwrap()).sum()
    });
    let mut list = shared.2.read().unwrap().clone();
    list.sort();
    println!("{leaders} {list:?}");

    let (limited, source) = mpsc::sync_channel(2);
    let producer = thread::spawn(move || (0..10).for_each(|i| limited.send(i).unwrap()));
    println!("{:?}", source.iter().collect::<Vec<i32>>());
    producer.join().unwrap();
    println!("{:?}", mpsc::channel::<()>().1.recv_timeout(Duration::from_millis(5)));

    let ready = Arc::new(AtomicBool::new(false));
    let flag = ready.clone();
    let sleeper = thread::spawn(move || {
        thread::park_timeout(Duration::from_micros(200));
        flag.store(true, Ordering::Release);
    });
    while !ready.load(Ordering::Acquire) {
        std::hint::spin_loop();
    }
    sleeper.join().unwrap();
    static ONCE: Once = Once::new();
    (0..3).for_each(|_| ONCE.call_once(|| println!("once")));
}

fn panics() {
    panic::set_hook(Box::new(|info| {
        println!("panic in {:?} at line {}", thread::current().name(), info.location().unwrap().line());
    }));
    println!("{}", panic::catch_unwind(|| [1, 2, 3][env::args().count() + 2]).is_err());
    let poisoned = Arc::new(Mutex::new(5));
    let other = poisoned.clone();
    let failed = thread::spawn(move || {
        let _held = other.lock().unwrap();
        panic!("in a thread");
    });
    println!("{:?}", failed.join().unwrap_err().downcast_ref::<&str>());
    println!("{}", poisoned.lock().is_err());
}

fn system() -> io::Result<()> {
    let mut child = Command::new("sort").arg("-r").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    child.stdin.take().unwrap().write_all(b"one\ntwo\nthree\n")?;
    println!("{:?}", String::from_utf8_lossy(&child.wait_with_output()?.stdout));
    println!("{:?}", Command::new("sh").args(["-c", "echo $ONE; exit 3"]).env("ONE", "two").output()?);
    println!("{:?}", Command::new("./nothing").spawn().map_err(|e| e.kind()).err());
    let deep = Command::new(env::current_exe()?).arg("deep").output()?;
    println!("{:?} {}", deep.status.signal(), String::from_utf8_lossy(&deep.stderr).contains("overflowed its stack"));

    fs::create_dir_all("tree/deep")?;
    fs::write("tree/deep/file", "a line\nanother\n")?;
    fs::copy("tree/deep/file", "tree/copy")?;
    let mut names: Vec<_> = fs::read_dir("tree")?.map(|e| e.unwrap().file_name()).collect();
    names.sort();
    println!("{names:?} {}", fs::metadata("tree/copy")?.len());
    println!("{:?}", io::BufReader::new(fs::File::open("tree/copy")?).lines().last().unwrap()?);
    fs::remove_dir_all("tree")?;
    println!("{:?}", fs::read("tree/copy").map_err(|e| e.kind()));

    let (mut near, mut far) = UnixStream::pair()?;
    let echo = thread::spawn(move || {
        let mut text = String::new();
        far.read_to_string(&mut text).map(|_| text)
    });
    near.write_all(b"over a socket")?;
    drop(near);
    println!("{:?}", echo.join().unwrap()?);
    println!("{:?}", "::1".parse::<net::IpAddr>());
    let begin = Instant::now();
    thread::sleep(Duration::from_millis(10));
    println!("{} {}", begin.elapsed() >= Duration::from_millis(10), thread::available_parallelism()?.get() > 0);
    Ok(())
}

#[allow(unconditional_recursion)]
fn deep(n: u64) -> u64 {
    let below = deep(n + 1);
    unsafe { std::ptr::read_volatile(&below) + n } // so that it calls itself before its end
}

fn main() {
    match env::args().nth(1).as_deref() {
        Some("deep") => println!("{}", deep(0)),
        Some("order") => {
            let map: HashMap<u32, u32> = (0..20).map(|i| (i, i)).collect();
            println!("{:?}", map.keys().collect::<Vec<_>>());
        }
        _ => {
            threads();
            panics();
            system().unwrap();
            let words: BTreeMap<_, _> = "b a c".split(' ').zip(1..).collect();
            println!("{words:?} {:.17}", (1..=100).map(|i| (i as f64).sqrt()).sum::<f64>());
            std::process::exit(5);
        }
    }
}
