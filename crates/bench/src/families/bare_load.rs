//! Loading TPC-C's rows with nothing but LOAD DATA LOCAL: what a loader can be compared with. The rows are read from a
//! loaded database beforehand, a part for each table and warehouse, and a connection takes the next part when its last
//! one is in.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use wire::{Client, ConnectOptions};

use crate::error::BenchError;

/// Tables with the column that names the warehouse, the large ones first, so that all connections end at about the
/// same time.
const TABLES: [(&str, &str); 9] = [
    ("order_line", "ol_w_id"),
    ("stock", "s_w_id"),
    ("customer", "c_w_id"),
    ("history", "h_w_id"),
    ("orders", "o_w_id"),
    ("new_order", "no_w_id"),
    ("item", ""),
    ("district", "d_w_id"),
    ("warehouse", "w_id"),
];

/// Rows in the default format of LOAD DATA: tabs between values, `\N` for NULL. No value of TPC-C's holds a tab or a backslash.
pub struct Part {
    table: &'static str,
    text: Vec<u8>,
}

/// The rows of a database, in the order of the primary keys.
pub fn read(connect: &ConnectOptions, warehouses: u32) -> Result<Vec<Part>, BenchError> {
    let mut client = Client::connect(connect)?;
    let mut parts = Vec::new();
    for (table, home) in TABLES {
        let filters = match home {
            "" => vec![String::new()],
            home => (1..=warehouses).map(|warehouse| format!("WHERE {home} = {warehouse}")).collect(),
        };
        for filter in filters {
            let mut text = Vec::new();
            for row in &client.query(&format!("SELECT * FROM {table} {filter}"))?.rows {
                for index in 0..row.len() {
                    text.extend_from_slice(row.text(index).unwrap_or("\\N").as_bytes());
                    text.push(b'\t');
                }
                text.pop();
                text.push(b'\n');
            }
            parts.push(Part { table, text });
        }
    }
    Ok(parts)
}

/// Makes empty tables like those of `model` in a new database, and loads the parts into them over this number of
/// connections; returns the seconds it took.
pub fn load(
    connect: &ConnectOptions,
    model: &str,
    fresh: &str,
    parts: &[Part],
    connections: u32,
) -> Result<f64, BenchError> {
    let mut administration = Client::connect(&ConnectOptions { database: None, ..connect.clone() })?;
    administration.execute(&format!("DROP DATABASE IF EXISTS {fresh}"))?;
    administration.execute(&format!("CREATE DATABASE {fresh}"))?;
    let connect = ConnectOptions { database: Some(fresh.to_owned()), local_infile: true, ..connect.clone() };
    let begun = Instant::now();
    for (table, _) in TABLES {
        administration.execute(&format!("CREATE TABLE {fresh}.{table} LIKE {model}.{table}"))?;
    }
    let next = AtomicUsize::new(0);
    let work = || -> Result<(), BenchError> {
        let mut client = Client::connect(&connect)?;
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            let statement = format!("LOAD DATA LOCAL INFILE 'rows' INTO TABLE {}", part.table);
            client.load_data_local(&statement, &mut &part.text[..])?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..connections).map(|_| scope.spawn(work)).collect();
        running.into_iter().try_for_each(|one| one.join().expect("a loading thread does not panic"))
    })?;
    Ok(begun.elapsed().as_secs_f64())
}
