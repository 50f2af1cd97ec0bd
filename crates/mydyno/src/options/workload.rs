//! Options of the workloads, with sysbench's names, defaults and limits.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Args, Command, ValueEnum};
use model::{
    ErrorPolicy, KeyDistribution, PsMode, SpecialShape, SysbenchOptions, SysbenchWorkload, WorkloadSpec,
};

use super::dialect;
use super::size::{count, count_u32, switch};
use super::tpcc::TpccArgs;
use crate::error::{Outcome, UserError, nearest};

/// Ids are INTEGER columns.
const MOST_ROWS: u64 = i32::MAX as u64;
/// More tables than a server opens with pleasure.
const MOST_TABLES: u32 = 100_000;

/// A workload that users can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Choice {
    /// One of sysbench's.
    Sysbench(SysbenchWorkload),
    /// TPC-C.
    Tpcc,
}

impl Choice {
    /// Every workload.
    pub fn all() -> impl Iterator<Item = Self> {
        SysbenchWorkload::ALL.into_iter().map(Self::Sysbench).chain([Self::Tpcc])
    }

    /// The name that users type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sysbench(workload) => workload.name(),
            Self::Tpcc => "tpcc",
        }
    }

    /// The workload of that name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|choice| choice.name() == name)
    }

    /// The database whose tables are meant where none is named.
    pub fn database(self) -> &'static str {
        match self {
            Self::Sysbench(_) => "sbtest",
            Self::Tpcc => "tpcc",
        }
    }

    /// True if it changes rows.
    pub fn writes(self) -> bool {
        match self {
            Self::Sysbench(workload) => workload.writes(),
            Self::Tpcc => true,
        }
    }

    fn summary(self) -> &'static str {
        match self {
            Self::Sysbench(workload) => workload.summary(),
            Self::Tpcc => "the five transactions of TPC-C",
        }
    }
}

/// Data and statements of the sysbench workloads.
#[derive(Args, Clone)]
#[command(next_help_heading = "Data")]
pub struct WorkloadArgs {
    /// Number of tables, sbtest1..N
    #[arg(long, value_name = "N", default_value = "1", value_parser = count_u32)]
    pub tables: u32,
    /// Rows in each table
    #[arg(long, value_name = "N", default_value = "10000", value_parser = count)]
    pub table_size: u64,
    /// Use an AUTO_INCREMENT primary key; off: the client chooses the ids
    #[arg(long, value_name = "on|off", default_value = "on", default_missing_value = "on",
        num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set, value_parser = switch)]
    pub auto_inc: bool,
    /// Use a secondary index instead of the primary key
    #[arg(long, value_name = "on|off", default_value = "off", default_missing_value = "on",
        num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set, value_parser = switch)]
    pub secondary: bool,
    /// Create the index k_N on column k
    #[arg(long, value_name = "on|off", default_value = "on", default_missing_value = "on",
        num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set, value_parser = switch)]
    pub create_secondary: bool,
    /// Storage engine
    #[arg(long, value_name = "NAME", default_value = "innodb")]
    pub mysql_storage_engine: String,
    /// Text to append to CREATE TABLE
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub create_table_options: String,

    /// Point selects per transaction
    #[arg(long, value_name = "N", default_value = "10", value_parser = count_u32, help_heading = "Workload")]
    pub point_selects: u32,
    /// Run range selects; off: none of the four kinds
    #[arg(long, value_name = "on|off", default_value = "on", default_missing_value = "on",
        num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set, value_parser = switch, help_heading = "Workload")]
    pub range_selects: bool,
    /// Rows read by a range select
    #[arg(long, value_name = "N", default_value = "100", value_parser = count_u32, help_heading = "Workload")]
    pub range_size: u32,
    /// Simple range selects per transaction
    #[arg(long, value_name = "N", default_value = "1", value_parser = count_u32, help_heading = "Workload")]
    pub simple_ranges: u32,
    /// SELECT SUM() per transaction
    #[arg(long, value_name = "N", default_value = "1", value_parser = count_u32, help_heading = "Workload")]
    pub sum_ranges: u32,
    /// SELECT ... ORDER BY per transaction
    #[arg(long, value_name = "N", default_value = "1", value_parser = count_u32, help_heading = "Workload")]
    pub order_ranges: u32,
    /// SELECT DISTINCT ... ORDER BY per transaction
    #[arg(long, value_name = "N", default_value = "1", value_parser = count_u32, help_heading = "Workload")]
    pub distinct_ranges: u32,
    /// Updates of the indexed column per transaction
    #[arg(long, value_name = "N", default_value = "1", value_parser = count_u32, help_heading = "Workload")]
    pub index_updates: u32,
    /// Updates of the column without index per transaction
    #[arg(long, value_name = "N", default_value = "1", value_parser = count_u32, help_heading = "Workload")]
    pub non_index_updates: u32,
    /// Pairs of DELETE and INSERT per transaction
    #[arg(long, value_name = "N", default_value = "1", value_parser = count_u32, help_heading = "Workload")]
    pub delete_inserts: u32,
    /// Run every statement in autocommit mode, without BEGIN and COMMIT
    #[arg(long, value_name = "on|off", default_value = "off", default_missing_value = "on",
        num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set, value_parser = switch, help_heading = "Workload")]
    pub skip_trx: bool,
    /// Points in the IN list of select_random_points
    #[arg(long, value_name = "N", default_value = "10", value_parser = count_u32, help_heading = "Workload")]
    pub random_points: u32,
    /// Ranges in select_random_ranges
    #[arg(long, value_name = "N", default_value = "10", value_parser = count_u32, help_heading = "Workload")]
    pub number_of_ranges: u32,
    /// Width of each range of select_random_ranges
    #[arg(long, value_name = "N", default_value = "5", value_parser = count_u32, help_heading = "Workload")]
    pub delta: u32,
    /// Use server-side prepared statements (auto) or the text protocol (disable)
    #[arg(long, value_name = "MODE", default_value = "auto", help_heading = "Workload")]
    pub db_ps_mode: PsModeArg,
    /// Reconnect after N transactions; 0: never
    #[arg(long, value_name = "N", default_value = "0", value_parser = count, help_heading = "Workload")]
    pub reconnect: u64,
    /// Server errors after which a transaction is retried: codes, or all [default: 1213,1205,1020,3101,1047,1180]
    #[arg(long, value_name = "LIST", help_heading = "Workload")]
    pub mysql_ignore_errors: Option<String>,

    /// Distribution of row ids
    #[arg(long, value_name = "NAME", default_value = "special", help_heading = "Random numbers")]
    pub rand_type: RandType,
    /// Number of draws to average (gaussian, special)
    #[arg(long, value_name = "N", default_value = "12", value_parser = count_u32, help_heading = "Random numbers")]
    pub rand_spec_iter: u32,
    /// Percentage of ids that are special
    #[arg(long, value_name = "N", default_value = "1", value_parser = count_u32, help_heading = "Random numbers")]
    pub rand_spec_pct: u32,
    /// Percentage of draws that hit special ids
    #[arg(long, value_name = "N", default_value = "75", value_parser = count_u32, help_heading = "Random numbers")]
    pub rand_spec_res: u32,
    /// Parameter h of pareto
    #[arg(long, value_name = "H", default_value = "0.2", help_heading = "Random numbers")]
    pub rand_pareto_h: f64,
    /// Exponent of zipfian
    #[arg(long, value_name = "X", default_value = "0.8", help_heading = "Random numbers")]
    pub rand_zipfian_exp: f64,
}

/// `--db-ps-mode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PsModeArg {
    /// Prepared.
    Auto,
    /// As text.
    Disable,
}

/// `--rand-type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs)] // sysbench's names
pub enum RandType {
    Uniform,
    Gaussian,
    Special,
    Pareto,
    Zipfian,
}

impl WorkloadArgs {
    /// A workload with its options, checked.
    pub fn spec(&self, choice: Choice, tpcc: &TpccArgs) -> Outcome<WorkloadSpec> {
        Ok(match choice {
            Choice::Sysbench(workload) => WorkloadSpec::Sysbench(self.options(workload)?),
            Choice::Tpcc => {
                self.check_data()?;
                let (engine, errors) = (&self.mysql_storage_engine, self.error_policy()?);
                WorkloadSpec::Tpcc(tpcc.options(engine, self.reconnect, errors)?)
            }
        })
    }

    /// The options of one of sysbench's workloads, checked.
    pub fn options(&self, workload: SysbenchWorkload) -> Outcome<SysbenchOptions> {
        self.check_data()?;
        positive("range-size", self.range_size)?;
        positive("random-points", self.random_points)?;
        positive("number-of-ranges", self.number_of_ranges)?;
        Ok(SysbenchOptions {
            label: None,
            workload,
            tables: self.tables,
            table_size: self.table_size,
            range_size: self.range_size,
            range_selects: self.range_selects,
            point_selects: self.point_selects,
            simple_ranges: self.simple_ranges,
            sum_ranges: self.sum_ranges,
            order_ranges: self.order_ranges,
            distinct_ranges: self.distinct_ranges,
            index_updates: self.index_updates,
            non_index_updates: self.non_index_updates,
            delete_inserts: self.delete_inserts,
            skip_trx: self.skip_trx,
            auto_inc: self.auto_inc,
            secondary: self.secondary,
            create_secondary: self.create_secondary,
            mysql_storage_engine: self.mysql_storage_engine.clone(),
            create_table_options: self.create_table_options.clone(),
            random_points: self.random_points,
            number_of_ranges: self.number_of_ranges,
            delta: self.delta,
            rand: self.distribution()?,
            db_ps_mode: match self.db_ps_mode {
                PsModeArg::Auto => PsMode::Auto,
                PsModeArg::Disable => PsMode::Disable,
            },
            reconnect: self.reconnect,
            errors: self.error_policy()?,
        })
    }

    /// Options that say nothing about these workloads.
    pub fn remarks(&self, workloads: &[Choice]) -> Vec<String> {
        let reads_one = |choice: &Choice| {
            let Choice::Sysbench(workload) = choice else { return None };
            workload.reads_one_table().then(|| workload.name())
        };
        let names = workloads.iter().filter_map(reads_one).filter(|_| self.tables != 1);
        names
            .map(|name| format!("{name} reads sbtest1 alone, as in sysbench, whatever --tables says"))
            .collect()
    }

    fn check_data(&self) -> Outcome<()> {
        if !(1..=MOST_TABLES).contains(&self.tables) {
            return Err(UserError::usage(format!("--tables must be between 1 and {MOST_TABLES}")));
        }
        if !(1..=MOST_ROWS).contains(&self.table_size) {
            return Err(UserError::usage(format!(
                "--table-size must be between 1 and {MOST_ROWS}: ids are INTEGER columns"
            )));
        }
        let engine = &self.mysql_storage_engine;
        if engine.is_empty() || !engine.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(UserError::usage(format!("'{engine}' is not the name of a storage engine")));
        }
        Ok(())
    }

    fn distribution(&self) -> Outcome<KeyDistribution> {
        let (iter, pct, res) = (self.rand_spec_iter, self.rand_spec_pct, self.rand_spec_res);
        positive("rand-spec-iter", iter)?;
        for (name, percentage) in [("rand-spec-pct", pct), ("rand-spec-res", res)] {
            if percentage > 100 {
                return Err(UserError::usage(format!("--{name} is a percentage, 0 to 100")));
            }
        }
        if !(self.rand_pareto_h > 0.0 && self.rand_pareto_h < 1.0) {
            return Err(UserError::usage(
                "--rand-pareto-h must be between 0 and 1, neither of them included",
            ));
        }
        if !(self.rand_zipfian_exp > 0.0 && self.rand_zipfian_exp <= 10.0) {
            return Err(UserError::usage("--rand-zipfian-exp must be above 0 and at most 10"));
        }
        Ok(match self.rand_type {
            RandType::Uniform => KeyDistribution::Uniform,
            RandType::Gaussian => KeyDistribution::Gaussian { iter },
            RandType::Special => KeyDistribution::Special(SpecialShape { iter, pct, res }),
            RandType::Pareto => KeyDistribution::Pareto { h: self.rand_pareto_h },
            RandType::Zipfian => KeyDistribution::Zipfian { exponent: self.rand_zipfian_exp },
        })
    }

    fn error_policy(&self) -> Outcome<ErrorPolicy> {
        let default = ErrorPolicy::default();
        match self.mysql_ignore_errors.as_deref().map(str::trim) {
            None => Ok(default),
            Some("all") => Ok(ErrorPolicy { retry_all: true, ..default }),
            Some(list) => {
                let codes = list.split(',').map(str::trim).filter(|code| !code.is_empty());
                let retry = codes.map(str::parse).collect::<Result<Vec<u16>, _>>().map_err(|_| {
                    UserError::usage("--mysql-ignore-errors is a list of error codes, or all")
                        .hint("for example --mysql-ignore-errors=1213,1205,1020")
                })?;
                Ok(ErrorPolicy { retry, ..default })
            }
        }
    }
}

fn positive(name: &str, value: u32) -> Outcome<()> {
    if value == 0 { Err(UserError::usage(format!("--{name} must be at least 1"))) } else { Ok(()) }
}

/// Reads a workload's name, also with `-` for `_` and as the path of sysbench's script.
#[derive(Clone)]
pub struct WorkloadName;

impl TypedValueParser for WorkloadName {
    type Value = Choice;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Self::Value, clap::Error> {
        let text = value.to_string_lossy();
        if let Some(workload) = dialect::workload_of(&text) {
            return Ok(workload);
        }
        let names: Vec<&str> = Choice::all().map(Choice::name).collect();
        let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(cmd);
        if let Some(arg) = arg {
            error.insert(ContextKind::InvalidArg, ContextValue::String(arg.to_string()));
        }
        error.insert(ContextKind::InvalidValue, ContextValue::String(text.to_string()));
        error.insert(
            ContextKind::ValidValue,
            ContextValue::Strings(names.iter().map(|name| (*name).to_owned()).collect()),
        );
        if let Some(near) = nearest(&text.replace('-', "_"), names.iter().copied()) {
            error.insert(ContextKind::SuggestedValue, ContextValue::String(near.to_owned()));
        }
        Err(error)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Choice::all().map(|w| PossibleValue::new(w.name()).help(w.summary()))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: WorkloadArgs,
    }

    fn options(workload: SysbenchWorkload, words: &[&str]) -> Outcome<SysbenchOptions> {
        let line = Line::try_parse_from(["test"].iter().chain(words)).expect("words that clap accepts");
        line.args.options(workload)
    }

    #[test]
    fn without_options_they_are_sysbenchs_defaults() {
        for workload in SysbenchWorkload::ALL {
            let expected = SysbenchOptions { workload, ..SysbenchOptions::default() };
            assert_eq!(options(workload, &[]), Ok(expected));
        }
    }

    #[test]
    fn switches_are_on_when_bare() {
        let made =
            options(SysbenchWorkload::OltpReadWrite, &["--skip-trx", "--auto-inc=off", "--secondary=1"])
                .expect("valid options");
        assert!(made.skip_trx && !made.auto_inc && made.secondary);
    }

    #[test]
    fn distributions_carry_only_their_own_parameters() {
        let rand = |words: &[&str]| options(SysbenchWorkload::OltpReadOnly, words).map(|made| made.rand);
        assert_eq!(
            rand(&["--rand-type=pareto", "--rand-pareto-h=0.3"]),
            Ok(KeyDistribution::Pareto { h: 0.3 })
        );
        assert_eq!(rand(&["--rand-type=zipfian"]), Ok(KeyDistribution::Zipfian { exponent: 0.8 }));
        assert_eq!(rand(&["--rand-type=uniform"]), Ok(KeyDistribution::Uniform));
    }

    #[test]
    fn ignored_errors_are_codes_or_all() {
        let policy = |words: &[&str]| options(SysbenchWorkload::OltpReadOnly, words).map(|made| made.errors);
        assert_eq!(policy(&["--mysql-ignore-errors=1213,1062"]).map(|p| p.retry), Ok(vec![1213, 1062]));
        assert_eq!(policy(&["--mysql-ignore-errors=all"]).map(|p| p.retry_all), Ok(true));
        assert!(policy(&["--mysql-ignore-errors=deadlock"]).is_err());
    }

    #[test]
    fn impossible_values_are_refused_each_in_a_sentence() {
        for (workload, words) in [
            (SysbenchWorkload::OltpReadWrite, "--tables=0"),
            (SysbenchWorkload::OltpReadWrite, "--table-size=0"),
            (SysbenchWorkload::OltpReadWrite, "--table-size=3G"),
            (SysbenchWorkload::OltpReadWrite, "--range-size=0"),
            (SysbenchWorkload::OltpReadWrite, "--rand-pareto-h=1"),
            (SysbenchWorkload::OltpReadWrite, "--rand-pareto-h=nan"),
            (SysbenchWorkload::OltpReadWrite, "--rand-zipfian-exp=0"),
            (SysbenchWorkload::OltpReadWrite, "--rand-spec-pct=101"),
            (SysbenchWorkload::OltpReadWrite, "--rand-spec-iter=0"),
            (SysbenchWorkload::OltpReadWrite, "--mysql-storage-engine=inno db"),
        ] {
            let error = options(workload, &[words]).expect_err(words);
            assert_eq!(error.exit, crate::exit::Exit::Usage);
        }
    }
}
