//! What is compared: workloads with options, as mydyno and as sysbench are told them.

use std::fmt;

use model::{DataSet, KeyDistribution, PsMode, SysbenchData, SysbenchOptions, SysbenchWorkload};

use SysbenchWorkload::{
    BulkInsert, OltpInsert, OltpPointSelect, OltpReadOnly, OltpReadWrite, OltpUpdateIndex,
    OltpUpdateNonIndex, OltpWriteOnly, SelectRandomPoints, SelectRandomRanges,
};

/// Enough transactions to see how values are drawn.
const EVENTS: u64 = 150;
/// Rows of more than one INSERT of bulk_insert.
const BULK_EVENTS: u64 = 90_000;

/// One comparison.
#[derive(Debug, Clone)]
pub struct Case {
    /// The workload and its options.
    pub options: SysbenchOptions,
    /// Transactions.
    pub events: u64,
}

impl fmt::Display for Case {
    /// As a user of sysbench would say it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.options.workload.name(), self.sysbench_options().join(" "))
    }
}

impl Case {
    pub fn new(options: SysbenchOptions) -> Self {
        let events = if options.workload == BulkInsert { BULK_EVENTS } else { EVENTS };
        Self { options, events }
    }

    /// A workload with its default options, on small tables.
    pub fn of(workload: SysbenchWorkload, db_ps_mode: PsMode) -> Self {
        Self::new(SysbenchOptions { db_ps_mode, ..options_of(workload) })
    }

    /// The tables it wants.
    pub fn data(&self) -> DataSet {
        let options = &self.options;
        // sysbench loads no rows for oltp_insert without AUTO_INCREMENT: the ids could collide with the client's.
        let is_empty = options.workload == OltpInsert && !options.auto_inc;
        DataSet::Sysbench(SysbenchData {
            tables: options.tables,
            table_size: if is_empty { 0 } else { options.table_size },
            auto_inc: options.auto_inc,
            secondary: options.secondary,
            create_secondary: options.create_secondary,
            engine: options.mysql_storage_engine.clone(),
            table_options: options.create_table_options.clone(),
            bulk: options.workload == BulkInsert,
        })
    }

    /// The database it has for itself.
    pub fn database(&self) -> &'static str {
        self.options.workload.name()
    }

    /// The options as sysbench takes them.
    pub fn sysbench_options(&self) -> Vec<String> {
        let o = &self.options;
        let switch = |on: bool| if on { "on" } else { "off" };
        let mode = match o.db_ps_mode {
            PsMode::Auto => "auto",
            PsMode::Disable => "disable",
        };
        let mut list = vec![format!("--db-ps-mode={mode}")];
        if o.workload == BulkInsert {
            return list;
        }
        let numbers = [
            ("tables", u64::from(o.tables)),
            ("table-size", o.table_size),
            ("range-size", u64::from(o.range_size)),
            ("point-selects", u64::from(o.point_selects)),
            ("simple-ranges", u64::from(o.simple_ranges)),
            ("sum-ranges", u64::from(o.sum_ranges)),
            ("order-ranges", u64::from(o.order_ranges)),
            ("distinct-ranges", u64::from(o.distinct_ranges)),
            ("index-updates", u64::from(o.index_updates)),
            ("non-index-updates", u64::from(o.non_index_updates)),
            ("delete-inserts", u64::from(o.delete_inserts)),
        ];
        list.extend(numbers.map(|(name, value)| format!("--{name}={value}")));
        let switches = [
            ("range-selects", o.range_selects),
            ("skip-trx", o.skip_trx),
            ("auto-inc", o.auto_inc),
            ("secondary", o.secondary),
            ("create-secondary", o.create_secondary),
        ];
        list.extend(switches.map(|(name, on)| format!("--{name}={}", switch(on))));
        match o.workload {
            SelectRandomPoints => list.push(format!("--random-points={}", o.random_points)),
            SelectRandomRanges => {
                list.push(format!("--number-of-ranges={}", o.number_of_ranges));
                list.push(format!("--delta={}", o.delta));
            }
            _ => {}
        }
        list
    }
}

/// The options of a workload on small tables: three of them where the workload can have several.
pub fn options_of(workload: SysbenchWorkload) -> SysbenchOptions {
    let tables = match workload {
        SelectRandomPoints | SelectRandomRanges | BulkInsert => 1,
        _ => 3,
    };
    let rand = KeyDistribution::Uniform;
    SysbenchOptions { workload, tables, table_size: 500, rand, ..SysbenchOptions::default() }
}

/// Every workload as it is, in both protocols.
pub fn every_workload() -> Vec<Case> {
    in_both_protocols(SysbenchWorkload::ALL.map(options_of))
}

/// The options that change what is sent, in both protocols.
pub fn options() -> Vec<Case> {
    let of = options_of;
    in_both_protocols([
        SysbenchOptions { skip_trx: true, ..of(OltpReadWrite) },
        SysbenchOptions { skip_trx: true, range_size: 10, ..of(OltpReadOnly) },
        SysbenchOptions { skip_trx: true, index_updates: 3, ..of(OltpWriteOnly) },
        SysbenchOptions { range_selects: false, auto_inc: false, secondary: true, ..of(OltpReadWrite) },
        SysbenchOptions {
            point_selects: 3,
            simple_ranges: 0,
            sum_ranges: 2,
            range_size: 7,
            non_index_updates: 2,
            delete_inserts: 2,
            ..of(OltpReadWrite)
        },
        // sysbench overrides this one: one point select per transaction.
        SysbenchOptions { point_selects: 7, ..of(OltpPointSelect) },
        SysbenchOptions { index_updates: 3, ..of(OltpUpdateIndex) },
        SysbenchOptions { non_index_updates: 2, ..of(OltpUpdateNonIndex) },
        SysbenchOptions { auto_inc: false, ..of(OltpInsert) },
        SysbenchOptions { random_points: 4, ..of(SelectRandomPoints) },
        SysbenchOptions { number_of_ranges: 3, delta: 9, ..of(SelectRandomRanges) },
    ])
}

/// What another server could make different.
pub fn on_mariadb() -> Vec<Case> {
    in_both_protocols([options_of(OltpReadWrite), options_of(OltpInsert)])
}

fn in_both_protocols<const N: usize>(list: [SysbenchOptions; N]) -> Vec<Case> {
    let modes = |options: SysbenchOptions| {
        [PsMode::Auto, PsMode::Disable]
            .map(|db_ps_mode| Case::new(SysbenchOptions { db_ps_mode, ..options.clone() }))
    };
    list.into_iter().flat_map(modes).collect()
}
