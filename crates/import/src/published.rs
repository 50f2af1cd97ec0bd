//! Tables whose header is known, so that they need no mapping.

use model::{Instance, Stated};

use crate::mapping::{TPMC_NOTE, failed_if_zero};
use crate::measured::{Measurement, Parsed, Problem, map_its_columns, ns, rate};
use crate::table::{Row, Table};

/// A known table: its header and how to read it.
struct Known {
    header: &'static str,
    tool: &'static str,
    notes: &'static [&'static str],
    read: fn(&Row<'_>) -> Result<Option<Measurement>, Problem>,
}

const TABLES: [Known; 3] = [
    Known {
        header: "host,ins_code,ha_type,same_az,region,storage_gb,threads,transactions,queries,time_s,latency_avg_ms,latency_p95_ms",
        tool: "sysbench, as a table",
        notes: &["each point was measured once"],
        read: high_availability,
    },
    Known {
        header: "innodb_flush_log_at_trx_commit,sync_binlog,threads,tpmc_mean_of_3",
        tool: "tpcc-mysql, as a table",
        notes: &[TPMC_NOTE, "each figure is a mean of three runs whose scatter is not stated"],
        read: durability,
    },
    Known {
        header: "phenomenon,arm,x,x_is,value,unit",
        tool: "curves of a book, as a table",
        notes: &[
            "of tpmC a transaction here is a New-Order, of QPS it is a query",
            "rows that are no curves over clients were left out",
        ],
        read: curve,
    },
];

fn known(text: &str) -> Option<&'static Known> {
    let header = Table::read(text).ok()?.header().join(",");
    TABLES.iter().find(|known| known.header == header)
}

/// Whether the text is one of these tables.
pub fn is_published(text: &str) -> bool {
    known(text).is_some()
}

/// Reads one of them.
pub fn parse(text: &str) -> Result<Parsed, Problem> {
    let table = Table::read(text)?;
    let known =
        known(text).ok_or_else(|| Problem::of_file("this table is not known").with(map_its_columns()))?;
    let mut measured = Vec::new();
    for row in table.rows() {
        measured.extend((known.read)(&row)?);
    }
    Ok(Parsed {
        tool: known.tool.to_owned(),
        version: None,
        notes: known.notes.iter().map(|note| (*note).to_owned()).collect(),
        is_table: true,
        measured,
    })
}

fn instance(row: &Row<'_>, columns: &[&str]) -> Instance {
    let known = columns.iter().filter(|column| !row.text(column).is_empty());
    known.map(|column| ((*column).to_owned(), row.text(column).to_owned())).collect()
}

/// Label of a server with or without replicas.
pub fn zone_label(ha_type: &str, same_az: &str) -> String {
    match (ha_type, same_az) {
        ("ha", "1") => "ha-same-zone".to_owned(),
        ("ha", _) => "ha-cross-zone".to_owned(),
        (other, _) => other.to_owned(),
    }
}

fn high_availability(row: &Row<'_>) -> Result<Option<Measurement>, Problem> {
    let target = zone_label(row.text("ha_type"), row.text("same_az"));
    let measured_s = row.number("time_s")?.unwrap_or(0.0);
    let (transactions, queries) = (row.count("transactions")?, row.count("queries")?);
    let mut stated = Stated {
        transactions,
        queries,
        throughput_per_s: transactions.and_then(|count| rate(count, measured_s)),
        queries_per_s: queries.and_then(|count| rate(count, measured_s)),
        ..Stated::default()
    };
    stated.response.mean_ns = row.number("latency_avg_ms")?.map(ns);
    stated.response.p95_ns = row.number("latency_p95_ms")?.map(ns);
    Ok(Some(failed_if_zero(Measurement {
        target: Some(target),
        workload: Some("oltp_read_write".to_owned()),
        threads: row.threads("threads")?,
        instance: instance(row, &["host", "ins_code", "ha_type", "same_az", "region", "storage_gb"]),
        measured_s,
        stated,
        ..Measurement::default()
    })))
}

fn durability(row: &Row<'_>) -> Result<Option<Measurement>, Problem> {
    let (flush, sync) = ("innodb_flush_log_at_trx_commit", "sync_binlog");
    let tpmc = row.number("tpmc_mean_of_3")?;
    let stated = Stated { throughput_per_s: tpmc.map(|tpmc| tpmc / 60.0), tpmc, ..Stated::default() };
    Ok(Some(failed_if_zero(Measurement {
        target: Some(format!("{}/{}", row.text(flush), row.text(sync))),
        workload: Some("tpcc".to_owned()),
        threads: row.threads("threads")?,
        instance: instance(row, &[flush, sync]),
        stated,
        ..Measurement::default()
    })))
}

fn curve(row: &Row<'_>) -> Result<Option<Measurement>, Problem> {
    if row.text("x_is") != "concurrency" {
        return Ok(None);
    }
    let value = row.number("value")?;
    let of = |factor: f64| value.map(|value| value * factor);
    let stated = match row.text("unit") {
        "k tpmC" => Stated { throughput_per_s: of(1_000.0 / 60.0), tpmc: of(1_000.0), ..Stated::default() },
        "k QPS" => Stated { throughput_per_s: of(1_000.0), queries_per_s: of(1_000.0), ..Stated::default() },
        other => return Err(Problem::at(row.line, format!("the unit '{other}' is not known"))),
    };
    Ok(Some(failed_if_zero(Measurement {
        target: Some(row.text("arm").to_owned()),
        workload: Some(row.text("phenomenon").to_owned()),
        threads: row.threads("x")?,
        stated,
        ..Measurement::default()
    })))
}
