//! Programs that an installation runs.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use model::Advice;

use crate::error::InstallError;
use crate::lock::Lock;
use crate::program::find_program;

/// A program of this machine, or an error that names its purpose and how to get it.
pub fn need_program(
    name: &str,
    purpose: &'static str,
    remedy: impl Fn() -> Advice,
) -> Result<PathBuf, InstallError> {
    find_program(name).ok_or_else(|| InstallError::Tool {
        program: name.to_owned(),
        purpose,
        remedy: remedy(),
    })
}

/// Runs a program to its end and returns its standard output.
pub fn run(command: &mut Command) -> Result<String, InstallError> {
    run_with(command, Stdio::null())
}

/// Number of attempts while another apt holds its locks, two seconds apart.
const APT_TRIES: u32 = 300;

/// Runs apt-get, and waits while another apt uses the same directories. It inherits `lock`.
pub fn run_apt(
    command: &mut Command,
    lock: Option<&Lock>,
    tell: &mut dyn FnMut(&str),
) -> Result<String, InstallError> {
    let mut is_told = false;
    for _ in 0..APT_TRIES {
        match run_with(command, lock.map_or_else(|| Ok(Stdio::null()), Lock::inherit)?) {
            Err(InstallError::Command { output, .. }) if is_apt_busy(&output) => {
                if !std::mem::replace(&mut is_told, true) {
                    let who = output.lines().find(|line| is_apt_busy(line)).unwrap_or_default();
                    tell(&format!("waiting for another apt to end: {}", who.trim()));
                }
                std::thread::sleep(Duration::from_secs(2));
            }
            end => return end,
        }
    }
    run_with(command, Stdio::null())
}

/// Whether the output says that another apt holds its locks.
fn is_apt_busy(said: &str) -> bool {
    ["Could not get lock", "Unable to lock", "Unable to acquire the dpkg"]
        .iter()
        .any(|words| said.contains(words))
}

/// Runs a program to its end, with that standard input.
fn run_with(command: &mut Command, stdin: Stdio) -> Result<String, InstallError> {
    command.stdin(stdin);
    let shown = || {
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    };
    let shown = shown();
    let fail = |status: String, output: String| InstallError::Command { command: shown, status, output };
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => return Err(fail("not run".to_owned(), error.to_string())),
    };
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let mut said = String::from_utf8_lossy(&output.stderr).into_owned();
    if said.trim().is_empty() {
        said = String::from_utf8_lossy(&output.stdout).into_owned();
    }
    let lines: Vec<&str> = said.lines().collect();
    let last = lines[lines.len().saturating_sub(20)..].join("\n");
    Err(fail(crate::process::describe(output.status), last))
}
