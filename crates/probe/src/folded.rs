//! Sampled stacks, one of each kind with the number of its samples: `thread;function;function 12`.

use std::io::{self, BufRead, BufReader, Read};

use inferno::collapse::Collapse;
use inferno::collapse::perf::{Folder, Options};

/// So long the text is at most: stacks with fewer samples than all of these are put together, thread by thread.
const LONGEST_BYTES: usize = 4 << 20;
/// What stands for the functions of those.
const RARE: &str = "(rare stacks)";

/// Sampled stacks.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Folded {
    /// A line for each kind, sorted.
    pub text: String,
    /// What the kernel sampled by.
    pub event: String,
    /// Samples with a stack.
    pub samples: u64,
    /// Samples that the kernel could not hand over.
    pub lost: u64,
    /// Only code outside the kernel was sampled.
    pub without_kernel: bool,
}

/// Sums up what `perf script` prints. Functions of the kernel end with `_[k]`; code without a symbol is called by its file:
/// `[mysqld]`.
pub(crate) fn fold(script: impl BufRead) -> io::Result<Folded> {
    let mut samples = Samples::new(script);
    samples.advance()?;
    if samples.is_over {
        return Ok(Folded { lost: samples.lost, ..Folded::default() });
    }
    let mut options = Options::default();
    options.annotate_kernel = true;
    let mut folded = Vec::new();
    Folder::from(options).collapse(BufReader::new(&mut samples), &mut folded)?;
    let text = bounded(&String::from_utf8_lossy(&folded), LONGEST_BYTES);
    let (event, modifiers) = samples.event.split_once(':').unwrap_or((&samples.event, ""));
    Ok(Folded {
        text,
        event: event.to_owned(),
        samples: samples.samples,
        lost: samples.lost,
        without_kernel: modifiers.contains('u') && !modifiers.contains('k'),
    })
}

/// The lines of samples among those that `perf script` prints, counted.
struct Samples<R> {
    script: R,
    /// The line that is handed on, and how far that is.
    line: Vec<u8>,
    at: usize,
    in_sample: bool,
    is_over: bool,
    samples: u64,
    lost: u64,
    /// With its modifiers, as the first sample has it.
    event: String,
}

impl<R: BufRead> Samples<R> {
    fn new(script: R) -> Self {
        Self {
            script,
            line: Vec::new(),
            at: 0,
            in_sample: false,
            is_over: false,
            samples: 0,
            lost: 0,
            event: String::new(),
        }
    }

    /// The next line of a sample.
    fn advance(&mut self) -> io::Result<()> {
        loop {
            (self.at, self.is_over) = (0, false);
            self.line.clear();
            if self.script.read_until(b'\n', &mut self.line)? == 0 {
                self.is_over = true;
                return Ok(());
            }
            let line = String::from_utf8_lossy(&self.line);
            let is_blank = line.trim().is_empty();
            if self.in_sample {
                self.in_sample = !is_blank;
                return Ok(());
            }
            if is_blank || line.starts_with('#') {
                continue;
            }
            if line.contains("PERF_RECORD_LOST") {
                let count = line.trim().rsplit(' ').next().and_then(|count| count.parse::<u64>().ok());
                self.lost += count.unwrap_or(1);
                continue;
            }
            if self.event.is_empty() {
                // `mysqld 4711  6544.038708: cpu-clock:pppH:`
                let event = line.trim().rsplit(' ').next().unwrap_or_default();
                self.event = event.trim_end_matches(':').to_owned();
            }
            self.samples += 1;
            self.in_sample = true;
            return Ok(());
        }
    }
}

impl<R: BufRead> Read for Samples<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.line.len() && !self.is_over {
            self.advance()?;
        }
        let length = (self.line.len() - self.at).min(into.len());
        into[..length].copy_from_slice(&self.line[self.at..self.at + length]);
        self.at += length;
        Ok(length)
    }
}

/// No more than so many bytes: what has the fewest samples is put together.
fn bounded(text: &str, longest: usize) -> String {
    if text.len() <= longest {
        return text.to_owned();
    }
    let mut lines: Vec<(&str, u64)> = text
        .lines()
        .filter_map(|line| line.rsplit_once(' '))
        .filter_map(|(stack, count)| Some((stack, count.parse().ok()?)))
        .collect();
    lines.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let mut kept: std::collections::BTreeMap<String, u64> = std::collections::BTreeMap::new();
    let mut length = 0;
    for (stack, count) in lines {
        length += stack.len() + 8;
        let thread = stack.split(';').next().unwrap_or_default();
        let name = if length <= longest { stack.to_owned() } else { format!("{thread};{RARE}") };
        *kept.entry(name).or_default() += count;
    }
    kept.into_iter().map(|(stack, count)| format!("{stack} {count}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As perf 6.1 prints it.
    const SCRIPT: &str = "\
connection  4711  6544.038708: cpu-clock:pppH: 
\tffffffff8103ce3b __schedule+0x3b ([kernel.kallsyms])
\t    55d2a0b1c2d3 row_search_mvcc(unsigned char*, page_cur_mode_t, row_prebuilt_t*, unsigned long, unsigned long)+0x1f3 (/usr/sbin/mysqld)
\t    55d2a0a00000 do_command(THD*)+0x20 (/usr/sbin/mysqld)

connection  4712  6544.048708: PERF_RECORD_LOST lost 7
connection  4712  6544.048808: cpu-clock:pppH: 
\tffffffff8103ce3b __schedule+0x3b ([kernel.kallsyms])
\t    55d2a0b1c2d3 row_search_mvcc(unsigned char*, page_cur_mode_t, row_prebuilt_t*, unsigned long, unsigned long)+0x99 (/usr/sbin/mysqld)
\t    55d2a0a00000 do_command(THD*)+0x20 (/usr/sbin/mysqld)

ib_log_writer  4680  6544.058808: cpu-clock:pppH: 
\t    55d2a0c00000 [unknown] (/usr/sbin/mysqld)
\t               0 [unknown] ([unknown])

";

    #[test]
    fn stacks_begin_with_the_thread_and_are_counted() {
        let folded = fold(SCRIPT.as_bytes()).expect("readable");
        let expected =
            "connection;do_command;row_search_mvcc;__schedule_[k] 2\nib_log_writer;[unknown];[mysqld] 1\n";
        assert_eq!(folded.text, expected);
        assert_eq!((folded.samples, folded.lost, folded.event.as_str()), (3, 7, "cpu-clock"));
        assert!(!folded.without_kernel);
    }

    #[test]
    fn samples_of_the_servers_own_code_alone_are_known_by_their_event() {
        let script = SCRIPT.replace("cpu-clock:pppH", "cycles:u");
        let folded = fold(script.as_bytes()).expect("readable");
        assert!(folded.without_kernel);
        assert_eq!(folded.event, "cycles");
    }

    #[test]
    fn no_samples_are_no_error() {
        assert_eq!(fold(&b""[..]).expect("readable"), Folded::default());
        let only_lost = "x 1 2.0: PERF_RECORD_LOST lost 3\n";
        assert_eq!(fold(only_lost.as_bytes()).expect("readable"), Folded { lost: 3, ..Folded::default() });
    }

    #[test]
    fn rare_stacks_are_put_together_and_none_is_lost() {
        let text = "a;f;g 1\na;f;h 90\nb;f 2\nb;i 1\n";
        let short = bounded(text, 20);
        assert_eq!(short, "a;(rare stacks) 1\na;f;h 90\nb;(rare stacks) 3\n");
    }
}
