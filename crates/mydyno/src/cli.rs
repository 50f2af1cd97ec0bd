//! Every verb and option, in the order of the help. The definitions make the help, the completions and the manual page.
//!
//! These structs live only as long as the command line is read: `specify.rs` turns them into a `model::Spec`, and nothing
//! below this crate ever sees a flag.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::{ArgAction, Args, Command, CommandFactory, Parser, Subcommand};
use spec::{NamedWorkload, Values, switch};

use crate::options::connection::ConnectionArgs;
use crate::options::flags::{self, Flags};
use crate::options::load::IgnoredArgs;
use crate::options::naming::NamingArgs;
use crate::options::output::{Format, Lang, OutputArgs, ResultsArgs, percentile};
use crate::options::target::TargetArgs;
use crate::options::workload::WorkloadName;
use crate::verbs::{
    CompareArgs, DeleteArgs, DiffArgs, DoctorArgs, HistoryArgs, ImportArgs, NoteArgs, PruneArgs, ServerArgs,
};

const EXAMPLES: &str = "\
Examples:
  mydyno sweep oltp_read_write --target sandbox:mysql --target sandbox:mariadb --threads 1..64
  mydyno prepare oltp_read_write -h db1 -u bench -p --tables 10 --table-size 1M
  mydyno run oltp_read_write -h db1 -u bench -p --tables 10 --table-size 1M --threads 64 --time 300
  mydyno run mine.toml
  mydyno report --open

Connection options, option files and environment are those of the mysql client, workload options those of sysbench.
Options of a verb: mydyno VERB --help   Manual: mydyno man | man -l -";

/// Heading of the options that every verb has.
pub const COMMON: &str = "Help and option files";

/// Benchmark MySQL and MariaDB: generate load, conduct experiments, judge and report the results
#[derive(Parser)]
#[command(
    name = "mydyno",
    version,
    after_help = EXAMPLES,
    disable_help_flag = true,
    disable_version_flag = true,
    disable_help_subcommand = true,
    args_override_self = true,
    subcommand_value_name = "VERB",
    subcommand_help_heading = "Verbs",
    max_term_width = 120
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
    /// Which option files are read.
    #[command(flatten)]
    pub files: FileArgs,
    /// Print help
    #[arg(short = '?', long, global = true, action = ArgAction::HelpShort, help_heading = COMMON)]
    help: Option<bool>,
    /// Print the version
    #[arg(short = 'V', long, action = ArgAction::Version, help_heading = COMMON)]
    version: Option<bool>,
}

/// Which option files are read.
#[derive(Args, Clone)]
#[command(next_help_heading = COMMON)]
pub struct FileArgs {
    /// Read only this option file
    #[arg(long, global = true, value_name = "FILE")]
    pub defaults_file: Option<PathBuf>,
    /// Read this option file in addition, before ~/.my.cnf
    #[arg(long, global = true, value_name = "FILE")]
    pub defaults_extra_file: Option<PathBuf>,
    /// Read the groups [clientSUFFIX] and [mydynoSUFFIX] in addition
    #[arg(long, global = true, value_name = "SUFFIX")]
    pub defaults_group_suffix: Option<String>,
    /// Read no option file
    #[arg(long, global = true)]
    pub no_defaults: bool,
}

/// What to do.
#[derive(Subcommand)]
pub enum Verb {
    /// Measure every combination of targets, workloads and client counts, and compare the targets
    Sweep(Box<SweepArgs>),
    /// Measure one workload on one server once, as sysbench does
    Run(Box<RunArgs>),
    /// Find the highest arrival rate that a server sustains within service level objectives (SLOs)
    Capacity(Box<CapacityArgs>),
    /// Find which differences between two sandboxes make one of them faster, by measuring combinations of both
    Bisect(Box<BisectArgs>),
    /// Crash a sandbox under load repeatedly, and count the acknowledged commits that it lost
    Crash(Box<SweepArgs>),
    /// Lose the primary of a topology under load: seconds without a commit, acknowledged commits lost, and rejoining of the old primary
    Failover(Box<SweepArgs>),
    /// Create and load the tables of a workload; continues an interrupted load
    Prepare(Box<DataArgs>),
    /// Check that the tables exist and are complete
    Check(Box<DataArgs>),
    /// Drop the tables, if mydyno or sysbench created them
    Cleanup(Box<DataArgs>),
    /// Install, start, inspect, stop and remove sandboxed servers
    Server(ServerArgs),
    /// Diagnose a server: version, durability and recommendations by severity. Read-only
    Doctor(Box<DoctorArgs>),
    /// Compare two recordings, or two targets of one: intervals, verdicts, and gates for CI
    Compare(Box<CompareArgs>),
    /// Track a benchmark over time: change points, what else changed there, and a regression gate
    History(Box<HistoryArgs>),
    /// Compare the configuration of servers or recordings: durability first, then every variable that matters. Read-only;
    /// differences do not change the exit code
    Diff(Box<DiffArgs>),
    /// Import results of sysbench, go-tpc, BenchmarkSQL or a table as a recording
    Import(ImportArgs),
    /// Run an experiment of the catalogue, or one of your own
    Experiment(ExperimentArgs),
    /// List the experiments of the catalogue
    Experiments,
    /// List workloads; create, check and show workload files
    Workload(WorkloadArgs),
    /// Print the trials of a specification, experiment, sweep or search with estimated times; runs nothing
    Plan(PlanArgs),
    /// Finish an interrupted run, sweep, search or experiment. Takes nothing but passwords from the command line
    Resume(Box<ResumeArgs>),
    /// Measure the load generator on this machine: ceiling, CPU cost, timers. Later reports refer to it
    Calibrate,
    /// List recordings
    List(ListArgs),
    /// Show one recording: cells, servers and failures
    Show(ShowArgs),
    /// Create a report from recordings
    Report(ReportArgs),
    /// Set the note of a recording
    Note(NoteArgs),
    /// Delete recordings
    Delete(DeleteArgs),
    /// Delete old recordings: all but the newest, or those beyond an age
    Prune(PruneArgs),
    /// Print shell completions
    Completions(CompletionsArgs),
    /// Print the manual page
    Man,
}

/// Arguments of `sweep`, `crash` and `failover`.
#[derive(Args)]
pub struct SweepArgs {
    /// Workloads, separated by spaces or commas
    #[arg(value_name = "WORKLOAD", required = true, value_delimiter = ',', value_parser = WorkloadName)]
    pub workloads: Vec<NamedWorkload>,
    /// A series of crashes without a workload: the journal is all that writes.
    #[arg(skip)]
    pub journal_alone: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub design: Flags<flags::Design>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub trial: TrialArgs,
}

impl SweepArgs {
    /// Beside the journal of a crash without a workload, one client reads, so that there is a throughput to report.
    pub fn beside_journal(&mut self) {
        if self.workloads.is_empty() {
            self.workloads = WorkloadName.named("oltp_point_select").into_iter().collect();
            self.journal_alone = true;
        }
    }
}

/// Arguments of `run`.
#[derive(Args)]
pub struct RunArgs {
    /// Workload; or a specification (FILE.toml), or an experiment of the catalogue
    #[arg(value_name = "WORKLOAD", value_parser = WorkloadName)]
    pub workload: NamedWorkload,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub trial: TrialArgs,
}

/// Arguments of `capacity`.
#[derive(Args)]
pub struct CapacityArgs {
    /// Workloads, separated by spaces or commas
    #[arg(value_name = "WORKLOAD", required = true, value_delimiter = ',', value_parser = WorkloadName)]
    pub workloads: Vec<NamedWorkload>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub capacity: Flags<flags::Capacity>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub design: Flags<flags::Design>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub trial: TrialArgs,
}

/// Arguments of `bisect`.
#[derive(Args)]
pub struct BisectArgs {
    /// Two sandboxes and a workload, such as sandbox:mysql 'sandbox:mysql?sync_binlog=0' oltp_write_only; or a recording that has both
    #[arg(value_name = "A B WORKLOAD|RECORDING", required = true, num_args = 1..=3)]
    pub words: Vec<String>,
    /// Builds in their order, the oldest first (repeatable, or with commas), of the sandbox that is named: finds the build at which
    /// throughput, or the metric of --metric, changed. Such as bisect sandbox:mysql oltp_read_only --versions /opt/a,/opt/b,/opt/c
    #[arg(long, value_name = "DIR", value_delimiter = ',', help_heading = "Search for differences")]
    pub versions: Vec<String>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub bisect: Flags<flags::Bisect>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub design: Flags<flags::Design>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub trial: TrialArgs,
}

/// Arguments of `workload`.
#[derive(Args)]
#[allow(missing_docs)]
pub struct WorkloadArgs {
    #[command(subcommand)]
    pub action: WorkloadAction,
}

/// What to do with workloads.
#[derive(Subcommand)]
pub enum WorkloadAction {
    /// List the workloads that can be named
    List,
    /// Print the file of a workload, to start your own from
    Show {
        /// A workload that comes as a file, such as ycsb_a; or a file of your own
        #[arg(value_name = "WORKLOAD")]
        name: String,
    },
    /// Write a commented file to start your own workload from
    New {
        /// File to write
        #[arg(value_name = "FILE.toml")]
        file: PathBuf,
    },
    /// Check a workload file: show sample values, prepare and explain each statement on a server, report full table scans. Of a Lua
    /// script: show its commands and options
    Check(Box<DataArgs>),
    /// Run a command of a Lua script, such as prewarm
    Call(Box<CallArgs>),
}

/// Arguments of `workload call`.
#[derive(Args)]
pub struct CallArgs {
    /// Command of the script
    #[arg(value_name = "COMMAND")]
    pub command: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub data: DataArgs,
}

/// Arguments of `experiment`.
#[derive(Args)]
#[allow(missing_docs)]
pub struct ExperimentArgs {
    #[command(subcommand)]
    pub action: ExperimentAction,
}

/// What to do with an experiment.
#[derive(Subcommand)]
pub enum ExperimentAction {
    /// Run an experiment
    Run(Box<ExperimentRunArgs>),
    /// Print the file of an experiment, to start your own from
    Show {
        /// Name in the catalogue, or a file ending in .toml
        #[arg(value_name = "EXPERIMENT")]
        name: String,
    },
}

/// Arguments of `experiment run`. All but the first two are those of `sweep`, and win over those of the experiment.
#[derive(Args)]
pub struct ExperimentRunArgs {
    /// Name in the catalogue (mydyno experiments), or a file ending in .toml
    #[arg(id = "experiment", value_name = "EXPERIMENT")]
    pub name: String,
    /// Reduce clients, data and windows, to finish within minutes
    #[arg(long)]
    pub quick: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub design: Flags<flags::Design>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub capacity: Flags<flags::Capacity>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub trial: TrialArgs,
}

/// Arguments of `plan`.
#[derive(Args)]
pub struct PlanArgs {
    /// What to plan, with its options: mine.toml, durability --quick, sweep oltp_read_write --threads 1..64
    #[arg(
        value_name = "FILE.toml|EXPERIMENT|sweep|capacity|bisect|crash|failover",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub words: Vec<String>,
}

/// Arguments of `resume`.
#[derive(Args)]
#[allow(missing_docs)]
pub struct ResumeArgs {
    /// Recording: id, unique prefix of one, directory, or latest
    #[arg(value_name = "RECORDING", default_value = "latest")]
    pub run: String,
    #[command(flatten)]
    pub targets: TargetArgs,
    #[command(flatten)]
    pub connection: ConnectionArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub results: ResultsArgs,
}

/// What `run` and `sweep` share.
#[derive(Args)]
#[allow(missing_docs)]
pub struct TrialArgs {
    #[command(flatten)]
    pub load: Flags<flags::Load>,
    #[command(flatten)]
    pub ignored: IgnoredArgs,
    #[command(flatten)]
    pub targets: TargetArgs,
    #[command(flatten)]
    pub general: Flags<flags::General>,
    #[command(flatten)]
    pub connection: ConnectionArgs,
    #[command(flatten)]
    pub workload: Flags<flags::Workload>,
    #[command(flatten)]
    pub tpcc: Flags<flags::Tpcc>,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub naming: NamingArgs,
    #[command(flatten)]
    pub results: ResultsArgs,
}

impl TrialArgs {
    /// The values that the flags set.
    pub fn values(&self) -> Values {
        let pages = [self.general.as_ref(), self.load.as_ref(), self.workload.as_ref(), self.tpcc.as_ref()];
        flags::values(pages)
    }
}

/// Arguments of `prepare`, `check` and `cleanup`.
#[derive(Args)]
#[allow(missing_docs)]
pub struct DataArgs {
    /// Workload; all of sysbench's except bulk_insert share their tables
    #[arg(value_name = "WORKLOAD", default_value = "oltp_read_write", value_parser = WorkloadName)]
    pub workload: NamedWorkload,
    #[command(flatten)]
    pub targets: TargetArgs,
    #[command(flatten)]
    pub connection: ConnectionArgs,
    #[command(flatten)]
    pub data: Flags<flags::Workload>,
    #[command(flatten)]
    pub tpcc: Flags<flags::Tpcc>,
    #[command(flatten)]
    pub load: Flags<flags::Load>,
    #[command(flatten)]
    pub ignored: IgnoredArgs,
    #[command(flatten)]
    pub results: ResultsArgs,
}

impl DataArgs {
    /// The values that the flags set.
    pub fn values(&self) -> Values {
        flags::values([self.load.as_ref(), self.data.as_ref(), self.tpcc.as_ref()])
    }
}

/// Arguments of `list`.
#[derive(Args)]
#[allow(missing_docs)]
pub struct ListArgs {
    #[command(flatten)]
    pub results: ResultsArgs,
}

/// Arguments of `show`.
#[derive(Args)]
#[allow(missing_docs)]
pub struct ShowArgs {
    /// Recording: id, unique prefix of one, directory, or latest
    #[arg(value_name = "RECORDING", default_value = "latest")]
    pub run: String,
    #[command(flatten)]
    pub results: ResultsArgs,
}

/// Arguments of `report`.
#[derive(Args)]
#[allow(missing_docs)]
pub struct ReportArgs {
    /// Recordings: ids, unique prefixes, directories, or latest; several make one report
    #[arg(value_name = "RECORDING", default_value = "latest")]
    pub runs: Vec<String>,
    /// Output format; html is written to report.html in the recording
    #[arg(long, default_value = "html")]
    pub format: Format,
    /// Write the report to this file
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Language of the report
    #[arg(long, default_value = "en")]
    pub lang: Lang,
    /// Percentile to print in the sysbench format, such as 99 or 99.9
    #[arg(long, value_name = "N", default_value = "95", value_parser = percentile)]
    pub percentile: f64,
    /// Print a line of figures for every N seconds above each report of the sysbench format [default: none]
    #[arg(long, value_name = "SECONDS")]
    pub report_interval: Option<u32>,
    /// Print a latency histogram in the text and sysbench formats
    #[arg(long, value_name = "on|off", default_value = "off", default_missing_value = "on", num_args = 0..=1,
        require_equals = true, action = ArgAction::Set, value_parser = switch)]
    pub histogram: bool,
    /// Open the HTML report in a browser
    #[arg(long, value_name = "on|off", default_value = "off", default_missing_value = "on", num_args = 0..=1,
        require_equals = true, action = ArgAction::Set, value_parser = switch)]
    pub open: bool,
    #[command(flatten)]
    pub results: ResultsArgs,
}

/// Arguments of `completions`.
#[derive(Args)]
pub struct CompletionsArgs {
    /// Shell
    pub shell: clap_complete::Shell,
}

/// The whole definition. Options that only make sense while load is offered are accepted by the data verbs, since
/// scripts pass one list of options to all of sysbench's commands, but their help does not show them.
pub fn command() -> Command {
    let mut command = Cli::command();
    let verbs: Vec<String> = command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    // clap puts a changed verb behind all others, so every one is touched, which keeps their order.
    for verb in verbs {
        let few = match verb.as_str() {
            "prepare" | "check" | "cleanup" => Some(DATA_VERBS),
            "doctor" => Some(DOCTOR),
            "resume" => Some(RESUME),
            _ => None,
        };
        command = command.mut_subcommand(verb, |verb| match few {
            Some((hidden, shown)) => without(verb, hidden, shown),
            None if verb.get_name() == "crash" => verb.mut_arg("workloads", |arg| {
                arg.required(false).help(
                    "Workloads, separated by spaces or commas; without one the journal is all that writes, beside a client that reads",
                )
            }),
            None => verb,
        });
    }
    command
}

/// Headings whose options a verb does not show, with the exceptions.
type Hidden = (&'static [&'static str], &'static [&'static str]);

const DATA_VERBS: Hidden = (&["Load", "Workload", "Random numbers"], &["threads", "seed"]);
const RESUME: Hidden = (&["Targets", "Connection"], &["target", "password"]);
const DOCTOR: Hidden = (&["Workload", "Random numbers", "Data", "TPC-C"], &["tables"]);

fn without(verb: Command, hidden: &[&str], shown: &[&str]) -> Command {
    verb.mut_args(|arg| {
        let heading = arg.get_help_heading().unwrap_or_default();
        let hide = hidden.contains(&heading) && !shown.contains(&arg.get_id().as_str());
        if hide { arg.hide(true) } else { arg }
    })
}

/// The verbs.
pub fn verb_names() -> BTreeSet<String> {
    Cli::command().get_subcommands().map(|verb| verb.get_name().to_owned()).collect()
}

/// The definition of a verb (`run`, `experiment run`).
pub fn definition<'a>(command: &'a Command, verb: &str) -> Option<&'a Command> {
    verb.split(' ').try_fold(command, |command, word| command.find_subcommand(word))
}

/// The long names of a verb's options.
pub fn options_of(verb: &str) -> Vec<String> {
    let command = Cli::command();
    let options = definition(&command, verb).into_iter().flat_map(Command::get_arguments);
    options.filter(|arg| !arg.is_hide_set()).filter_map(|arg| arg.get_long()).map(str::to_owned).collect()
}

/// The verbs that have an option of that long name, in the order of the help.
pub fn verbs_with(option: &str) -> Vec<String> {
    let command = command();
    let has = |verb: &&Command| {
        verb.get_arguments().any(|arg| arg.get_long() == Some(option) && !arg.is_hide_set())
    };
    let mut found = Vec::new();
    for verb in command.get_subcommands() {
        let name = verb.get_name();
        found.extend(Some(verb).filter(has).map(|_| name.to_owned()));
        found
            .extend(verb.get_subcommands().filter(has).map(|action| format!("{name} {}", action.get_name())));
    }
    found
}

/// True for verbs (`run`, `experiment run`) that take connection options.
pub fn connects(verb: &str) -> bool {
    let command = Cli::command();
    definition(&command, verb).is_some_and(|verb| verb.get_arguments().any(|arg| arg.get_id() == "host"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_definitions_are_consistent() {
        super::command().debug_assert();
    }
}
