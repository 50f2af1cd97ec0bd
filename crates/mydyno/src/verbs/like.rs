//! `sandbox:mysql?like=mysql://db1`: a sandbox with the settings of another server, which is only read.

use std::cell::RefCell;
use std::collections::BTreeMap;

use knowledge::Likeness;
use messages::message;
use model::{Address, Flavour, ServerKind, Target, Variables};
use sandbox::Home;
use wire::{Client, ConnectOptions};

use super::visit::visit;
use crate::error::{Outcome, UserError};
use crate::output;
use crate::resolve::{LikenessRequest, Passwords};

/// Settings that were read already: a target is resolved more than once.
#[derive(Default)]
pub struct Likenesses(RefCell<Vec<(String, BTreeMap<String, String>)>>);

/// Settings that make a sandbox like another server; says what is taken over and what is not.
pub fn settings(
    home: &Home,
    known: &Likenesses,
    request: &LikenessRequest<'_>,
) -> Outcome<BTreeMap<String, String>> {
    let name = match &request.endpoint.address {
        Address::Tcp { host, port } => format!("{host}:{port}"),
        Address::Socket(path) => path.display().to_string(),
    };
    let key = format!("{name} {:?}", request.sandbox);
    if let Some((_, settings)) = known.0.borrow().iter().find(|(known, _)| *known == key) {
        return Ok(settings.clone());
    }
    let theirs = variables(request).map_err(|error| error.about(&name))?;
    let own = sandboxed(home, request)?;
    let host = probe::host_facts();
    let limit = host.cgroup_memory_bytes.unwrap_or(u64::MAX);
    let memory = Some(host.memory_bytes.min(limit)).filter(|bytes| *bytes > 0);
    let mut found = knowledge::likeness(&theirs, &own, memory);
    // What no sandbox may set is left out, too.
    found.set.retain(|setting, value| {
        let one = BTreeMap::from([(setting.clone(), value.clone())]);
        let is_fine = sandbox::check_settings(&one).is_ok();
        if !is_fine {
            found.left_out.push(setting.clone());
        }
        is_fine
    });
    output::note(&said(&name, &found));
    known.0.borrow_mut().push((key, found.set.clone()));
    Ok(found.set)
}

/// Variables of the other server.
fn variables(request: &LikenessRequest<'_>) -> Outcome<Variables> {
    let connect = runner::connect_options(request.endpoint, request.password);
    let connect = ConnectOptions { database: None, init_commands: Vec::new(), ..connect };
    let mut client = Client::connect(&connect).map_err(|error| UserError::from(&error))?;
    let flavour = if client.session().is_mariadb { Flavour::Mariadb } else { Flavour::Mysql };
    let wanted = request.sandbox.flavour;
    if flavour != wanted {
        return Err(UserError::usage(format!(
            "it is {}, and the sandbox that is to be like it is {}",
            flavour.name(),
            wanted.name()
        ))
        .hint(format!("name a sandbox of the same flavour: sandbox:{}?like=...", flavour.name())));
    }
    probe::variables(&mut client).map_err(|error| UserError::told(&error))
}

/// Variables of the sandbox as it is without the likeness.
fn sandboxed(home: &Home, request: &LikenessRequest<'_>) -> Outcome<Variables> {
    let target = Target::single("like".to_owned(), ServerKind::Sandbox(request.sandbox.clone()));
    visit(Some(home), "like", &target, &Passwords::new(), |connect, _| {
        let mut client = Client::connect(connect).map_err(|error| UserError::from(&error))?;
        probe::variables(&mut client).map_err(|error| UserError::told(&error))
    })
}

fn said(server: &str, found: &Likeness) -> String {
    let pool = found.buffer_pool_was.zip(found.set.get("innodb_buffer_pool_size"));
    let now: Option<u64> = pool.and_then(|(_, now)| now.parse().ok());
    let mut left_out = found.left_out.clone();
    left_out.sort();
    message!(
        "settings-taken-over",
        server = Text(server),
        count = Count(found.set.len() as u64),
        pool = Bytes?(found.buffer_pool_was),
        now = Bytes?(now),
        others = List?((!left_out.is_empty()).then_some(left_out))
    )
    .en
}
