//! The redo log of a server that is only started to load data: off, and on again before the data are kept.

use model::Flavour;
use wire::Client;

use crate::error::RedoError;
use crate::install::Installation;
use crate::server::Server;

/// Statement for the file of first statements. The server remembers it, also over a restart.
pub(crate) const OFF: &str = "ALTER INSTANCE DISABLE INNODB REDO_LOG;\n";

/// MySQL since 8.0.21 (manual, "Disabling Redo Logging"); MariaDB has no such switch.
pub(crate) fn can_be_off(installation: &Installation) -> bool {
    installation.flavour == Flavour::Mysql && installation.number() >= (8, 0, 21)
}

impl Server {
    /// Switches the redo log on again if it is off, and makes sure that it is on.
    pub fn put_back_redo_log(&self) -> Result<(), RedoError> {
        let mut client = Client::connect(&self.connect_options(None))?;
        if is_on(&mut client)? {
            return Ok(());
        }
        client.execute("ALTER INSTANCE ENABLE INNODB REDO_LOG")?;
        if is_on(&mut client)? { Ok(()) } else { Err(RedoError::StillOff { name: self.name().to_owned() }) }
    }
}

/// Whether the redo log is on. Servers without the switch do not report it, and always have one.
fn is_on(client: &mut Client) -> Result<bool, RedoError> {
    let status = client.query("SHOW GLOBAL STATUS LIKE 'Innodb_redo_log_enabled'")?;
    Ok(status.first().is_none_or(|row| row.text(1) == Some("ON")))
}
