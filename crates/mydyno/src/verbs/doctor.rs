//! `mydyno doctor`: one look at each server, and a note about it.
//!
//! It only reads. A sandbox is started empty, with its settings, and stopped again.

mod note;

use std::net::IpAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use analysis::doctor::{self, Advice, Patient, Planned, Severity};
use clap::{Args, ValueEnum};
use model::{Address, Endpoint, HostFacts, SandboxSpec, TargetKind, WorkloadSpec};
use sandbox::StartOptions;
use wire::{Client, ConnectOptions};

use self::note::Note;
use super::surroundings::Surroundings;
use crate::commandline::Request;
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::options::connection::ConnectionArgs;
use crate::options::target::TargetArgs;
use crate::options::threads::{ThreadList, thread_list};
use crate::options::tpcc::TpccArgs;
use crate::options::workload::{Choice, WorkloadArgs, WorkloadName};
use crate::{output, spec};

/// Arguments of `doctor`.
#[derive(Args)]
pub struct DoctorArgs {
    /// Servers, written as for --target
    #[arg(value_name = "TARGET")]
    named: Vec<String>,
    /// Judge it for this workload too: what the load needs against what server and machine allow
    #[arg(long = "for", value_name = "WORKLOAD", value_parser = WorkloadName, help_heading = "Planned load")]
    workload: Option<Choice>,
    /// Clients of the planned load; the largest number counts
    #[arg(long, value_name = "LIST", value_parser = thread_list, help_heading = "Planned load")]
    threads: Option<ThreadList>,
    /// Form of the note
    #[arg(long, default_value = "text", help_heading = "Note")]
    format: NoteFormat,
    /// Every piece of advice with its reasons, cost and manual page, also those of low severity
    #[arg(long, help_heading = "Note")]
    full: bool,
    #[command(flatten)]
    #[allow(missing_docs)]
    targets: TargetArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    connection: ConnectionArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    data: WorkloadArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    tpcc: TpccArgs,
}

/// Forms of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum NoteFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Clients that are assumed where a workload is named and no number.
const CLIENTS: u32 = 64;

/// Examines every target. Advice is no failure: only a server that cannot be asked is.
pub fn doctor(request: &Request, args: &DoctorArgs) -> Outcome<Exit> {
    let surroundings = Surroundings::new(request);
    let mut wanted = args.targets.clone();
    wanted.target.extend(args.named.iter().cloned());
    let targets =
        surroundings.with_context(|context| spec::targets(&wanted, &args.connection, "", context))?;
    let home = surroundings.home_for(&targets.list)?;
    let plan = args.plan()?;
    let mut notes = Vec::new();
    for one in &targets.list {
        let label = &one.target.label;
        let note = match &one.target.kind {
            TargetKind::Server(endpoint) => {
                let connect = runner::connect_options(endpoint, targets.passwords.get(label));
                let connect = ConnectOptions { database: None, init_commands: Vec::new(), ..connect };
                plan.look(label, &connect, place(endpoint))
            }
            TargetKind::Sandbox(sandbox) => {
                let home = home.expect("a home is opened for sandboxes");
                in_sandbox(home, label, sandbox, |connect| plan.look(label, connect, Place::Here))
            }
        };
        notes.push(note.map_err(|error| error.about(label))?);
    }
    output::print(&match args.format {
        NoteFormat::Text => notes.iter().map(|note| note.text(args.full)).collect::<Vec<_>>().join("\n"),
        NoteFormat::Json => note::json(&notes),
    })?;
    Ok(Exit::Ok)
}

impl DoctorArgs {
    fn plan(&self) -> Outcome<Plan> {
        let workload = self.workload.map(|choice| self.data.spec(choice, &self.tpcc)).transpose()?;
        let most = self.threads.as_ref().and_then(|list| list.0.iter().copied().max());
        Ok(Plan { clients: u64::from(most.unwrap_or(CLIENTS)), said: most.is_some(), workload })
    }
}

/// A load that is planned.
struct Plan {
    clients: u64,
    said: bool,
    workload: Option<WorkloadSpec>,
}

/// Where a server may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// On this machine.
    Here,
    /// On this machine, unless an address of it leads elsewhere (a tunnel, a container).
    Perhaps,
    /// Elsewhere.
    Elsewhere,
}

fn place(endpoint: &Endpoint) -> Place {
    match &endpoint.address {
        Address::Socket(_) => Place::Perhaps,
        Address::Tcp { host, .. } => {
            let loops = host.eq_ignore_ascii_case("localhost")
                || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
            if loops { Place::Perhaps } else { Place::Elsewhere }
        }
    }
}

fn in_sandbox(
    home: &sandbox::Home,
    label: &str,
    spec: &SandboxSpec,
    act: impl FnOnce(&ConnectOptions) -> Outcome<Note>,
) -> Outcome<Note> {
    let plain = label.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(24);
    let name = format!("doctor-{}-{}", plain.collect::<String>(), std::process::id());
    let server = home.start(&StartOptions::new(&name, spec)).map_err(|error| UserError::told(&error))?;
    let found = act(&server.connect_options(None));
    let stopped = server.stop().map_err(|error| UserError::told(&error));
    found.and_then(|found| stopped.map(|_| found))
}

impl Plan {
    fn look(&self, label: &str, connect: &ConnectOptions, place: Place) -> Outcome<Note> {
        let mut client = Client::connect(connect).map_err(|error| UserError::from(&error))?;
        let seen = probe::examine(&mut client).map_err(|error| UserError::told(&error))?;
        let host = probe::host_facts();
        let is_here = match place {
            Place::Here => true,
            Place::Perhaps => seen.variables.get("hostname").is_some_and(|name| *name == host.hostname),
            Place::Elsewhere => false,
        };
        let host: Option<&HostFacts> = is_here.then_some(&host);
        let today = today();
        let needs = self.workload.as_ref().map(|workload| {
            let what = format!("planned {}", workload_name(workload));
            (what, runner::needs("load", std::slice::from_ref(workload), self.clients))
        });
        let planned = match (&self.workload, &needs) {
            (Some(workload), Some((_, needs))) => {
                Some(Planned { clients: self.clients, tables: needs.tables, writes: workload.writes() })
            }
            _ => self.said.then_some(Planned { clients: self.clients, tables: 1, writes: false }),
        };
        let patient = Patient { seen: &seen, host, planned, today: Some(&today) };
        let mut advice = Vec::new();
        let bare = probe::Needs { what: "load", clients: self.clients, statements_per_client: 0, tables: 1 };
        if planned.is_some() {
            let needs = needs.as_ref().map_or(bare, |(_, needs)| *needs);
            advice.extend(preflight(label, &mut client, &needs, &patient));
        }
        advice.extend(doctor::examine(&patient));
        advice.sort_by_key(|one| one.severity);
        Ok(Note::new(
            label,
            &patient,
            advice,
            needs.map(|(what, _)| format!("{what} with {} clients", self.clients)),
        ))
    }
}

fn workload_name(workload: &WorkloadSpec) -> &'static str {
    match workload {
        WorkloadSpec::Sysbench(options) => options.workload.name(),
        WorkloadSpec::Tpcc(_) => "tpcc",
    }
}

/// What would fail once the clients connect: a figure that was measured so would mean nothing. What would only be slower,
/// the rules say themselves.
fn preflight(
    label: &str,
    client: &mut Client,
    needs: &probe::Needs<'_>,
    patient: &Patient<'_>,
) -> Vec<Advice> {
    let Ok(limits) = probe::limits(client) else { return Vec::new() };
    probe::preflight(label, &limits, &probe::own_limits(), needs)
        .into_iter()
        .filter(|finding| finding.gravity == probe::Gravity::Fails)
        .map(|finding| Advice {
            id: "preflight".to_owned(),
            severity: Severity::High,
            evidence: finding.sentence,
            why: "clients of the planned load would be refused, or fail while they work".to_owned(),
            action: finding.hints.first().cloned().unwrap_or_default(),
            cost: "memory on the server for what is allowed".to_owned(),
            manual: doctor::limits_manual(patient),
        })
        .collect()
}

/// Today in UTC, as `2026-05-01`.
fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date(since.as_secs() / 86_400)
}

/// The Gregorian date so many days after 1970-01-01 (Howard Hinnant, chrono-Compatible Low-Level Date Algorithms).
fn date(days: u64) -> String {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let of_era = shifted % 146_097;
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_become_dates() {
        assert_eq!(
            [0, 59, 11_016, 20_574].map(date),
            ["1970-01-01", "1970-03-01", "2000-02-29", "2026-05-01"]
        );
    }
}
