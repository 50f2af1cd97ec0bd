//! The one list of benchmarks: name, unit and target of each, in families that share their measurements.
//!
//! To add one: a row here, and a figure of that name from its family's function.

use Target::{AtLeast, AtMost, Nothing};
use model::Better;
use model::SysbenchWorkload::{OltpPointSelect, OltpReadWrite};

use crate::child::Transport;
use crate::error::BenchError;
use crate::families::{
    connections, cpu, data, experiments, journal, judging, memory, network, observe, open_loop, protocols,
    topologies, tpcc, tpcc_mysql, worker,
};
use crate::laboratory::Laboratory;
use crate::rounds::Figures;

/// The target of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target {
    /// At least this value.
    AtLeast(f64),
    /// At most this value.
    AtMost(f64),
    /// No target: the value is shown for information.
    Nothing,
}

impl Target {
    /// Whether `value` meets the target; none if there is no target.
    pub fn is_met(self, value: f64) -> Option<bool> {
        match self {
            Self::AtLeast(bound) => Some(value >= bound),
            Self::AtMost(bound) => Some(value <= bound),
            Self::Nothing => None,
        }
    }
}

impl Target {
    /// The direction in which a value is better. Rows without a target are amounts of memory.
    pub fn better(self) -> Better {
        match self {
            Self::AtLeast(_) => Better::Higher,
            Self::AtMost(_) | Self::Nothing => Better::Lower,
        }
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AtLeast(bound) => write!(f, ">= {bound}"),
            Self::AtMost(bound) => write!(f, "<= {bound}"),
            Self::Nothing => write!(f, "-"),
        }
    }
}

/// One benchmark: a line of the table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Its name, for `make bench ONLY=name`.
    pub name: &'static str,
    /// Unit of its value; `ratio` for quotients.
    pub unit: &'static str,
    /// The target of the value.
    pub target: Target,
}

/// Rows that come from the same measurement.
pub struct Family {
    /// The rows.
    pub rows: &'static [Row],
    /// Measures all of them.
    pub run: fn(&mut Laboratory) -> Result<Figures, BenchError>,
}

const fn ratio(name: &'static str, target: Target) -> Row {
    Row { name, unit: "ratio", target }
}

const fn row(name: &'static str, unit: &'static str, target: Target) -> Row {
    Row { name, unit, target }
}

/// Client CPU of go-tpc per transaction, microseconds, and its time to load four warehouses over four connections, seconds: seen
/// once on a machine of two cores. It is not run beside mydyno here, so these are no ratios.
const GO_TPC_CPU_US: f64 = 1_545.0;
const GO_TPC_LOAD_S: f64 = 19.0;

/// A third, as the target of the user-space share.
const THIRD: f64 = 0.333;

/// Every benchmark. `cpu`: client CPU per query to sysbench's; `floor`: to that of bench/pingpong.c; `user`: the
/// user-space part to sysbench's; `throughput`: queries per second to sysbench's.
pub const FAMILIES: [Family; 29] = [
    Family {
        rows: &[
            ratio("point_select_cpu_8", AtMost(0.80)),
            ratio("point_select_floor_8", AtMost(1.25)),
            ratio("point_select_user_8", AtMost(THIRD)),
            ratio("throughput_point_select_8", AtLeast(1.0)),
        ],
        run: |laboratory| cpu::measure(laboratory, OltpPointSelect, 8),
    },
    Family {
        rows: &[
            ratio("point_select_cpu_64", AtMost(0.80)),
            ratio("point_select_floor_64", AtMost(1.25)),
            ratio("point_select_user_64", AtMost(THIRD)),
            ratio("throughput_point_select_64", AtLeast(1.0)),
        ],
        run: |laboratory| cpu::measure(laboratory, OltpPointSelect, 64),
    },
    Family {
        rows: &[
            ratio("read_write_cpu_8", AtMost(0.60)),
            ratio("read_write_user_8", AtMost(THIRD)),
            ratio("throughput_read_write_8", AtLeast(1.0)),
        ],
        run: |laboratory| cpu::measure(laboratory, OltpReadWrite, 8),
    },
    Family {
        rows: &[
            ratio("read_write_cpu_64", AtMost(0.60)),
            ratio("read_write_user_64", AtMost(THIRD)),
            ratio("throughput_read_write_64", AtLeast(1.0)),
        ],
        run: |laboratory| cpu::measure(laboratory, OltpReadWrite, 64),
    },
    Family {
        rows: &[
            row("connections_1000_memory", "MB", AtMost(40.0)),
            row("connections_1000_threads", "threads", AtMost(40.0)),
        ],
        run: connections::thousand,
    },
    Family {
        rows: &[row("connections_10000", "clients", AtLeast(10_000.0))],
        run: connections::ten_thousand,
    },
    Family {
        rows: &[
            ratio("protocols_tcp_text", AtMost(1.0)),
            ratio("protocols_tcp_prepared", AtMost(1.0)),
            ratio("protocols_tls_prepared", AtMost(1.0)),
            ratio("protocols_unix_prepared", AtMost(1.0)),
        ],
        run: protocols::measure,
    },
    Family {
        rows: &[ratio("open_loop_cpu_8", AtMost(1.10))],
        run: |laboratory| open_loop::cpu(laboratory, 8),
    },
    Family {
        rows: &[ratio("open_loop_cpu_64", AtMost(1.10))],
        run: |laboratory| open_loop::cpu(laboratory, 64),
    },
    Family {
        rows: &[
            row("worker_events_closed", "1/CPU-s", AtLeast(100_000.0)),
            row("worker_events_open", "1/CPU-s", AtLeast(100_000.0)),
        ],
        run: worker::events,
    },
    Family { rows: &[row("timer_p99", "us", AtMost(100.0))], run: worker::timer },
    Family {
        rows: &[row("memory_per_connection", "KiB", AtMost(8.0))],
        run: |laboratory| memory::per_connection(laboratory, Transport::Tcp),
    },
    Family {
        rows: &[row("memory_per_connection_tls", "KiB", Nothing)],
        run: |laboratory| memory::per_connection(laboratory, Transport::Tls),
    },
    Family { rows: &[ratio("prepare_1m_rows", AtLeast(1.7))], run: data::prepare },
    Family { rows: &[ratio("copy_vs_load", AtLeast(5.0))], run: data::copy },
    Family {
        rows: &[
            row("tpcc_cpu_transaction", "us", AtMost(GO_TPC_CPU_US / 10.0)),
            ratio("tpcc_cpu_statement", AtMost(0.60)),
            ratio(tpcc::TPCC_MYSQL_ROW, AtMost(0.50)),
        ],
        run: tpcc::cpu,
    },
    Family {
        rows: &[
            row("tpcc_load", "s", AtMost(GO_TPC_LOAD_S / 2.0)),
            ratio("tpcc_load_data", AtLeast(0.85)),
            row("tpcc_load_sandbox", "s", AtMost(GO_TPC_LOAD_S / 3.0)),
        ],
        run: tpcc::load,
    },
    Family { rows: &[row("tpcc_check", "s", AtMost(10.0))], run: tpcc::check },
    Family {
        rows: &[
            row("observe_light_cpu", "% of the CPUs", AtMost(1.0)),
            ratio("observe_light_throughput", AtLeast(0.99)),
        ],
        run: observe::light,
    },
    Family { rows: &[ratio("journal_cost", AtLeast(0.95))], run: journal::cost },
    Family {
        rows: &[row("experiment_equal_arms", "of 20 significant", AtMost(1.0))],
        run: experiments::equal,
    },
    Family {
        rows: &[row("experiment_slow_down", "upper end of the ratio", AtMost(1.0))],
        run: experiments::slow_down,
    },
    Family { rows: &[row("tpcc_terminals", "terminals", AtLeast(10_000.0))], run: tpcc::thinking },
    Family { rows: &[row("group_of_three_ready", "s", AtMost(15.0))], run: topologies::group },
    Family { rows: &[row("network_late_p99", "us", AtMost(300.0))], run: network::late },
    Family { rows: &[row("network_throughput", "MB/s", AtLeast(200.0))], run: network::throughput },
    Family { rows: &[row("plan_10000_trials", "ms", AtMost(100.0))], run: judging::planning },
    Family { rows: &[row("judge_1000_trials", "s", AtMost(2.0))], run: judging::judging },
    Family { rows: &[row(judging::PAGE_ROW, "s", AtMost(2.0))], run: judging::page },
];

/// Whether the row can be measured. If it needs a program that is not installed or built here, this says so and returns false.
pub fn can_be_measured(row: &Row) -> bool {
    if row.name == judging::PAGE_ROW && !judging::has_browser() {
        eprintln!(
            "{} is left out: it needs ui/node_modules (make ui) and Chromium (CHROMIUM=FILE)",
            row.name
        );
        return false;
    }
    if row.name.starts_with("network_")
        && let Err(error) = ::network::check()
    {
        eprintln!("{} is left out: {error}", row.name);
        return false;
    }
    let can = row.name != tpcc::TPCC_MYSQL_ROW || tpcc_mysql::directory().is_some();
    if !can {
        let (name, variable) = (row.name, tpcc_mysql::DIRECTORY);
        eprintln!(
            "{name} is left out: {variable}=DIR names the directory where tpcc-mysql was built from its source"
        );
    }
    can
}

/// The rows that `only` names: the one of that name, or all whose names begin so.
pub fn choose(only: &str) -> Result<Vec<&'static str>, BenchError> {
    let names = || FAMILIES.iter().flat_map(|family| family.rows).map(|row| row.name);
    if let Some(name) = names().find(|name| *name == only) {
        return Ok(vec![name]);
    }
    let chosen: Vec<&str> = names().filter(|name| name.starts_with(only)).collect();
    if chosen.is_empty() {
        return Err(BenchError::Unknown {
            only: only.to_owned(),
            names: names().collect::<Vec<_>>().join("\n  "),
        });
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_chooses_itself_and_a_prefix_all_that_begin_so() {
        assert_eq!(choose("connections_1000_memory").expect("it exists"), ["connections_1000_memory"]);
        assert_eq!(
            choose("connections_1000").expect("they exist"),
            ["connections_1000_memory", "connections_1000_threads", "connections_10000"]
        );
        assert_eq!(choose("connections_10000").expect("it exists"), ["connections_10000"]);
    }

    #[test]
    fn an_unknown_name_is_answered_with_those_that_exist() {
        let error = choose("point_selct").expect_err("no such benchmark");
        assert!(error.is_usage() && error.to_string().contains("point_select_cpu_8"), "{error}");
    }

    #[test]
    fn no_two_rows_have_the_same_name() {
        let mut names = choose("").expect("there are benchmarks");
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
