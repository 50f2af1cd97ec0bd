//! `load-totals.hlog`: the measured window of `load.hlog` under each tag, in one line each.
//!
//! A report needs the sums of every trial and the single seconds of few, and to decode thirty times as many histograms took a
//! thousand trials of thirty seconds minutes. It is made from `load.hlog` when a trial is over, says of how many bytes, and counts
//! for nothing if those are not the bytes that are there: like the index it may be deleted, and then the log itself is added up.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use stats::Counts;

use crate::hlog::{LineEncoder, LoadLog, Stretch};
use crate::{ReadError, checksums, files};

const HEAD: &str = "#[Totals of the first ";

/// Latencies of the measured window by tag (`response:transaction`, `service:point_select`), nanoseconds.
#[derive(Debug, Clone, Default)]
pub struct Totals {
    by_tag: BTreeMap<String, Counts>,
    truncated: Option<String>,
}

/// The source of the totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The stored totals, if they belong to the log that is there.
    Kept,
    /// The log itself.
    Log,
}

impl Totals {
    /// The counts of one tag; none if nothing was measured under it.
    pub fn get(&self, tag: &str) -> Option<&Counts> {
        self.by_tag.get(tag)
    }

    /// The place where the log was cut, if it was.
    pub fn truncated(&self) -> Option<&str> {
        self.truncated.as_deref()
    }

    /// Reads the totals of the trial in a directory. `damage` is the known damage of its log.
    pub(crate) fn read(directory: &Path, from: Source, damage: Option<String>) -> Result<Self, ReadError> {
        let damage = damage.or_else(|| damage_of(directory));
        if let Some(by_tag) = kept(directory).filter(|_| from == Source::Kept) {
            return Ok(Self { by_tag, truncated: damage });
        }
        let mut totals = Self::add_up(&LoadLog::read(&directory.join(files::LOAD_LOG))?)?;
        totals.truncated = totals.truncated.or(damage);
        Ok(totals)
    }

    fn add_up(log: &LoadLog) -> Result<Self, ReadError> {
        let mut by_tag = BTreeMap::new();
        for tag in log.tags() {
            if let Some(counts) = log.counts(tag)? {
                by_tag.insert(tag.to_owned(), counts);
            }
        }
        Ok(Self { by_tag, truncated: log.truncated().map(str::to_owned) })
    }
}

/// The damage of a finished trial's log, as far as it shows without decoding: it is shorter than when its totals were made,
/// or does not begin and end as it was written. A log that was never kept is not damaged.
fn damage_of(directory: &Path) -> Option<String> {
    let path = directory.join(files::LOAD_LOG);
    let name = files::display_name(&path);
    let mut file = fs::File::open(&path).ok()?;
    let length = file.metadata().ok()?.len();
    let (mut first, mut last) = ([0; 2], [0; 1]);
    let read = file.read_exact(&mut first).and_then(|()| file.seek(SeekFrom::End(-1)));
    if read.and_then(|_| file.read_exact(&mut last)).is_err() || &first != b"#[" || &last != b"\n" {
        return Some(format!("{name} is unreadable"));
    }
    let of = length_of(&fs::read(directory.join(files::LOAD_TOTALS)).ok()?)?;
    (length < of).then(|| checksums::other_length(&path, length, of))
}

/// The length of the log according to the totals, bytes.
fn length_of(totals: &[u8]) -> Option<u64> {
    let first = totals.strip_prefix(HEAD.as_bytes())?;
    let digits = first.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&first[..digits]).ok()?.parse().ok()
}

/// The totals stored at the end of the trial, if they belong to the log that is there, and are whole.
fn kept(directory: &Path) -> Option<BTreeMap<String, Counts>> {
    let path = directory.join(files::LOAD_TOTALS);
    let text = fs::read(&path).ok()?;
    if fs::metadata(directory.join(files::LOAD_LOG)).ok()?.len() != length_of(&text)? {
        return None;
    }
    let log = LoadLog::parse(&path, &text).ok().filter(|log| log.truncated().is_none())?;
    Totals::add_up(&log).ok().map(|totals| totals.by_tag)
}

/// Adds up the log of a finished trial. A failure to write it only makes reports slower.
pub fn write(directory: &Path, encoder: &mut LineEncoder) {
    let path = directory.join(files::LOAD_LOG);
    let Ok(bytes) = fs::read(&path) else { return };
    let Ok(log) = LoadLog::parse(&path, &bytes) else { return };
    let Ok(totals) = Totals::add_up(&log) else { return };
    let mut text = format!(
        "{HEAD}{} bytes of load.hlog, which they are made from anew if it is longer.]\n",
        bytes.len()
    );
    // What the log says of itself.
    let head = bytes.split_inclusive(|&b| b == b'\n').take_while(|line| !line.starts_with(b"Tag="));
    head.for_each(|line| text.push_str(&String::from_utf8_lossy(line)));
    for (tag, counts) in &totals.by_tag {
        let (start_s, length_s) = log.measured(tag);
        let stretch = Stretch { start_s, length_s, warmup: false };
        encoder.append(&mut text, &stretch, tag, &counts.histogram());
    }
    let _ = fs::write(directory.join(files::LOAD_TOTALS), text);
}
