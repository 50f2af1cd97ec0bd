//! The performance schema's instruments for what happens inside the server, which are off as they cost throughput.

use model::Unseen;
use wire::Client;

use crate::ProbeError;
use crate::ask::ask;

/// Those that are switched on: waits for the server's own locks, and stages of statements.
///
/// A lock that the server made while its instrument was off may stay unseen; `performance-schema-instrument='wait/synch/%=ON'`
/// in the server's option file shows all of them.
const WANTED: &str = "(name LIKE 'wait/synch/%' OR name LIKE 'stage/%')";

/// Instruments that were switched on, to be switched off again.
#[derive(Debug)]
pub struct Instruments {
    names: Vec<String>,
}

impl Instruments {
    /// Switches on those that are off. What the server refuses is noted.
    ///
    /// # Errors
    /// The server no longer answers.
    pub fn switch_on(client: &mut Client, unseen: &mut Vec<Unseen>) -> Result<Self, ProbeError> {
        const WHAT: &str = "waits inside the server, stages";
        let sql = format!(
            "SELECT name FROM performance_schema.setup_instruments WHERE {WANTED} AND enabled = 'NO'"
        );
        let found = ask(client, unseen, WHAT, &sql)?;
        let names: Vec<String> =
            found.iter().flat_map(|f| &f.rows).filter_map(|row| Some(row.text(0)?.to_owned())).collect();
        let sql = format!(
            "UPDATE performance_schema.setup_instruments SET enabled = 'YES', timed = 'YES' WHERE {WANTED} AND \
             enabled = 'NO'"
        );
        let done = ask(client, unseen, WHAT, &sql)?;
        Ok(Self { names: if done.is_some() { names } else { Vec::new() } })
    }

    /// Switches them off again.
    ///
    /// # Errors
    /// The server refuses, or no longer answers.
    pub fn restore(self, client: &mut Client) -> Result<(), ProbeError> {
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
