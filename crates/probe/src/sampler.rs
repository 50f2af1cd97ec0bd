//! Samples of the stacks of a server, taken by `perf`.
//!
//! Frame pointers lead from one frame to the next: servers are built with them (MySQL) or not (some builds of MariaDB), whose
//! stacks then end early. Unwinding by debug information would copy kilobytes of stack with every sample.

use std::fs;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use model::{NotSampled, SampledStacks};
use rustix::process::{Pid, Signal, kill_process};

use crate::activity::ServerPlace;
use crate::folded::{Folded, fold};

/// Samples per second of each CPU: not in step with timers of 100 per second.
const FREQUENCY_HZ: u32 = 99;
/// So many seconds are sampled at most: what they show changes little after that, and the file would grow. `perf` ends by itself
/// then, also where nobody is left to tell it.
const LONGEST_S: &str = "60";
/// For `perf` to write down what it has when it is told to end.
const PATIENCE: Duration = Duration::from_secs(30);
const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";

/// What can sample the CPUs of a server.
#[derive(Debug, Clone)]
pub struct StackSampler {
    perf: PathBuf,
    pid: u32,
    /// Where `perf` writes to; it is removed in the end.
    file: PathBuf,
}

impl StackSampler {
    /// Tries it out for a moment. `file` is where it may write while it samples.
    ///
    /// # Errors
    /// Why the server cannot be sampled.
    pub fn new(place: ServerPlace, file: &Path) -> Result<Self, NotSampled> {
        let ServerPlace::Process(pid) = place else { return Err(NotSampled::UnknownProcess) };
        let perf = find_perf().ok_or(NotSampled::NotInstalled)?;
        let sampler = Self { perf, pid, file: file.to_owned() };
        let tried = sampler.record(&["sleep", "0.05"]).and_then(Self::ended);
        sampler.remove();
        tried.map(|()| sampler)
    }

    /// Samples until `is_over` says so, a minute at most, and sums it up.
    ///
    /// # Errors
    /// `perf` failed, or saw nothing.
    pub fn sample(&self, is_over: impl Fn() -> bool) -> Result<(SampledStacks, String), NotSampled> {
        let found = self.record(&["sleep", LONGEST_S]).and_then(|mut perf| {
            let begun = Instant::now();
            while !is_over() && is_running(&mut perf) {
                thread::park_timeout(Duration::from_millis(20));
            }
            let time_s = begun.elapsed().as_secs_f64();
            interrupt(&mut perf);
            Self::ended(perf)?;
            self.folded(time_s)
        });
        self.remove();
        found
    }

    fn record(&self, until: &[&str]) -> Result<Child, NotSampled> {
        let mut command = self.command("record");
        command.args(["-F", &FREQUENCY_HZ.to_string(), "-g", "-B", "-N", "-p", &self.pid.to_string(), "-o"]);
        command.arg(&self.file).args(until).stdout(Stdio::null());
        command.spawn().map_err(failed)
    }

    fn command(&self, verb: &str) -> Command {
        let mut command = Command::new(&self.perf);
        command.arg(verb).env("LC_ALL", "C").stdin(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// A `perf record` that was interrupted ends by that signal, having written its file.
    fn ended(perf: Child) -> Result<(), NotSampled> {
        let output = perf.wait_with_output().map_err(failed)?;
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) | None => Ok(()),
            Some(_) => Err(refusal(&said)),
        }
    }

    /// Reads what was written, by way of `perf script`.
    fn folded(&self, time_s: f64) -> Result<(SampledStacks, String), NotSampled> {
        let mut command = self.command("script");
        command.args([
            "-F",
            "comm,tid,time,event,ip,sym,dso",
            "--no-inline",
            "--show-lost-events",
            "-f",
            "-i",
        ]);
        let mut script =
            command.arg(&self.file).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(failed)?;
        let out = script.stdout.take().map(BufReader::new);
        let folded = out.map_or_else(|| Ok(Folded::default()), fold).map_err(failed);
        let status = script.wait().map_err(failed)?;
        let Folded { text, event, samples, lost, without_kernel } = folded?;
        match status.success() {
            true if samples == 0 => Err(NotSampled::NoSamples),
            true => {
                let frequency_hz = FREQUENCY_HZ;
                Ok((SampledStacks { frequency_hz, event, time_s, samples, lost, without_kernel }, text))
            }
            false => Err(NotSampled::Failed { message: format!("perf script: {status}") }),
        }
    }

    fn remove(&self) {
        // Where it was never written there is nothing to remove.
        let _ = fs::remove_file(&self.file);
        let _ = fs::remove_file(self.file.with_extension("data.old"));
    }
}

fn is_running(perf: &mut Child) -> bool {
    matches!(perf.try_wait(), Ok(None))
}

/// Tells it to write down what it has and to end; ends it if it does not.
fn interrupt(perf: &mut Child) {
    if let Some(pid) = Pid::from_raw(perf.id() as i32).filter(|_| is_running(perf)) {
        let _ = kill_process(pid, Signal::INT);
    }
    let told = Instant::now();
    while is_running(perf) {
        if told.elapsed() > PATIENCE {
            let _ = perf.kill();
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// What `perf record` says where the kernel does not let it, and otherwise.
fn refusal(said: &str) -> NotSampled {
    if said.contains("perf_event_paranoid") {
        let paranoid = fs::read_to_string(PARANOID).ok().and_then(|text| text.trim().parse().ok());
        return NotSampled::Forbidden { paranoid };
    }
    let line = said.lines().map(str::trim).find(|line| !line.is_empty());
    NotSampled::Failed { message: line.unwrap_or("it said nothing").to_owned() }
}

fn failed(error: io::Error) -> NotSampled {
    NotSampled::Failed { message: error.to_string() }
}

fn find_perf() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let directories = std::env::split_paths(&path).chain(["/usr/bin", "/usr/sbin"].map(PathBuf::from));
    directories.map(|directory| directory.join("perf")).find(|candidate| candidate.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_forbids_is_told_from_other_failures() {
        let said = "Error:\nAccess to performance monitoring and observability operations is limited.\n\
                    Consider adjusting /proc/sys/kernel/perf_event_paranoid setting to open\n";
        assert!(matches!(refusal(said), NotSampled::Forbidden { .. }));
        let said = "\nWARNING: perf not found for kernel 6.8.0-31\n\n  You may need to install\n";
        let message = "WARNING: perf not found for kernel 6.8.0-31".to_owned();
        assert_eq!(refusal(said), NotSampled::Failed { message });
    }

    #[test]
    fn a_server_elsewhere_cannot_be_sampled() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("perf.data");
        for place in [ServerPlace::Elsewhere, ServerPlace::Here] {
            assert_eq!(StackSampler::new(place, &file).err(), Some(NotSampled::UnknownProcess));
        }
    }
}
