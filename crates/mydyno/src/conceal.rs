//! Keeps passwords out of `ps`.
//!
//! The mysql client overwrites its own arguments; that takes unsafe code. Here the program starts itself once more with
//! masked arguments, and hands the real ones over through a pipe, under the same process id. Like with the mysql client,
//! there is an instant at the very start in which the password can be seen.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;

use crate::error::{Outcome, UserError};

/// First argument of a process whose real ones come through a pipe.
const SEALED: &str = "--words-from-fd=";
const MASK: &str = "xxxxx";
/// Capacity of a pipe before a writer waits for a reader, of which there is none yet.
const PIPE_HOLDS: usize = 32 * 1024;

/// The real words of the command line, without the program's name. Does not return if the process re-executes itself.
pub fn words() -> Outcome<Vec<String>> {
    let mut given = std::env::args_os();
    let program = given.next().unwrap_or_else(|| OsString::from("mydyno"));
    let given: Vec<OsString> = given.collect();
    let words = match given.first().and_then(|word| word.to_str()?.strip_prefix(SEALED)) {
        Some(fd) => unseal(fd)?,
        None => {
            seal(&program, &given);
            given
        }
    };
    let utf8 = |word: OsString| {
        word.into_string().map_err(|_| UserError::usage("a word of the command line is not UTF-8"))
    };
    words.into_iter().map(utf8).collect()
}

/// Re-executes the program if a word holds a password. If that fails, the run matters more than the mask.
fn seal(program: &OsStr, words: &[OsString]) {
    let masked: Vec<Option<OsString>> = words.iter().map(|word| masked(word)).collect();
    if masked.iter().all(Option::is_none) {
        return;
    }
    let shown = masked.into_iter().zip(words).map(|(mask, word)| mask.unwrap_or_else(|| word.clone()));
    let message = words.iter().map(|word| word.as_bytes()).collect::<Vec<_>>().join(&0);
    if message.len() > PIPE_HOLDS {
        return;
    }
    // The pipe must survive exec, so it is not close-on-exec.
    let (Ok(exe), Ok((reader, writer))) = (std::env::current_exe(), rustix::pipe::pipe()) else { return };
    let mut writer = std::fs::File::from(writer);
    if writer.write_all(&message).is_err() {
        return;
    }
    drop(writer);
    let fd = reader.as_raw_fd();
    // It only returns if it failed.
    let _ = std::process::Command::new(exe).arg0(program).arg(format!("{SEALED}{fd}")).args(shown).exec();
}

fn unseal(fd: &str) -> Outcome<Vec<OsString>> {
    let wrong = || UserError::usage(format!("{SEALED} is for the program's own use"));
    if fd.is_empty() || !fd.bytes().all(|b| b.is_ascii_digit()) {
        return Err(wrong());
    }
    let mut message = Vec::new();
    std::fs::File::open(format!("/proc/self/fd/{fd}"))
        .and_then(|file| file.take(PIPE_HOLDS as u64).read_to_end(&mut message))
        .map_err(|_| wrong())?;
    Ok(message.split(|byte| *byte == 0).map(|word| OsString::from_vec(word.to_vec())).collect())
}

/// The word with its password masked; none if it holds none.
fn masked(word: &OsStr) -> Option<OsString> {
    let word = word.to_str()?;
    if word.len() > 2 && word.starts_with("-p") {
        return Some(format!("-p{MASK}").into());
    }
    if let Some((name, value)) = word.split_once('=')
        && name.starts_with("--")
        && name.contains("pass")
        && !value.is_empty()
    {
        return Some(format!("{name}={MASK}").into());
    }
    mask_url(word).map(OsString::from)
}

/// `mysql://user:password@host` with the password masked; none if there is none.
pub fn mask_url(text: &str) -> Option<String> {
    let (before, rest) = text.split_once("://")?;
    let authority = rest.split(['/', '?']).next().unwrap_or(rest);
    let (account, _) = authority.rsplit_once('@')?;
    let (user, password) = account.split_once(':')?;
    let after = &rest[account.len()..];
    (!password.is_empty()).then(|| format!("{before}://{user}:{MASK}{after}"))
}

/// True if a word of the command line holds a password, as the mysql client warns about.
pub fn holds_password(words: &[String]) -> bool {
    words.iter().take_while(|word| *word != "--").any(|word| masked(OsStr::new(word)).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(word: &str) -> Option<String> {
        masked(OsStr::new(word)).and_then(|masked| masked.into_string().ok())
    }

    #[test]
    fn every_way_to_write_a_password_is_masked() {
        for word in [
            "-phunter2",
            "--password=hunter2",
            "--mysql-password=hunter2",
            "--mysql_password=hunter2",
            "mysql://u:hunter2@h/db",
            "a=mysql://u:hunter2@h?ssl-mode=REQUIRED",
            "--target=mysql://u:hunter2@h",
            "mysql://u:hun@ter2@h/db",
        ] {
            let masked = mask(word).unwrap_or_else(|| panic!("{word} is not masked"));
            assert!(!masked.contains("ter2"), "{masked}");
        }
        assert_eq!(mask("mysql://u:hunter2@h:3306/db?x=1").as_deref(), Some("mysql://u:xxxxx@h:3306/db?x=1"));
    }

    #[test]
    fn words_without_a_password_are_left_alone() {
        for word in [
            "-p",
            "--password",
            "--password=",
            "-P3306",
            "mysql://u@h/db",
            "mysql://u:@h/db",
            "sandbox:mysql",
            "--port=1",
        ] {
            assert_eq!(mask(word), None, "{word}");
        }
    }
}
