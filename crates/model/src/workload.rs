//! Workloads as data: which one, with which options. What they do is in the crate `load`.

use serde::{Deserialize, Serialize};

use crate::imported::UNKNOWN_ERRORS;
use crate::{ImportedWorkload, TpccOptions};

/// A workload with every option resolved, as stored in a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "snake_case")]
pub enum WorkloadSpec {
    /// One of sysbench 1.0's database workloads.
    Sysbench(SysbenchOptions),
    /// TPC-C.
    Tpcc(TpccOptions),
    /// What another tool ran: it can be shown and compared, not run.
    Imported(ImportedWorkload),
}

impl WorkloadSpec {
    /// The name users type and charts show, such as `oltp_read_write`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sysbench(options) => options.workload.name(),
            Self::Tpcc(_) => "tpcc",
            Self::Imported(_) => "imported",
        }
    }

    /// What charts and tables call it: its name, unless there are several of that name.
    pub fn label(&self) -> &str {
        let label = match self {
            Self::Sysbench(options) => &options.label,
            Self::Tpcc(options) => &options.label,
            Self::Imported(workload) => return &workload.label,
        };
        label.as_deref().unwrap_or_else(|| self.name())
    }

    /// Calls it something else.
    pub fn set_label(&mut self, label: &str) {
        let place = match self {
            Self::Sysbench(options) => &mut options.label,
            Self::Tpcc(options) => &mut options.label,
            Self::Imported(workload) => {
                label.clone_into(&mut workload.label);
                return;
            }
        };
        *place = Some(label.to_owned());
    }

    /// Tables that each client uses.
    pub fn tables(&self) -> u64 {
        /// warehouse, district, customer, history, new_order, orders, order_line, item, stock.
        const TPCC_TABLES: u64 = 9;
        match self {
            Self::Sysbench(options) => options.tables.into(),
            Self::Tpcc(_) => TPCC_TABLES,
            Self::Imported(_) => 0,
        }
    }

    /// True if it changes rows, so that data must be restored for an exact repeat.
    pub fn writes(&self) -> bool {
        match self {
            Self::Sysbench(options) => options.workload.writes(),
            Self::Tpcc(_) => true,
            Self::Imported(_) => false,
        }
    }

    /// True if it leaves other rows than it found, so that the next trial would run on other data.
    pub fn changes_row_count(&self) -> bool {
        match self {
            Self::Sysbench(options) => {
                let adds_or_removes = matches!(
                    options.workload,
                    SysbenchWorkload::OltpDelete
                        | SysbenchWorkload::OltpInsert
                        | SysbenchWorkload::BulkInsert
                );
                adds_or_removes || (options.skip_trx && options.workload.writes())
            }
            Self::Tpcc(_) => true,
            Self::Imported(_) => false,
        }
    }

    /// What is done about errors of the server.
    pub fn errors(&self) -> &ErrorPolicy {
        match self {
            Self::Sysbench(options) => &options.errors,
            Self::Tpcc(options) => &options.errors,
            Self::Imported(_) => &UNKNOWN_ERRORS,
        }
    }

    /// Clients reconnect after this many transactions; 0: never.
    pub fn reconnect(&self) -> u64 {
        match self {
            Self::Sysbench(options) => options.reconnect,
            Self::Tpcc(options) => options.reconnect,
            Self::Imported(_) => 0,
        }
    }
}

/// The database workloads of sysbench 1.0, by sysbench's own names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // the names are sysbench's, and say all there is
pub enum SysbenchWorkload {
    OltpReadWrite,
    OltpReadOnly,
    OltpWriteOnly,
    OltpPointSelect,
    OltpInsert,
    OltpDelete,
    OltpUpdateIndex,
    OltpUpdateNonIndex,
    SelectRandomPoints,
    SelectRandomRanges,
    BulkInsert,
}

impl SysbenchWorkload {
    /// Every workload, in the order of sysbench's documentation.
    pub const ALL: [Self; 11] = [
        Self::OltpReadWrite,
        Self::OltpReadOnly,
        Self::OltpWriteOnly,
        Self::OltpPointSelect,
        Self::OltpInsert,
        Self::OltpDelete,
        Self::OltpUpdateIndex,
        Self::OltpUpdateNonIndex,
        Self::SelectRandomPoints,
        Self::SelectRandomRanges,
        Self::BulkInsert,
    ];

    /// sysbench's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::OltpReadWrite => "oltp_read_write",
            Self::OltpReadOnly => "oltp_read_only",
            Self::OltpWriteOnly => "oltp_write_only",
            Self::OltpPointSelect => "oltp_point_select",
            Self::OltpInsert => "oltp_insert",
            Self::OltpDelete => "oltp_delete",
            Self::OltpUpdateIndex => "oltp_update_index",
            Self::OltpUpdateNonIndex => "oltp_update_non_index",
            Self::SelectRandomPoints => "select_random_points",
            Self::SelectRandomRanges => "select_random_ranges",
            Self::BulkInsert => "bulk_insert",
        }
    }

    /// Whether it reads sbtest1 alone, whatever the number of tables.
    pub fn reads_one_table(self) -> bool {
        matches!(self, Self::SelectRandomPoints | Self::SelectRandomRanges)
    }

    /// The workload of that name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|w| w.name() == name)
    }

    /// True if the workload changes rows, so that data must be restored for an exact repeat.
    pub fn writes(self) -> bool {
        !matches!(
            self,
            Self::OltpReadOnly | Self::OltpPointSelect | Self::SelectRandomPoints | Self::SelectRandomRanges
        )
    }

    /// One line on what it does, for help and reports.
    pub fn summary(self) -> &'static str {
        match self {
            Self::OltpReadWrite => {
                "10 point selects, 4 range selects, 2 updates, a delete and an insert per transaction"
            }
            Self::OltpReadOnly => "10 point selects and 4 range selects per transaction",
            Self::OltpWriteOnly => "2 updates, a delete and an insert per transaction",
            Self::OltpPointSelect => "one row by primary key",
            Self::OltpInsert => "one row inserted",
            Self::OltpDelete => "one row deleted by primary key",
            Self::OltpUpdateIndex => "one update of an indexed column",
            Self::OltpUpdateNonIndex => "one update of a column without index",
            Self::SelectRandomPoints => "several rows by secondary key, IN (...)",
            Self::SelectRandomRanges => "count over several ranges of a secondary key",
            Self::BulkInsert => "multi-row inserts of up to 512 KiB, one table per client",
        }
    }

    /// The same in Simplified Chinese.
    pub fn summary_zh(self) -> &'static str {
        match self {
            Self::OltpReadWrite => "每个事务 10 次点查、4 次范围查询、2 次更新、1 次删除和 1 次插入",
            Self::OltpReadOnly => "每个事务 10 次点查和 4 次范围查询",
            Self::OltpWriteOnly => "每个事务 2 次更新、1 次删除和 1 次插入",
            Self::OltpPointSelect => "按主键读一行",
            Self::OltpInsert => "插入一行",
            Self::OltpDelete => "按主键删除一行",
            Self::OltpUpdateIndex => "更新一个有索引的列",
            Self::OltpUpdateNonIndex => "更新一个没有索引的列",
            Self::SelectRandomPoints => "按二级索引读若干行，IN (...)",
            Self::SelectRandomRanges => "在二级索引的若干范围上计数",
            Self::BulkInsert => "每条语句插入多行，最多 512 KiB，每个客户端一张表",
        }
    }
}

/// All options of sysbench's database workloads, with sysbench 1.0's names and defaults.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SysbenchOptions {
    /// Which workload.
    pub workload: SysbenchWorkload,
    /// What charts call it; none: as the workload.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Number of tables, `sbtest1..N`.
    pub tables: u32,
    /// Rows per table.
    pub table_size: u64,
    /// Rows read by each range select.
    pub range_size: u32,
    /// False switches all four kinds of range select off.
    pub range_selects: bool,
    /// Point selects per transaction.
    pub point_selects: u32,
    /// Simple range selects per transaction.
    pub simple_ranges: u32,
    /// SELECT SUM() per transaction.
    pub sum_ranges: u32,
    /// SELECT ... ORDER BY per transaction.
    pub order_ranges: u32,
    /// SELECT DISTINCT ... ORDER BY per transaction.
    pub distinct_ranges: u32,
    /// Updates of the indexed column per transaction.
    pub index_updates: u32,
    /// Updates of the column without index per transaction.
    pub non_index_updates: u32,
    /// Pairs of DELETE and INSERT of the same id per transaction.
    pub delete_inserts: u32,
    /// Run every statement in autocommit mode, without BEGIN and COMMIT.
    pub skip_trx: bool,
    /// AUTO_INCREMENT primary key; false: ids made by the client.
    pub auto_inc: bool,
    /// A secondary index `xid` in place of the primary key.
    pub secondary: bool,
    /// Create the index `k_N` on column k.
    pub create_secondary: bool,
    /// Storage engine of the tables.
    pub mysql_storage_engine: String,
    /// Appended to CREATE TABLE.
    pub create_table_options: String,
    /// Points in the IN list of select_random_points.
    pub random_points: u32,
    /// Ranges in select_random_ranges.
    pub number_of_ranges: u32,
    /// Width of each range in select_random_ranges.
    pub delta: u32,
    /// Distribution of the row ids asked for.
    pub rand: KeyDistribution,
    /// Server-side prepared statements, or text.
    pub db_ps_mode: PsMode,
    /// Reconnect after this many transactions; 0: never.
    pub reconnect: u64,
    /// What is done about errors of the server.
    pub errors: ErrorPolicy,
}

impl Default for SysbenchOptions {
    fn default() -> Self {
        Self {
            workload: SysbenchWorkload::OltpReadWrite,
            label: None,
            tables: 1,
            table_size: 10_000,
            range_size: 100,
            range_selects: true,
            point_selects: 10,
            simple_ranges: 1,
            sum_ranges: 1,
            order_ranges: 1,
            distinct_ranges: 1,
            index_updates: 1,
            non_index_updates: 1,
            delete_inserts: 1,
            skip_trx: false,
            auto_inc: true,
            secondary: false,
            create_secondary: true,
            mysql_storage_engine: "innodb".to_owned(),
            create_table_options: String::new(),
            random_points: 10,
            number_of_ranges: 10,
            delta: 5,
            rand: KeyDistribution::default(),
            db_ps_mode: PsMode::Auto,
            reconnect: 0,
            errors: ErrorPolicy::default(),
        }
    }
}

/// How row ids are drawn, with sysbench's parameters (`--rand-type`, `--rand-spec-*`, `--rand-pareto-h`,
/// `--rand-zipfian-exp`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum KeyDistribution {
    /// Every id equally likely.
    Uniform,
    /// Mean of `iter` uniform draws.
    Gaussian {
        /// Number of draws averaged (`--rand-spec-iter`, 12).
        iter: u32,
    },
    /// sysbench 1.0's default: a hot centre on top of a gaussian.
    Special(SpecialShape),
    /// Pareto with parameter h (0.2: 80 % of the draws hit 20 % of the ids).
    Pareto {
        /// `--rand-pareto-h`, strictly between 0 and 1.
        h: f64,
    },
    /// Zipf with the given exponent.
    Zipfian {
        /// `--rand-zipfian-exp`, 0.8 by default.
        exponent: f64,
    },
}

/// Shape of the `special` distribution.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SpecialShape {
    /// Draws averaged for the gaussian part (`--rand-spec-iter`, 12).
    pub iter: u32,
    /// Percentage of the ids that are special (`--rand-spec-pct`, 1).
    pub pct: u32,
    /// Percentage of the draws that hit special ids (`--rand-spec-res`, 75).
    pub res: u32,
}

impl Default for SpecialShape {
    fn default() -> Self {
        Self { iter: 12, pct: 1, res: 75 }
    }
}

impl Default for KeyDistribution {
    fn default() -> Self {
        Self::Special(SpecialShape::default())
    }
}

impl KeyDistribution {
    /// The name used by `--rand-type`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Gaussian { .. } => "gaussian",
            Self::Special(_) => "special",
            Self::Pareto { .. } => "pareto",
            Self::Zipfian { .. } => "zipfian",
        }
    }
}

/// `--db-ps-mode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PsMode {
    /// Server-side prepared statements (binary protocol).
    Auto,
    /// Statements as text.
    Disable,
}

/// Which server errors a run survives. Everything else is fatal for the trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorPolicy {
    /// Codes after which the transaction is rolled back and run again (`--mysql-ignore-errors`).
    pub retry: Vec<u16>,
    /// `--mysql-ignore-errors=all`.
    pub retry_all: bool,
    /// Reconnect and go on after a lost connection.
    pub reconnect_on_loss: bool,
}

impl Default for ErrorPolicy {
    fn default() -> Self {
        // sysbench's three, and those of Group Replication and Galera.
        let retry = codes::of(codes::Class::Conflict).collect();
        Self { retry, retry_all: false, reconnect_on_loss: true }
    }
}
