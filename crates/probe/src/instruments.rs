//! The performance schema's instruments for internal waits and stages, which are off by default as they cost throughput.

use model::Unseen;
use wire::Client;

use crate::ask::ask;
use crate::error::ProbeError;

/// The instruments that are switched on: waits for the server's own locks, and stages of statements.
///
/// A lock that the server made while its instrument was off may stay unseen; `performance-schema-instrument='wait/synch/%=ON'`
/// in the server's option file shows all of them.
const WANTED: &str = "(name LIKE 'wait/synch/%' OR name LIKE 'stage/%')";

const WHAT: &str = "waits inside the server, stages";

/// Instruments that are off, to be switched on and off again.
#[derive(Debug, Default)]
pub struct Instruments {
    names: Vec<String>,
}

impl Instruments {
    /// Switches on the instruments that are off. Refusals of the server are noted.
    ///
    /// # Errors
    /// The server no longer answers: the instruments may be on, and must be restored all the same.
    pub fn switch_on(&mut self, client: &mut Client, unseen: &mut Vec<Unseen>) -> Result<(), ProbeError> {
        let sql = format!(
            "SELECT name FROM performance_schema.setup_instruments WHERE {WANTED} AND enabled = 'NO'"
        );
        let found = ask(client, unseen, WHAT, &sql)?;
        self.names =
            found.iter().flat_map(|f| &f.rows).filter_map(|row| Some(row.text(0)?.to_owned())).collect();
        let sql = format!(
            "UPDATE performance_schema.setup_instruments SET enabled = 'YES', timed = 'YES' WHERE {WANTED} AND \
             enabled = 'NO'"
        );
        if ask(client, unseen, WHAT, &sql)?.is_none() {
            self.names.clear();
        }
        Ok(())
    }

    /// True if none was off, or the server refused.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Switches them off again.
    ///
    /// # Errors
    /// The server refuses, or no longer answers.
    pub fn restore(&self, client: &mut Client) -> Result<(), ProbeError> {
        if self.names.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = self.names.iter().map(|name| format!("'{name}'")).collect();
        client.execute(&format!(
            "UPDATE performance_schema.setup_instruments SET enabled = 'NO', timed = 'NO' WHERE name IN ({})",
            names.join(", ")
        ))?;
        Ok(())
    }
}
