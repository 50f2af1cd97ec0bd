//! One statement of each kind that a workload sends, with values in it, for EXPLAIN.

use model::{SysbenchWorkload, WorkloadSpec};

use super::{oltp, secondary, statements, tpcc};
use crate::recorder::{Operation, OperationIndex};

/// A statement as a server could get it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The operation that it is one of.
    pub operation: &'static str,
    /// The statement.
    pub sql: String,
    /// It changes nothing and takes no locks.
    pub only_reads: bool,
}

/// One statement of each kind, on the first table and on values in the middle of it. An INSERT has no plan and is left out. TPC-C
/// is asked for one row at a time, whatever the style of its statements.
pub fn samples(workload: &WorkloadSpec) -> Vec<Sample> {
    match workload {
        WorkloadSpec::Imported(_) => Vec::new(),
        WorkloadSpec::Tpcc(options) => {
            tpcc::explained(options).map(|of| sample(&tpcc::OPERATIONS[of], tpcc_value)).collect()
        }
        WorkloadSpec::Sysbench(options) => {
            let table = |of: OperationIndex| &statements::OPERATIONS[of];
            let middle = (options.table_size / 2).max(1);
            let (from, to) = (middle, middle + u64::from(options.range_size.max(1)) - 1);
            let value = move |before: &str| match before {
                _ if before.ends_with(" AND ") => to.to_string(),
                _ if before.ends_with("c=") => "'mydyno'".to_owned(),
                _ => from.to_string(),
            };
            match options.workload {
                SysbenchWorkload::BulkInsert => Vec::new(),
                SysbenchWorkload::SelectRandomPoints | SysbenchWorkload::SelectRandomRanges => {
                    let (of, sql) = secondary::statement(options);
                    // Different keys, as the clients have them.
                    let mut key = middle;
                    let mut parts = sql.split('?');
                    let mut sql = parts.next().unwrap_or_default().to_owned();
                    for part in parts {
                        sql = format!("{sql}{key}{part}");
                        key += if part.starts_with(" AND ") { u64::from(options.delta) } else { 1 };
                    }
                    vec![Sample { operation: table(of).name, sql, only_reads: true }]
                }
                _ => oltp::explained(options).into_iter().map(|of| sample(table(of), value)).collect(),
            }
        }
    }
}

fn sample(operation: &Operation, value: impl Fn(&str) -> String) -> Sample {
    let mut parts = operation.template.split('?');
    let mut sql = parts.next().unwrap_or_default().replace("%u", "1");
    for part in parts {
        sql = format!("{sql}{}{part}", value(&sql));
    }
    let only_reads = sql.starts_with("SELECT") && !sql.contains("FOR UPDATE");
    Sample { operation: operation.name, sql, only_reads }
}

/// What a column of TPC-C is compared with or set to: warehouse 1, district 1, the newest of the orders that every
/// district begins with.
fn tpcc_value(before: &str) -> String {
    const LAST_ORDER: u32 = 3_000;
    const LINES_OF: u32 = 20;
    let mut words = before.split_whitespace().rev();
    let (sign, column) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    match (column, sign) {
        ("c_last", _) => "'BARBARBAR'".to_owned(),
        ("c_data", _) => "'mydyno'".to_owned(),
        ("s_quantity", "<") => "15".to_owned(),
        ("ol_o_id", ">=") => (LAST_ORDER + 1 - LINES_OF).to_string(),
        ("ol_o_id", "<") => (LAST_ORDER + 1).to_string(),
        (column, _) if column.ends_with("o_id") => LAST_ORDER.to_string(),
        _ => "1".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use model::{SysbenchOptions, TpccOptions};

    use super::*;

    fn of(workload: SysbenchWorkload) -> Vec<String> {
        let options = SysbenchOptions { workload, table_size: 1_000, random_points: 2, ..Default::default() };
        samples(&WorkloadSpec::Sysbench(options)).into_iter().map(|sample| sample.sql).collect()
    }

    #[test]
    fn sysbenchs_statements_get_values() {
        let all = of(SysbenchWorkload::OltpReadWrite);
        assert_eq!(all[0], "SELECT c FROM sbtest1 WHERE id=500");
        assert_eq!(all[1], "SELECT c FROM sbtest1 WHERE id BETWEEN 500 AND 599");
        assert!(all.contains(&"UPDATE sbtest1 SET c='mydyno' WHERE id=500".to_owned()), "{all:?}");
        assert!(!all.iter().any(|sql| sql.contains('?') || sql.starts_with("INSERT")), "{all:?}");
        assert_eq!(
            of(SysbenchWorkload::SelectRandomPoints),
            ["SELECT id, k, c, pad FROM sbtest1 WHERE k IN (500, 501)"]
        );
        assert!(
            of(SysbenchWorkload::SelectRandomRanges)[0]
                .contains("k BETWEEN 500 AND 505 OR k BETWEEN 506 AND")
        );
        assert!(of(SysbenchWorkload::BulkInsert).is_empty());
    }

    #[test]
    fn tpccs_statements_get_values() {
        let all = samples(&WorkloadSpec::Tpcc(TpccOptions::default()));
        let sql = |operation: &str| &all.iter().find(|s| s.operation == operation).expect(operation).sql;
        assert!(
            sql("stock_level.count_stock").contains("ol_o_id >= 2981 AND ol_o_id < 3001 AND s_quantity < 15")
        );
        assert!(sql("payment.select_customers").contains("c_last = 'BARBARBAR'"));
        assert!(!all.iter().any(|s| s.sql.contains('?') || s.sql.contains("...")), "{all:?}");
    }
}
