//! Programs under the stopwatch: what a child process used from its start to its end, by the kernel's account.

use std::io::Read;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::error::BenchError;

/// A program that has ended well.
pub struct Ran {
    /// Its output.
    pub output: String,
    /// User CPU of the process and of its children that it waited for, seconds.
    pub user_s: f64,
    /// System CPU, likewise.
    pub system_s: f64,
    /// The most threads that it was seen to have.
    pub threads_max: u64,
}

impl Ran {
    /// CPU, seconds.
    pub fn cpu_s(&self) -> f64 {
        self.user_s + self.system_s
    }
}

/// Interval between counts of a running child's threads.
const LOOK: Duration = Duration::from_millis(50);

/// Runs a program to its end. No other child of this process may end meanwhile: the kernel adds up what all ended
/// children used, and the difference is taken.
pub fn run(command: &mut Command) -> Result<Ran, BenchError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let fail = |source| BenchError::Spawn { program: program.clone(), source };
    let before = children_use()?;
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(fail)?;
    let status_path = format!("/proc/{}/status", child.id());
    let mut threads_max = 0;
    // What these programs print fits a pipe, so nobody needs to read meanwhile.
    let status = loop {
        if let Some(status) = child.try_wait().map_err(fail)? {
            break status;
        }
        threads_max = threads_max.max(threads(&status_path));
        std::thread::sleep(LOOK);
    };
    let after = children_use()?;
    let (mut output, mut said) = (String::new(), String::new());
    if let (Some(mut stdout), Some(mut stderr)) = (child.stdout.take(), child.stderr.take()) {
        stdout.read_to_string(&mut output).map_err(fail)?;
        stderr.read_to_string(&mut said).map_err(fail)?;
    }
    if !status.success() {
        let said = if said.trim().is_empty() { &output } else { &said };
        let said = said.trim().lines().rev().take(5).collect::<Vec<_>>().join("; ");
        return Err(BenchError::Failed { program, status: status.to_string(), said });
    }
    let ticks_per_s = rustix::param::clock_ticks_per_second() as f64;
    Ok(Ran {
        output,
        user_s: (after.0 - before.0) as f64 / ticks_per_s,
        system_s: (after.1 - before.1) as f64 / ticks_per_s,
        threads_max,
    })
}

/// User and system ticks of all children that have ended: fields 16 and 17 of proc_pid_stat(5).
fn children_use() -> Result<(u64, u64), BenchError> {
    let path = "/proc/self/stat";
    let text =
        std::fs::read_to_string(path).map_err(|source| BenchError::File { path: path.to_owned(), source })?;
    let mut fields = text.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().skip(13);
    let mut next = || fields.next()?.parse().ok();
    match (next(), next()) {
        (Some(user), Some(system)) => Ok((user, system)),
        _ => {
            Err(BenchError::Output { program: path.to_owned(), what: "what ended children used", said: text })
        }
    }
}

fn threads(status_path: &str) -> u64 {
    let text = std::fs::read_to_string(status_path).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("Threads:"));
    line.and_then(|rest| rest.trim().parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_of_a_child_and_of_its_own_children_is_counted() {
        let burn = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let ran =
            run(Command::new("sh").args(["-c", &format!("sh -c '{burn}'; echo done")])).expect("sh runs");
        assert_eq!(ran.output, "done\n");
        assert!(ran.user_s > 0.0);
        assert!(ran.threads_max >= 1);
    }

    #[test]
    fn a_failure_tells_what_the_program_said() {
        let error = run(Command::new("sh").args(["-c", "echo no luck >&2; exit 3"])).err().expect("it fails");
        assert!(error.to_string().contains("no luck"), "{error}");
    }
}
