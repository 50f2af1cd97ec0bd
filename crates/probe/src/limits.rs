//! Limits of server and machine that many clients run into.

use std::collections::BTreeMap;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use wire::Client;

use crate::error::ProbeError;
use crate::server::pairs;

/// Limits of a server, and their current use. 0 means no limit where the server reports it so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// `max_connections`.
    pub max_connections: u64,
    /// Connections open now, without the one that asks.
    pub connected: u64,
    /// `max_user_connections`; 0: no limit.
    pub max_user_connections: u64,
    /// `max_prepared_stmt_count`.
    pub max_prepared_statements: u64,
    /// Prepared statements open now.
    pub prepared_statements: u64,
    /// `table_open_cache`.
    pub table_open_cache: u64,
    /// `open_files_limit`; 0: not known.
    pub open_files: u64,
}

/// Asks a server for its limits.
pub fn limits(client: &mut Client) -> Result<Limits, ProbeError> {
    let mut values: BTreeMap<String, String> = pairs(
        client,
        "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('max_connections', 'max_user_connections', \
         'max_prepared_stmt_count', 'table_open_cache', 'open_files_limit')",
    )?
    .into_iter()
    .collect();
    let status = "SHOW GLOBAL STATUS WHERE Variable_name IN ('Threads_connected', 'Prepared_stmt_count')";
    values.extend(pairs(client, status)?);
    let number = |name: &'static str| {
        values.get(name).and_then(|v| v.parse::<u64>().ok()).ok_or(ProbeError::Missing { name })
    };
    Ok(Limits {
        max_connections: number("max_connections")?,
        connected: number("threads_connected")?.saturating_sub(1),
        max_user_connections: number("max_user_connections")?,
        max_prepared_statements: number("max_prepared_stmt_count")?,
        prepared_statements: number("prepared_stmt_count")?,
        table_open_cache: number("table_open_cache")?,
        open_files: number("open_files_limit").unwrap_or_default(),
    })
}

/// Limits of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnLimits {
    /// Open files now allowed (`ulimit -Sn`).
    pub open_files: u64,
    /// Open files that could be allowed without privileges (`ulimit -Hn`).
    pub open_files_max: u64,
}

/// Limits of this process.
pub fn own_limits() -> OwnLimits {
    let limit = getrlimit(Resource::Nofile);
    OwnLimits {
        open_files: limit.current.unwrap_or(u64::MAX),
        open_files_max: limit.maximum.unwrap_or(u64::MAX),
    }
}

/// Allows this process this number of open files, if it is not allowed them already.
pub fn raise_open_files(wanted: u64) -> Result<(), ProbeError> {
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= wanted) {
        return Ok(());
    }
    let raised = Rlimit { current: Some(wanted), maximum: limit.maximum };
    setrlimit(Resource::Nofile, raised).map_err(|e| ProbeError::OpenFiles { wanted, source: e.into() })
}

#[cfg(test)]
mod tests {
    use model::Advise;

    use super::*;

    #[test]
    fn open_files_can_be_raised_up_to_the_hard_limit() {
        let before = own_limits();
        raise_open_files(before.open_files).expect("nothing to do");
        if before.open_files_max < u64::MAX {
            raise_open_files(before.open_files_max).expect("within the hard limit");
            assert_eq!(own_limits().open_files, before.open_files_max);
            let error = raise_open_files(before.open_files_max + 1).expect_err("beyond the hard limit");
            let line = format!("ulimit -Hn {}", before.open_files_max + 1);
            assert_eq!(error.advice()[0].how, model::How::Line(line), "{error}");
        }
    }
}
