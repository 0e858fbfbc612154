//! The workloads, each as the Go engines have it; see ../../README.md.

use crate::{fail, Setting};
use std::fs::File;
use std::future::Future;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::FileExt;
use std::pin::Pin;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::{mpsc, Notify};
use tokio::task::{block_in_place, spawn_blocking, yield_now, JoinHandle};

const SPAWN_BATCH: usize = 1000;
const DEPTH: usize = 1000;
const YIELDERS: usize = 100;
const CHUNKS: usize = 64;
const CHUNK_FROM: u32 = 100_000;
const CHUNK_LEN: u32 = 500;
const PAGE: usize = 4096;
const PAGES: usize = 256;
const CONNECTIONS: usize = 64;
const MESSAGE: usize = 64;
const SLEEPERS: usize = 256;
const PANIC_BATCH: usize = 100;
const MIXED_BATCH: usize = 100;

/// What is made once, before the clock runs.
pub struct State {
    file: Option<Arc<File>>,
    streams: Vec<TcpStream>,
}

impl State {
    pub fn new(setting: &Setting, workload: &str) -> State {
        let mut state = State { file: None, streams: Vec::new() };
        if workload == "cached-read" || workload == "mixed" {
            match File::open(&setting.file) {
                Ok(file) => state.file = Some(Arc::new(file)),
                Err(e) => fail(&format!("{}: {e}", setting.file)),
            }
        }
        if workload == "sockets" {
            for _ in 0..CONNECTIONS {
                match TcpStream::connect(&setting.echo) {
                    Ok(stream) => {
                        stream.set_nodelay(true).unwrap();
                        state.streams.push(stream);
                    }
                    Err(e) => fail(&format!("{}: {e}", setting.echo)),
                }
            }
        }
        state
    }

    pub async fn run(&mut self, setting: &Setting, workload: &str, ops: usize) -> i64 {
        match workload {
            "spawn" => spawn(ops).await,
            "chain" => chains(ops).await,
            "yield" => yields(ops).await,
            "pingpong" => pingpong(ops).await,
            "pingpong-queue" => pingpong_queue(ops).await,
            "block-empty" => block_empty(ops),
            "cached-read" => cached_read(self.file.clone().unwrap(), setting.parallelism, ops).await,
            "cpu" => cpu(ops).await,
            "sockets" if setting.engine == "tokio-async" => self.sockets_async(ops).await,
            "sockets" => self.sockets(ops).await,
            "block-ms" => block_ms(ops).await,
            "panic" => panics(ops).await,
            "mixed" => mixed(self.file.clone().unwrap(), ops).await,
            _ => fail(&format!("no workload {workload}")),
        }
    }

    /// Every wait for an answer is one call of spawn_blocking, which takes the
    /// stream along and gives it back.
    async fn sockets(&mut self, ops: usize) -> i64 {
        let each = ops / CONNECTIONS;
        let tasks: Vec<_> = std::mem::take(&mut self.streams)
            .into_iter()
            .map(|mut stream| {
                tokio::spawn(async move {
                    let mut sum = 0;
                    for n in 0..each {
                        stream.write_all(&message(n)).unwrap();
                        let (back, answer) = spawn_blocking(move || {
                            let mut answer = [0; MESSAGE];
                            stream.read_exact(&mut answer).unwrap();
                            (stream, answer)
                        })
                        .await
                        .unwrap();
                        stream = back;
                        sum += number(&answer);
                    }
                    (stream, sum)
                })
            })
            .collect();
        let mut sum = 0;
        for task in tasks {
            let (stream, part) = task.await.unwrap();
            self.streams.push(stream);
            sum += part;
        }
        sum
    }

    /// The same with Tokio's own sockets, which never block a thread.
    async fn sockets_async(&mut self, ops: usize) -> i64 {
        let each = ops / CONNECTIONS;
        let tasks: Vec<_> = std::mem::take(&mut self.streams)
            .into_iter()
            .map(|stream| {
                tokio::spawn(async move {
                    stream.set_nonblocking(true).unwrap();
                    let mut stream = tokio::net::TcpStream::from_std(stream).unwrap();
                    let mut sum = 0;
                    for n in 0..each {
                        stream.write_all(&message(n)).await.unwrap();
                        let mut answer = [0; MESSAGE];
                        stream.read_exact(&mut answer).await.unwrap();
                        sum += number(&answer);
                    }
                    (stream.into_std().unwrap(), sum)
                })
            })
            .collect();
        let mut sum = 0;
        for task in tasks {
            let (stream, part) = task.await.unwrap();
            self.streams.push(stream);
            sum += part;
        }
        sum
    }
}

fn message(n: usize) -> [u8; MESSAGE] {
    let mut message = [0; MESSAGE];
    message[..8].copy_from_slice(&(n as u64).to_le_bytes());
    message
}

fn number(answer: &[u8; MESSAGE]) -> i64 {
    i64::from_le_bytes(answer[..8].try_into().unwrap())
}

/// The compiler does not know what comes back.
fn opaque(n: usize) -> usize {
    // SAFETY: a reference can be read.
    unsafe { std::ptr::read_volatile(&n) }
}

async fn sum_of(tasks: Vec<JoinHandle<i64>>) -> i64 {
    let mut sum = 0;
    for task in tasks {
        sum += task.await.unwrap();
    }
    sum
}

async fn spawn(ops: usize) -> i64 {
    let mut sum = 0;
    for _ in 0..ops / SPAWN_BATCH {
        sum += sum_of((0..SPAWN_BATCH).map(|i| tokio::spawn(async move { opaque(i) as i64 })).collect()).await;
    }
    sum
}

fn chain(depth: usize) -> Pin<Box<dyn Future<Output = i64> + Send>> {
    Box::pin(async move {
        if depth == 0 {
            return 0;
        }
        tokio::spawn(chain(depth - 1)).await.unwrap() + 1
    })
}

async fn chains(ops: usize) -> i64 {
    let mut sum = 0;
    for _ in 0..ops / DEPTH {
        sum += chain(DEPTH).await;
    }
    sum
}

async fn yields(ops: usize) -> i64 {
    let each = ops / YIELDERS;
    let yielder = move |_| {
        tokio::spawn(async move {
            let mut count = 0;
            for _ in 0..each {
                yield_now().await;
                count += 1;
            }
            count
        })
    };
    sum_of((0..YIELDERS).map(yielder).collect()).await
}

async fn pingpong(ops: usize) -> i64 {
    let shared = Arc::new((Notify::new(), Notify::new(), AtomicI64::new(0)));
    let other = shared.clone();
    let task = tokio::spawn(async move {
        let (ping, pong, count) = &*other;
        for _ in 0..ops {
            ping.notified().await;
            count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
            pong.notify_one();
        }
    });
    let (ping, pong, count) = &*shared;
    for _ in 0..ops {
        ping.notify_one();
        pong.notified().await;
        count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }
    task.await.unwrap();
    count.load(Ordering::Relaxed)
}

async fn pingpong_queue(ops: usize) -> i64 {
    let (ping, mut from_ping) = mpsc::unbounded_channel::<i64>();
    let (pong, mut from_pong) = mpsc::unbounded_channel::<i64>();
    let task = tokio::spawn(async move {
        for _ in 0..ops {
            let n = from_ping.recv().await.unwrap();
            pong.send(n + 1).unwrap();
        }
    });
    let mut sum = 0;
    for n in 0..ops as i64 {
        ping.send(n).unwrap();
        sum += from_pong.recv().await.unwrap();
    }
    task.await.unwrap();
    sum
}

#[inline(never)]
fn plain(n: usize) -> i64 {
    opaque(n) as i64 & 1
}

fn block_empty(ops: usize) -> i64 {
    let mut sum = 0;
    for n in 0..ops {
        sum += block_in_place(|| plain(n));
    }
    sum
}

fn read_page(file: &File, page: usize, buffer: &mut [u8; PAGE]) -> i64 {
    file.read_exact_at(buffer, (page % PAGES * PAGE) as u64).unwrap();
    buffer[0] as i64
}

async fn cached_read(file: Arc<File>, parallelism: usize, ops: usize) -> i64 {
    let reader = |i: usize| {
        let file = file.clone();
        let each = ops / parallelism + usize::from(i < ops % parallelism);
        tokio::spawn(async move {
            let mut buffer = [0; PAGE];
            let mut sum = 0;
            for n in 0..each {
                sum += block_in_place(|| read_page(&file, n, &mut buffer));
            }
            sum
        })
    };
    sum_of((0..parallelism).map(reader).collect()).await
}

fn primes(chunk: usize) -> i64 {
    let from = CHUNK_FROM + chunk as u32 * CHUNK_LEN;
    let mut count = 0;
    for n in from..from + CHUNK_LEN {
        let mut prime = n & 1 == 1;
        let mut d = 3;
        while prime && d * d <= n {
            prime = n % d != 0;
            d += 2;
        }
        count += i64::from(prime);
    }
    count
}

async fn cpu(ops: usize) -> i64 {
    let mut sum = 0;
    for _ in 0..ops / CHUNKS {
        sum += sum_of((0..CHUNKS).map(|i| tokio::spawn(async move { primes(i) })).collect()).await;
    }
    sum
}

async fn block_ms(ops: usize) -> i64 {
    let mut sum = 0;
    for _ in 0..ops / SLEEPERS {
        let sleeper = |i| {
            spawn_blocking(move || {
                std::thread::sleep(Duration::from_millis(1));
                i as i64
            })
        };
        sum += sum_of((0..SLEEPERS).map(sleeper).collect()).await;
    }
    sum
}

/// What the task returned, or what it panicked with.
async fn caught(task: JoinHandle<i64>) -> i64 {
    match task.await {
        Ok(n) => n,
        Err(e) => *e.into_panic().downcast::<i64>().unwrap(),
    }
}

async fn panics(ops: usize) -> i64 {
    let mut sum = 0;
    for _ in 0..ops / PANIC_BATCH {
        let panicker = |i| {
            tokio::spawn(async move {
                if i != usize::MAX {
                    std::panic::panic_any(i as i64);
                }
                0
            })
        };
        let tasks: Vec<_> = (0..PANIC_BATCH).map(panicker).collect();
        for task in tasks {
            sum += caught(task).await;
        }
    }
    sum
}

async fn mixed_task(file: Arc<File>, i: usize) -> i64 {
    match i % 10 {
        6 | 7 => {
            for _ in 0..3 {
                yield_now().await;
            }
            i as i64
        }
        8 => i as i64 + block_in_place(|| read_page(&file, i, &mut [0; PAGE])),
        9 => std::panic::panic_any(i as i64),
        _ => i as i64,
    }
}

async fn mixed(file: Arc<File>, ops: usize) -> i64 {
    let mut sum = 0;
    for _ in 0..ops / MIXED_BATCH {
        let tasks: Vec<_> = (0..MIXED_BATCH).map(|i| tokio::spawn(mixed_task(file.clone(), i))).collect();
        for task in tasks {
            sum += caught(task).await;
        }
    }
    sum
}
