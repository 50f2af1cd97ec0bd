//! Facts that a server reports.

use std::time::Instant;

use model::{Durability, Flavour, ServerFacts, Variables};
use wire::Client;

use crate::error::ProbeError;
use crate::secrets::masked;

/// All global variables by name, with secrets masked.
pub fn variables(client: &mut Client) -> Result<Variables, ProbeError> {
    pairs(client, "SHOW GLOBAL VARIABLES")
        .map(|pairs| pairs.into_iter().map(|(name, value)| (name.clone(), masked(&name, value))).collect())
}

/// Facts about the server that `client` is connected to.
pub fn server_facts(client: &mut Client) -> Result<ServerFacts, ProbeError> {
    let variables = variables(client)?;
    let redo = format!("SHOW GLOBAL STATUS LIKE '{}'", Durability::REDO);
    let redo = pairs(client, &redo)?.into_iter().collect();
    let round_trip_ms = round_trip_ms(client)?;
    let session = client.session();
    let flavour = if session.is_mariadb { Flavour::Mariadb } else { Flavour::Mysql };
    let cipher = session.tls.as_ref().map(|tls| format!("{} {}", tls.version, tls.cipher));
    let facts = facts_from(&variables, &redo, flavour, cipher)?;
    Ok(ServerFacts { round_trip_ms: Some(round_trip_ms), ..facts })
}

/// The median of a few.
fn round_trip_ms(client: &mut Client) -> Result<f64, ProbeError> {
    const PINGS: usize = 21;
    let ping = |_| {
        let sent = Instant::now();
        client.ping()?;
        Ok(sent.elapsed().as_secs_f64() * 1e3)
    };
    let mut all = (0..PINGS).map(ping).collect::<Result<Vec<f64>, ProbeError>>()?;
    all.sort_by(f64::total_cmp);
    Ok(all[PINGS / 2])
}

/// The facts from known variables and status. `tls_cipher` is that of the connection.
pub fn facts_from(
    variables: &Variables,
    status: &Variables,
    flavour: Flavour,
    tls_cipher: Option<String>,
) -> Result<ServerFacts, ProbeError> {
    let text = |name: &'static str| variables.get(name).ok_or(ProbeError::Missing { name });
    let number = |name| text(name)?.parse().map_err(|_| ProbeError::Missing { name });
    let (durability, names) = Durability::of(variables, status);
    let unknown = "unknown".to_owned();
    let value = |name: &str| variables.get(name).or_else(|| status.get(name)).unwrap_or(&unknown).clone();
    Ok(ServerFacts {
        flavour,
        version: text("version")?.clone(),
        version_comment: text("version_comment")?.clone(),
        tls_cipher,
        durability,
        durability_because: names.iter().map(|name| format!("{name} = {}", value(name))).collect(),
        binlog: is_on(variables, "log_bin"),
        buffer_pool_bytes: number("innodb_buffer_pool_size")?,
        max_connections: number("max_connections")?,
        round_trip_ms: None,
    })
}

fn is_on(variables: &Variables, name: &str) -> bool {
    variables.get(name).is_some_and(|value| value == "1" || value.eq_ignore_ascii_case("on"))
}

/// Rows of two columns, as SHOW VARIABLES and SHOW STATUS give them.
pub(crate) fn pairs(client: &mut Client, sql: &str) -> Result<Vec<(String, String)>, ProbeError> {
    let lossy = |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
    let result = client.query(sql)?;
    Ok(result.rows.iter().map(|row| (lossy(row.get(0)).to_ascii_lowercase(), lossy(row.get(1)))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_hides_its_variables_is_named() {
        let error = facts_from(&Variables::new(), &Variables::new(), Flavour::Mysql, None)
            .expect_err("nothing there");
        assert!(error.to_string().starts_with("the server does not say its version"), "{error}");
    }
}
