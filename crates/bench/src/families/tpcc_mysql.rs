//! tpcc-mysql (Percona-Lab/tpcc-mysql) as a peer, if it is there: `TPCC_MYSQL` names the directory where it was built from
//! its source. Its tables are made by its own scripts and get the rows of a database that mydyno loaded, since its own
//! loader takes minutes.

use std::path::PathBuf;
use std::process::Command;

use sandbox::Server;
use wire::{Client, ConnectOptions};

use crate::error::BenchError;
use crate::program::{self, Ran};

/// The directory.
pub const DIRECTORY: &str = "TPCC_MYSQL";
/// Its tables, and those that have their rows.
const TABLES: [(&str, &str); 9] = [
    ("warehouse", "warehouse"),
    ("district", "district"),
    ("item", "item"),
    ("stock", "stock"),
    ("customer", "customer"),
    ("history", "history"),
    ("orders", "orders"),
    ("new_orders", "new_order"),
    ("order_line", "order_line"),
];

/// Its directory; none if it is not configured.
pub fn directory() -> Option<PathBuf> {
    std::env::var_os(DIRECTORY).filter(|directory| !directory.is_empty()).map(PathBuf::from)
}

/// Makes its database with the rows of another.
pub fn fill(
    connect: &ConnectOptions,
    directory: &std::path::Path,
    database: &str,
    from: &str,
) -> Result<(), BenchError> {
    let mut client = Client::connect(&ConnectOptions { database: None, ..connect.clone() })?;
    client.execute(&format!("DROP DATABASE IF EXISTS {database}"))?;
    client.execute(&format!("CREATE DATABASE {database}"))?;
    client.execute(&format!("USE {database}"))?;
    for script in ["create_table.sql", "add_fkey_idx.sql"] {
        let path = directory.join(script);
        let text = std::fs::read_to_string(&path)
            .map_err(|source| BenchError::File { path: path.display().to_string(), source })?;
        for statement in text.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
            client.execute(statement)?;
        }
    }
    client.execute("SET foreign_key_checks = 0")?;
    for (table, source) in TABLES {
        client.execute(&format!("INSERT INTO {table} SELECT * FROM {from}.{source}"))?;
    }
    Ok(())
}

/// Runs it once; returns its resource use, and the completed transactions.
pub fn run(
    server: &Server,
    directory: &std::path::Path,
    database: &str,
    load: [u32; 2],
    seconds: f64,
) -> Result<(Ran, u64), BenchError> {
    let [warehouses, connections] = load;
    let mut command = Command::new(directory.join("tpcc_start"));
    command.args(["-h127.0.0.1", "-r0"]);
    command.args([
        format!("-P{}", server.port()),
        format!("-d{database}"),
        format!("-u{}", sandbox::USER),
        format!("-p{}", server.password().expose()),
        format!("-w{warehouses}"),
        format!("-c{connections}"),
        format!("-l{seconds:.0}"),
        format!("-i{seconds:.0}"),
    ]);
    let ran = program::run(&mut command)?;
    match transactions(&ran.output) {
        Some(count) if count > 0 => Ok((ran, count)),
        _ => Err(BenchError::Output {
            program: "tpcc_start".to_owned(),
            what: "how many transactions it ran",
            said: ran.output,
        }),
    }
}

/// The sum over its types: `[0] sc:0 lt:666  rt:0  fl:0 avg_rt: 35.7 (5)`, in time and late.
fn transactions(output: &str) -> Option<u64> {
    let raw = output.split("<Raw Results>").nth(1)?.split("<Raw Results2").next()?;
    let figures =
        raw.split_whitespace().filter_map(|word| word.strip_prefix("sc:").or(word.strip_prefix("lt:")));
    figures.map(|figure| figure.parse::<u64>().ok()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_results_are_understood() {
        let output = "MEASURING START.\n\n<Raw Results>\n  [0] sc:0 lt:666  rt:0  fl:0 avg_rt: 35.7 (5)\n  \
                      [1] sc:1 lt:663  rt:0  fl:0 avg_rt: 25.9 (5)\n in 5 sec.\n\n<Raw Results2(sum ver.)>\n  [0] sc:9 lt:9\n";
        assert_eq!(transactions(output), Some(1_330));
        assert_eq!(transactions("nothing"), None);
    }
}
