//! `load-totals.hlog`: the measured window of `load.hlog` under each tag, in one line each.
//!
//! A report needs the sums of every trial and the single seconds of few, and to decode thirty times as many histograms took a
//! thousand trials of thirty seconds minutes. It is made from `load.hlog` when a trial is over, says of how many bytes, and counts
//! for nothing if those are not the bytes that are there: like the index it may be deleted, and then the log itself is added up.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use stats::Counts;

use crate::hlog::{LineEncoder, LoadLog, Stretch};
use crate::{ReadError, files};

const HEAD: &str = "#[Totals of the first ";

/// Latencies of the measured window by tag (`response:transaction`, `service:point_select`), nanoseconds.
#[derive(Debug, Clone, Default)]
pub struct Totals {
    by_tag: BTreeMap<String, Counts>,
    truncated: Option<String>,
}

impl Totals {
    /// Of one tag; none if nothing was measured under it.
    pub fn get(&self, tag: &str) -> Option<&Counts> {
        self.by_tag.get(tag)
    }

    /// Says where the log was cut, if it was.
    pub fn truncated(&self) -> Option<&str> {
        self.truncated.as_deref()
    }

    /// Of the trial in a directory.
    pub(crate) fn read(directory: &Path) -> Result<Self, ReadError> {
        match kept(directory) {
            Some(by_tag) => Ok(Self { by_tag, truncated: None }),
            None => Self::add_up(&LoadLog::read(&directory.join(files::LOAD_LOG))?),
        }
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

/// What was written when the trial was over, if it is of the log that is there, and whole.
fn kept(directory: &Path) -> Option<BTreeMap<String, Counts>> {
    let path = directory.join(files::LOAD_TOTALS);
    let text = fs::read(&path).ok()?;
    let first = text.strip_prefix(HEAD.as_bytes())?;
    let digits = first.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let of: u64 = std::str::from_utf8(&first[..digits]).ok()?.parse().ok()?;
    if fs::metadata(directory.join(files::LOAD_LOG)).ok()?.len() != of {
        return None;
    }
    let log = LoadLog::parse(&path, &text).ok().filter(|log| log.truncated().is_none())?;
    Totals::add_up(&log).ok().map(|totals| totals.by_tag)
}

/// Adds up the log of a trial that is over. That it cannot be written only makes reports slower.
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
