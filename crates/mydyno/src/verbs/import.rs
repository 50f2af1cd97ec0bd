//! `mydyno import`: what another tool measured, as a recording.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::{Args, ValueEnum};
use import::{Format, Mapping, Source, UserFacts};
use messages::number::counted;
use store::Results;

use crate::advice;
use crate::display::phrase::bytes as bytes_text;
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::options::output::{DEFAULT_RESULTS, ResultsArgs};
use crate::output;
use model::Advise;

/// Arguments of `import`.
#[derive(Args)]
pub struct ImportArgs {
    /// Files to import into one recording; LABEL=FILE names the target of a file. Files with the same target, workload and
    /// client count are repeats
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Format of the files
    #[arg(long, default_value = "auto")]
    format: ImportFormat,
    /// Map the columns of a table: KEY=COLUMN,... with the keys threads, throughput, tpmc, transactions, time_s, queries,
    /// latency_avg_ms, p95_ms, p99_ms, target, workload, repeat; COLUMN+COLUMN joins labels; where=COLUMN:VALUE selects rows
    #[arg(long, value_name = "MAPPING", value_parser = mapping)]
    map: Option<Mapping>,
    /// Name of the recording [default: name of the first file]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Label of the target, for files without LABEL=
    #[arg(long, value_name = "LABEL")]
    target: Option<String>,
    /// Label of the workload [default: from the file or its name]
    #[arg(long, value_name = "LABEL")]
    workload: Option<String>,
    /// Number of clients, for files that do not state it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    threads: Option<u32>,
    #[command(flatten)]
    #[allow(missing_docs)]
    results: ResultsArgs,
}

/// Whose output a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ImportFormat {
    /// What it looks like.
    Auto,
    /// sysbench 0.5, 1.0, 1.1.
    Sysbench,
    /// A table with a header.
    Csv,
    /// go-tpc.
    GoTpc,
    /// BenchmarkSQL 4 or 5.
    #[value(name = "benchmarksql")]
    BenchmarkSql,
}

impl ImportFormat {
    fn known(self) -> Option<Format> {
        match self {
            Self::Auto => None,
            Self::Sysbench => Some(Format::Sysbench),
            Self::Csv => Some(Format::Csv),
            Self::GoTpc => Some(Format::GoTpc),
            Self::BenchmarkSql => Some(Format::BenchmarkSql),
        }
    }
}

fn mapping(text: &str) -> Result<Mapping, String> {
    Mapping::parse(text).map_err(|error| error.to_string())
}

/// Reads every file before it writes anything.
pub fn import(args: &ImportArgs) -> Outcome<Exit> {
    let sources = args.files.iter().map(|file| source(file, args)).collect::<Outcome<Vec<_>>>()?;
    let sources = import::distinct(sources);
    let stem = |file: &str| Path::new(file).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = args.name.clone().unwrap_or_else(|| stem(&sources[0].file));
    let into = Results::open(&args.results.results);
    let path = import::write(&name, &sources, &into, SystemTime::now(), env!("CARGO_PKG_VERSION"))
        .map_err(|error| UserError::failed(error.to_string()))?;
    let count: usize = sources.iter().map(|source| source.parsed.measured.len()).sum();
    let failed: usize =
        sources.iter().flat_map(|source| &source.parsed.measured).filter(|one| one.failure.is_some()).count();
    output::print(&format!("{}", path.display()))?;
    for note in
        sources.iter().flat_map(|source| &source.parsed.notes).filter(|note| note.contains("given twice"))
    {
        output::note(note);
    }
    output::note(&format!(
        "{} imported, {failed} of them failed\n  look:  mydyno report {}",
        counted(count as u64, "measurement"),
        named(&path, &args.results.results)
    ));
    Ok(Exit::Ok)
}

/// The name that `report` accepts for it: its path if it is not in the results directory.
fn named(run: &Path, results: &Path) -> String {
    if results == Path::new(DEFAULT_RESULTS) { "latest".to_owned() } else { run.display().to_string() }
}

fn source(word: &str, args: &ImportArgs) -> Outcome<Source> {
    let (label, path) = labelled(word);
    let bytes = read(&path)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| UserError::usage(format!("{} is not a text file", path.display())))?;
    let known = UserFacts { threads: args.threads, mapping: args.map.clone() };
    let parsed = import::parse(&text, args.format.known(), &known).map_err(|problem| {
        let line = problem.line.map_or_else(String::new, |line| format!(", line {line}"));
        let hint = advice::lines(&problem.advice());
        UserError { hint, ..UserError::usage(format!("{}{line}: {problem}", path.display())) }
    })?;
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let workload = args.workload.clone().or_else(|| workload_of(&file));
    let stated = parsed.measured.iter().any(|one| one.workload.is_some());
    Ok(Source {
        target: label.or_else(|| args.target.clone()),
        // What a file says wins over its name, what the user says over both.
        workload: if stated { args.workload.clone() } else { workload },
        file,
        parsed,
    })
}

/// No output of a benchmark is larger, but a device never ends.
const BYTES_MAX: u64 = 64 << 20;

fn read(path: &Path) -> Outcome<Vec<u8>> {
    let cannot = |error| UserError::usage(format!("cannot read {}: {error}", path.display()));
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(cannot)?;
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > BYTES_MAX {
        let limit = bytes_text(BYTES_MAX);
        return Err(UserError::usage(format!("{} is larger than {limit}", path.display()))
            .hint("it is not the output of a benchmark; give its log or its table"));
    }
    Ok(bytes)
}

/// `LABEL=FILE`; a file whose name holds `=` is itself.
fn labelled(word: &str) -> (Option<String>, PathBuf) {
    match word.split_once('=') {
        Some((label, file)) if !Path::new(word).exists() && !label.contains('/') && !label.is_empty() => {
            (Some(label.to_owned()), PathBuf::from(file))
        }
        _ => (None, PathBuf::from(word)),
    }
}

/// The workload according to the file's name: sysbench's logs do not name it.
fn workload_of(file: &str) -> Option<String> {
    let known = model::SysbenchWorkload::ALL.into_iter().map(model::SysbenchWorkload::name);
    known.filter(|name| file.contains(name)).max_by_key(|name| name.len()).map(str::to_owned)
}
