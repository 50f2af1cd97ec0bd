//! What the disk costs: writes per second through it against those to the directory below.
//!
//! `cargo test --release -p disk measure -- --ignored --nocapture --test-threads 1`

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement is printed")]

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::OFlags;

use crate::common::{needs_disk, open, volatile};

const FOR: Duration = Duration::from_secs(3);
const FILE: u64 = 64 << 20;

/// Operations per second of so many threads, each with a file of its own.
fn rate(directory: &Path, threads: usize, flags: OFlags, operation: impl Fn(&File, u64) + Sync) -> f64 {
    let files: Vec<File> =
        (0..threads).map(|number| open(&directory.join(format!("m{number}")), flags)).collect();
    for file in &files {
        let megabyte = vec![1; 1 << 20];
        for at in 0..FILE >> 20 {
            file.write_all_at(&megabyte, at << 20).unwrap();
        }
        file.sync_all().unwrap();
    }
    let start = Instant::now();
    let counts: Vec<u64> = thread::scope(|scope| {
        let one = |file: &File| {
            let mut count = 0;
            while start.elapsed() < FOR {
                operation(file, (count * 7919 % (FILE >> 14)) << 14);
                count += 1;
            }
            count
        };
        let all: Vec<_> = files.iter().map(|file| scope.spawn(move || one(file))).collect();
        all.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    counts.iter().sum::<u64>() as f64 / start.elapsed().as_secs_f64()
}

#[test]
#[ignore = "a measurement"]
fn measure_writes() {
    needs_disk!();
    let page = vec![2; 16384];
    let write = |file: &File, at: u64| file.write_all_at(&page, at).unwrap();
    let append = |file: &File, at: u64| {
        file.write_all_at(&page[..512], at).unwrap();
        file.sync_data().unwrap();
    };
    let both = |file: &File, at: u64| {
        write(file, at);
        file.sync_data().unwrap();
    };
    let read = |file: &File, at: u64| file.read_exact_at(&mut [0; 16384], at).unwrap();
    let none = OFlags::empty();
    type Operation<'a> = &'a (dyn Fn(&File, u64) + Sync);
    let rows: [(&str, OFlags, Operation); 5] = [
        ("16 KiB pwrite", none, &write),
        ("16 KiB pwrite + fdatasync", none, &both),
        ("512 B pwrite + fdatasync", none, &append),
        ("16 KiB pwrite, O_DIRECT (buffered below)", OFlags::DIRECT, &write),
        ("16 KiB pread through the page cache", none, &read),
    ];
    for (name, flags, operation) in rows {
        for threads in [1, 4] {
            let on = volatile();
            let through = rate(&on.path, threads, flags, operation);
            // A buffer of Rust is not aligned as O_DIRECT asks for below.
            let plain = rate(on.home.path(), threads, none, operation);
            println!(
                "{name}, {threads} threads: {through:.0}/s, {plain:.0}/s below, {:.2}x",
                through / plain
            );
        }
    }
}
