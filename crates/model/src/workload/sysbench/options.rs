//! The options of sysbench's workloads.

use serde::{Deserialize, Serialize};

use super::{SysbenchData, SysbenchWorkload};
use crate::workload::describe::{Reads, Workload};
use crate::workload::{DataSet, ErrorPolicy, KeyDistribution};

/// All options of sysbench's database workloads, with sysbench 1.0's names and defaults.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SysbenchOptions {
    /// The workload.
    pub workload: SysbenchWorkload,
    /// Label in charts; none: the name of the workload.
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
    /// Distribution of the row ids.
    pub rand: KeyDistribution,
    /// Server-side prepared statements, or text.
    pub db_ps_mode: PsMode,
    /// Reconnect after this many transactions; 0: never.
    pub reconnect: u64,
    /// The policy for server errors.
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

/// `--db-ps-mode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PsMode {
    /// Server-side prepared statements (binary protocol).
    Auto,
    /// Statements as text.
    Disable,
}

impl Workload for SysbenchOptions {
    fn name(&self) -> &str {
        self.workload.name()
    }

    fn label(&self) -> &str {
        self.label.as_deref().unwrap_or_else(|| self.name())
    }

    fn set_label(&mut self, label: &str) {
        self.label = Some(label.to_owned());
    }

    fn summary(&self) -> &str {
        self.workload.summary()
    }

    fn summary_zh(&self) -> &str {
        self.workload.summary_zh()
    }

    fn data_set(&self, clients: u32) -> Option<DataSet> {
        let Self { workload, tables, table_size, auto_inc, secondary, create_secondary, .. } = *self;
        let bulk = workload == SysbenchWorkload::BulkInsert;
        // Ids of oltp_insert without AUTO_INCREMENT would collide with loaded rows; sysbench leaves its tables empty too.
        let empty = bulk || (workload == SysbenchWorkload::OltpInsert && !auto_inc);
        Some(DataSet::Sysbench(SysbenchData {
            tables: if bulk { clients } else { tables },
            table_size: if empty { 0 } else { table_size },
            auto_inc,
            secondary,
            create_secondary,
            engine: self.mysql_storage_engine.clone(),
            table_options: self.create_table_options.clone(),
            bulk,
        }))
    }

    fn tables(&self) -> u64 {
        self.tables.into()
    }

    fn writes(&self) -> bool {
        self.workload.writes()
    }

    fn reads(&self) -> Reads {
        match self.workload {
            workload if !workload.writes() => Reads::All,
            SysbenchWorkload::OltpReadWrite if self.skip_trx => Reads::Statements,
            _ => Reads::None,
        }
    }

    fn changes_row_count(&self) -> bool {
        let adds_or_removes = matches!(
            self.workload,
            SysbenchWorkload::OltpDelete | SysbenchWorkload::OltpInsert | SysbenchWorkload::BulkInsert
        );
        adds_or_removes || (self.skip_trx && self.workload.writes())
    }

    fn errors(&self) -> &ErrorPolicy {
        &self.errors
    }

    fn reconnect(&self) -> u64 {
        self.reconnect
    }
}
