//! Runs one workload on Tokio and prints one sample, as the Go engines do.
//!
//! Arguments: engine, workload, parallelism, warm-up operations, operations,
//! the file for cached reads, the address of the echo server. The engines:
//!
//!   tokio          multi-threaded runtime, one worker thread a unit of parallelism
//!   tokio-current  current-thread runtime, parallelism 1 only
//!   tokio-async    the multi-threaded runtime with its own sockets, for "sockets" only
//!
//! Output: workload parallelism ops nanoseconds cpu_ns maxrss_bytes threads checksum

mod workloads;

use std::process::exit;
use std::time::Instant;

/// What a workload needs to know.
pub struct Setting {
    pub engine: String,
    pub parallelism: usize,
    pub file: String,
    pub echo: String,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.len() != 7 {
        fail("usage: ENGINE WORKLOAD PARALLELISM WARM OPS FILE ECHO");
    }
    let number = |i: usize| -> usize {
        args[i].parse().unwrap_or_else(|_| fail(&format!("argument {}: not a number: {}", i + 1, args[i])))
    };
    let (parallelism, warm, ops) = (number(2), number(3), number(4));
    let setting = Setting { engine: args[0].clone(), parallelism, file: args[5].clone(), echo: args[6].clone() };
    let workload = args[1].clone();
    let runtime = match setting.engine.as_str() {
        "tokio" | "tokio-async" => {
            tokio::runtime::Builder::new_multi_thread().worker_threads(parallelism).enable_all().build()
        }
        "tokio-current" if parallelism == 1 => tokio::runtime::Builder::new_current_thread().enable_all().build(),
        _ => fail(&format!("no engine {} at parallelism {}", setting.engine, parallelism)),
    }
    .unwrap_or_else(|e| fail(&format!("starting the runtime: {e}")));
    // The message of a caught panic would go to standard error.
    std::panic::set_hook(Box::new(|_| {}));
    let line = runtime.block_on(async move {
        // The driver is a task itself, as it is on weft.
        match tokio::spawn(measure(setting, workload, warm, ops)).await {
            Ok(line) => line,
            Err(e) => match e.try_into_panic() {
                Ok(p) => fail(&format!("the workload panicked: {:?}", p.downcast_ref::<String>())),
                Err(e) => fail(&format!("the workload: {e}")),
            },
        }
    });
    println!("{line}");
    // Threads of the blocking pool need not be waited for.
    exit(0);
}

async fn measure(setting: Setting, workload: String, warm: usize, ops: usize) -> String {
    let mut state = workloads::State::new(&setting, &workload);
    if warm > 0 {
        state.run(&setting, &workload, warm).await;
    }
    let cpu = cpu_ns();
    let start = Instant::now();
    let sum = state.run(&setting, &workload, ops).await;
    let wall = start.elapsed().as_nanos();
    let cpu = cpu_ns() - cpu;
    format!(
        "{workload} {} {ops} {wall} {cpu} {} {} {sum}",
        setting.parallelism,
        status("VmHWM:") * 1024,
        status("Threads:")
    )
}

/// A number from /proc/self/status, 0 where there is none.
fn status(key: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or("");
    line.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0)
}

#[repr(C)]
#[derive(Default)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

/// Processor time of the whole process.
fn cpu_ns() -> i64 {
    const CLOCK_PROCESS_CPUTIME_ID: i32 = 2;
    let mut time = Timespec::default();
    // SAFETY: the layout is that of a 64-bit Linux, and the pointer is valid.
    unsafe { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.seconds * 1_000_000_000 + time.nanoseconds
}

pub fn fail(message: &str) -> ! {
    eprintln!("weft-bench-tokio: {message}");
    exit(1)
}
