//! Properties of the server that matter to loading.

use crate::{account::Session, error::DataError, job::PrepareMethod};

/// Properties of the server that matter here.
pub(crate) struct Server {
    pub local_infile: bool,
    pub packet_bytes_max: usize,
    /// The engine asked about rolls back.
    pub transactional: bool,
    /// Explicit ids of LOAD DATA take the table's AUTO-INC lock, since `innodb_autoinc_lock_mode` is not 2.
    pub locks_auto_inc: bool,
}

impl Server {
    /// Asks, also about an engine.
    pub fn ask(session: &mut Session<'_>, engine: &str) -> Result<Self, DataError> {
        const WHAT: &str = "asking for the server's settings";
        let variables = session.query(
            WHAT,
            "SHOW VARIABLES WHERE Variable_name IN \
             ('local_infile', 'max_allowed_packet', 'innodb_autoinc_lock_mode')",
        )?;
        let value = |name: &str| variables.rows.iter().find(|row| row.text(0) == Some(name))?.text(1);
        let engine = engine.replace('\\', "\\\\").replace('\'', "''");
        let engines = session.query(
            WHAT,
            &format!("SELECT TRANSACTIONS FROM information_schema.ENGINES WHERE ENGINE = '{engine}'"),
        )?;
        Ok(Self {
            local_infile: value("local_infile").is_some_and(|v| v == "ON" || v == "1"),
            packet_bytes_max: value("max_allowed_packet").and_then(|v| v.parse().ok()).unwrap_or(1 << 20),
            // An unknown engine makes CREATE TABLE fail, which says it best.
            transactional: engines.first().is_some_and(|row| row.text(0) == Some("YES")),
            locks_auto_inc: value("innodb_autoinc_lock_mode").is_some_and(|v| v != "2"),
        })
    }

    /// The method of sending rows.
    pub fn method(&self) -> PrepareMethod {
        if self.local_infile { PrepareMethod::LoadData } else { PrepareMethod::Insert }
    }
}
