//! `load.hlog`: latency histograms of every second (of long runs: of every minute) as an HdrHistogram interval log.
//!
//! The format is HistogramLogWriter's (log format 1.3, V2 compressed histograms), so that Java's HistogramLogProcessor
//! and every other HdrHistogram tool reads it. Values are nanoseconds; the Interval_Max column is in milliseconds, which
//! is the ratio those tools assume for nanoseconds.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};
use model::{FORMAT, Interval, LoadShape};
use stats::Counts;

use crate::ReadError;
use crate::files::{check_format, display_name};

/// Prefix of the tags of everything measured during the warm-up.
const WARMUP: &str = "warmup:";

/// Our own line in the header; HdrHistogram's tools skip it as a comment.
const VERSION_LINE: &str = "#[mydyno load log format ";

/// The head of a new log whose intervals count from `start`.
pub fn header(start: SystemTime) -> String {
    let start_s = start.duration_since(UNIX_EPOCH).map(|d| d.as_secs_f64()).unwrap_or_default();
    format!(
        "{VERSION_LINE}{FORMAT}]\n\
         #[Values are nanoseconds. Tags: response:<operation> from due to done, service:<operation> from sent to done;\n\
         # {WARMUP} before a tag: measured during the warm-up. Interval_Max is in milliseconds.]\n\
         #[Histogram log format version 1.3]\n\
         #[StartTime: {start_s:.3} (seconds since epoch)]\n\
         #[BaseTime: {start_s:.3} (seconds since epoch)]\n\
         \"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n"
    )
}

/// Seconds that one line covers. Every second has lines of its own, unless the run is so long that they would fill the
/// disk: eight hours of TPC-C would take half a gigabyte. The counts of every second are in `intervals.jsonl` in any
/// case.
pub fn stretch_s(load: &LoadShape) -> f64 {
    match load.warmup_s + load.time_s {
        all_s if all_s <= 1_200.0 => 1.0,
        all_s if all_s <= 7_200.0 => 10.0,
        _ => 60.0,
    }
}

/// The period that one line covers.
#[derive(Debug, Clone, Copy)]
pub struct Stretch {
    pub start_s: f64,
    pub length_s: f64,
    pub warmup: bool,
}

impl Stretch {
    pub fn of(interval: &Interval) -> Self {
        let start_s = (interval.end_s - interval.length_s).max(0.0);
        Self { start_s, length_s: interval.length_s, warmup: interval.warmup }
    }
}

/// Histograms that wait for their stretch to be over.
#[derive(Debug)]
pub struct Waiting {
    pub stretch: Stretch,
    histograms: Vec<(String, Histogram<u64>)>,
}

impl Waiting {
    pub fn new(interval: &Interval) -> Self {
        let stretch = Stretch { length_s: 0.0, ..Stretch::of(interval) };
        Self { stretch, histograms: Vec::new() }
    }

    /// Adds an interval that follows.
    pub fn add(&mut self, interval: &Interval, histograms: &[(&str, &Histogram<u64>)]) {
        self.stretch.length_s += interval.length_s;
        for (tag, histogram) in histograms {
            match self.histograms.iter_mut().find(|(known, _)| known == tag) {
                Some((_, sum)) => sum.add(*histogram).expect("histograms of one tag have the same bounds"),
                None => self.histograms.push(((*tag).to_owned(), (*histogram).clone())),
            }
        }
    }

    /// Its lines.
    pub fn lines(&self, encoder: &mut LineEncoder, out: &mut String) {
        for (tag, histogram) in &self.histograms {
            encoder.append(out, &self.stretch, tag, histogram);
        }
    }
}

/// Turns histograms into lines, keeping its buffers from one second to the next.
pub struct LineEncoder {
    serializer: V2DeflateSerializer,
    buffer: Vec<u8>,
}

impl LineEncoder {
    pub fn new() -> Self {
        Self { serializer: V2DeflateSerializer::new(), buffer: Vec::new() }
    }

    /// Appends one line for a histogram of a stretch; nothing for an empty one.
    pub fn append(&mut self, out: &mut String, stretch: &Stretch, tag: &str, histogram: &Histogram<u64>) {
        if histogram.is_empty() {
            return;
        }
        self.buffer.clear();
        self.serializer
            .serialize(histogram, &mut self.buffer)
            .expect("counts are below 2^63 and writing to memory cannot fail");
        let warmup = if stretch.warmup { WARMUP } else { "" };
        // A comma or a blank would end the tag early for every reader.
        let tag = tag.replace([',', ' ', '\n', '\r'], "_");
        out.push_str(&format!(
            "Tag={warmup}{tag},{:.3},{:.3},{:.3},",
            stretch.start_s,
            stretch.length_s,
            histogram.max() as f64 / 1e6
        ));
        STANDARD.encode_string(&self.buffer, out);
        out.push('\n');
    }
}

/// The histogram of one line under one tag: of a second, or in a long run of ten or sixty. There is no line where nothing
/// was completed.
#[derive(Debug, Clone)]
pub struct LoggedInterval {
    /// Start, seconds since the trial's clients started.
    pub start_s: f64,
    /// Length, seconds.
    pub length_s: f64,
    /// True if it belongs to the warm-up.
    pub warmup: bool,
    /// Latencies, nanoseconds.
    pub histogram: Histogram<u64>,
}

#[derive(Debug)]
struct Line {
    tag: String,
    warmup: bool,
    start_s: f64,
    length_s: f64,
    encoded: String,
}

/// A parsed log; histograms are decoded on demand.
#[derive(Debug)]
pub struct LoadLog {
    path: PathBuf,
    lines: Vec<Line>,
    truncated: Option<String>,
}

impl LoadLog {
    /// Reads a log up to its end or its first unreadable line. A missing file has no lines.
    pub(crate) fn read(path: &Path) -> Result<Self, ReadError> {
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(ReadError::at(path)(error)),
        };
        Self::parse(path, &bytes)
    }

    /// Parses the content of the file at `path`.
    pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Self, ReadError> {
        let mut log = Self { path: path.to_owned(), lines: Vec::new(), truncated: None };
        for (number, line) in bytes.split_inclusive(|&b| b == b'\n').enumerate() {
            if let Some(version) = own_version(line) {
                check_format(path, version)?;
            }
            if !line.ends_with(b"\n") {
                log.truncated = Some(format!("the last line of {} was cut off", display_name(path)));
                break;
            }
            match IntervalLogIterator::new(line).next() {
                Some(Ok(LogEntry::Interval(entry))) => {
                    let tag = entry.tag().map(|t| t.as_str()).unwrap_or_default();
                    log.lines.push(Line {
                        tag: tag.strip_prefix(WARMUP).unwrap_or(tag).to_owned(),
                        warmup: tag.starts_with(WARMUP),
                        start_s: entry.start_timestamp().as_secs_f64(),
                        length_s: entry.duration().as_secs_f64(),
                        encoded: entry.encoded_histogram().to_owned(),
                    });
                }
                Some(Ok(_)) | None => {}
                Some(Err(_)) => {
                    let name = display_name(path);
                    log.truncated = Some(format!("{name} is unreadable from line {} on", number + 1));
                    break;
                }
            }
        }
        Ok(log)
    }

    /// Every tag in the log (`response:transaction`, `service:point_select`), without the prefix of the warm-up.
    pub fn tags(&self) -> BTreeSet<&str> {
        self.lines.iter().map(|l| l.tag.as_str()).collect()
    }

    /// The place where the log was cut, if it was.
    pub fn truncated(&self) -> Option<&str> {
        self.truncated.as_deref()
    }

    /// The whole measured window under one tag, merged by addition; none if nothing was measured under it.
    pub fn merged(&self, tag: &str) -> Result<Option<Histogram<u64>>, ReadError> {
        let mut sum: Option<Histogram<u64>> = None;
        for line in self.lines.iter().filter(|l| l.tag == tag && !l.warmup) {
            let histogram = self.decode(line)?;
            match &mut sum {
                None => {
                    let mut first = histogram;
                    first.auto(true);
                    sum = Some(first);
                }
                Some(sum) => sum.add(&histogram).map_err(|e| ReadError::damaged(&self.path, e))?,
            }
        }
        Ok(sum)
    }

    /// The whole measured window under one tag, added up; none if nothing was measured under it.
    pub(crate) fn counts(&self, tag: &str) -> Result<Option<Counts>, ReadError> {
        let mut lines = self.lines.iter().filter(|l| l.tag == tag && !l.warmup);
        let Some(first) = lines.next() else { return Ok(None) };
        let first = self.decode_counts(first)?;
        let mut sum: Option<Histogram<u64>> = None;
        for line in lines {
            self.decode_counts(line)?.add_to_growing(sum.get_or_insert_with(|| first.histogram()));
        }
        Ok(Some(sum.map_or(first, Counts::from)))
    }

    /// Start and length of the measured window under a tag, seconds.
    pub(crate) fn measured(&self, tag: &str) -> (f64, f64) {
        let lines = || self.lines.iter().filter(|l| l.tag == tag && !l.warmup);
        (lines().map(|l| l.start_s).fold(f64::INFINITY, f64::min), lines().map(|l| l.length_s).sum())
    }

    /// Line by line under one tag, warm-up included.
    pub fn intervals(&self, tag: &str) -> Result<Vec<LoggedInterval>, ReadError> {
        let decode = |line: &Line| {
            Ok(LoggedInterval {
                start_s: line.start_s,
                length_s: line.length_s,
                warmup: line.warmup,
                histogram: self.decode(line)?,
            })
        };
        self.lines.iter().filter(|l| l.tag == tag).map(decode).collect()
    }

    fn decode_counts(&self, line: &Line) -> Result<Counts, ReadError> {
        let read = |encoded: &str| -> Result<Counts, String> {
            let plain = inflated(encoded)?;
            match Counts::from_v2(&plain) {
                Some(counts) => Ok(counts),
                // Whatever is wrong with it, or unusual, is said there.
                None => decode(encoded).map(Counts::from),
            }
        };
        read(&line.encoded)
            .map_err(|e| ReadError::damaged(&self.path, format!("{} at {} s: {e}", line.tag, line.start_s)))
    }

    fn decode(&self, line: &Line) -> Result<Histogram<u64>, ReadError> {
        decode(&line.encoded)
            .map_err(|e| ReadError::damaged(&self.path, format!("{} at {} s: {e}", line.tag, line.start_s)))
    }
}

fn own_version(line: &[u8]) -> Option<u32> {
    let rest = line.strip_prefix(VERSION_LINE.as_bytes())?;
    let end = rest.iter().position(|&b| b == b']')?;
    std::str::from_utf8(&rest[..end]).ok()?.parse().ok()
}

/// Inflates before decoding: that checks zlib's checksum, and bounds what a damaged length could make us allocate.
fn inflated(encoded: &str) -> Result<Vec<u8>, String> {
    /// A histogram of three digits up to an hour takes 300 KB at most.
    const PLAIN_MAX: u64 = 8 << 20;
    /// Cookie and length before the deflated part; cookie, length, and fields up to the counts in the plain form.
    const OUTER: usize = 8;
    const INNER: usize = 40;
    let bytes = STANDARD.decode(encoded).map_err(|e| e.to_string())?;
    let deflated = bytes.get(OUTER..).ok_or("too short")?;
    let mut plain = Vec::new();
    ZlibDecoder::new(deflated).take(PLAIN_MAX).read_to_end(&mut plain).map_err(|e| e.to_string())?;
    let length =
        plain.get(4..8).and_then(|b| b.try_into().ok()).map(u32::from_be_bytes).ok_or("too short")?;
    if plain.len().checked_sub(INNER) != Some(length as usize) {
        return Err("its length is wrong".to_owned());
    }
    Ok(plain)
}

fn decode(encoded: &str) -> Result<Histogram<u64>, String> {
    let plain = inflated(encoded)?;
    let histogram: Histogram<u64> =
        Deserializer::new().deserialize(&mut plain.as_slice()).map_err(|e| e.to_string())?;
    match histogram.sigfig() {
        DIGITS => Ok(histogram),
        other => Err(format!("a histogram of {other} significant digits; mydyno's have {DIGITS}")),
    }
}

/// Histograms with fewer digits could be added up, but with a false precision.
const DIGITS: u8 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(digits: u8) -> String {
        let mut histogram =
            Histogram::<u64>::new_with_bounds(1, 3_600_000_000_000, digits).expect("bounds are valid");
        histogram.record(123_456).expect("within an hour");
        let mut bytes = Vec::new();
        V2DeflateSerializer::new().serialize(&histogram, &mut bytes).expect("memory has room");
        STANDARD.encode(bytes)
    }

    #[test]
    fn a_histogram_of_another_layout_is_refused_with_the_reason() {
        assert!(decode(&encoded(3)).is_ok_and(|histogram| histogram.len() == 1));
        assert_eq!(
            decode(&encoded(2)).err().as_deref(),
            Some("a histogram of 2 significant digits; mydyno's have 3")
        );
        assert!(decode("HISTFAAAAB4=").is_err());
    }
}
