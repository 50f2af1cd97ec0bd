//! `mydyno doctor`: one look at each server, and a note about it.
//!
//! It only reads. A sandbox is started empty, with its settings, and stopped again. With `--prove` the recommendations for a
//! sandbox are tried.

mod note;
mod proof;

use clap::{Args, ValueEnum};
use knowledge::doctor::{self, Examined, Planned, Recommendation, RecommendationSeverity, Runs};
use messages::message;
use model::{Examination, SpecTarget, Target, WorkloadSpec};
use wire::{Client, ConnectOptions};

use self::note::Note;
use self::proof::ProofArgs;
use super::surroundings::Surroundings;
use super::visit::{Place, visit};
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::given::Given;
use crate::options::connection::ConnectionArgs;
use crate::options::flags::{self, Clients, Flags};
use crate::options::output::{Lang, ResultsArgs};
use crate::options::target::TargetArgs;
use crate::options::workload::WorkloadName;
use crate::{output, resolve};

/// Arguments of `doctor`.
#[derive(Args)]
pub struct DoctorArgs {
    /// Servers to diagnose, written as for --target
    #[arg(value_name = "TARGET")]
    named: Vec<String>,
    /// Check the limits of server and machine for this planned workload
    #[arg(long = "for", value_name = "WORKLOAD", value_parser = WorkloadName, help_heading = "Planned load")]
    workload: Option<spec::NamedWorkload>,
    /// Client counts of the planned load; the largest one counts
    #[arg(long, value_name = "LIST", value_parser = flags::clients, help_heading = "Planned load")]
    pub threads: Option<Clients>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub proof: ProofArgs,
    /// Output format
    #[arg(long, default_value = "text", help_heading = "Note")]
    pub format: NoteFormat,
    /// Show reason, cost and manual page of every recommendation, also of low severity
    #[arg(long, help_heading = "Note")]
    pub full: bool,
    /// Language of the output
    #[arg(long, default_value = "en", help_heading = "Note")]
    pub lang: Lang,
    #[command(flatten)]
    #[allow(missing_docs)]
    targets: TargetArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub connection: ConnectionArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub data: Flags<flags::Workload>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub tpcc: Flags<flags::Tpcc>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub results: ResultsArgs,
}

/// Forms of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NoteFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Clients that are assumed where a workload is named and no number.
const CLIENTS: u32 = 64;

/// Examines every target. Advice is no failure: only a server that cannot be asked is.
pub fn doctor(given: &Given, args: &DoctorArgs) -> Outcome<Exit> {
    let found = examined(given, args, |_| Ok(()))?;
    let notes: Vec<Note> = found.servers.into_iter().map(|(note, _)| note).collect();
    let lang = args.lang.of_report();
    output::print(&match args.format {
        NoteFormat::Text => {
            notes.iter().map(|note| note.text(args.full, lang)).collect::<Vec<_>>().join("\n")
        }
        NoteFormat::Json => note::json(&notes),
    })?;
    Ok(Exit::Ok)
}

/// Targets, and what was found out about each of their servers.
pub struct ExaminedTargets {
    /// The targets, in the order in which they were named.
    pub targets: Vec<SpecTarget>,
    /// The note about each server, and what the server said of itself.
    pub servers: Vec<(Note, Examination)>,
}

/// Looks at the server of every target. `check` may refuse the targets before a server is asked.
pub fn examined(
    given: &Given,
    args: &DoctorArgs,
    check: impl Fn(&[SpecTarget]) -> Outcome<()>,
) -> Outcome<ExaminedTargets> {
    let surroundings = Surroundings::new(given);
    let mut wanted = args.targets.clone();
    wanted.target.extend(args.named.iter().cloned());
    let targets =
        surroundings.with_context(|context| resolve::targets(&wanted, &args.connection, "", context))?;
    check(&targets.list)?;
    super::unrestored::warn(targets.list.iter().map(|one| &one.target), &args.results.results, None);
    let home = surroundings.home_for(&targets.list)?;
    let plan = args.plan()?;
    let mut seen = Vec::new();
    for server in targets.list.iter().flat_map(|one| one.target.split()) {
        let look = |connect: &ConnectOptions, place| plan.look(&server, connect, place);
        seen.push(visit(home, "doctor", &server, &targets.passwords, look)?);
    }
    Ok(ExaminedTargets { targets: targets.list, servers: seen })
}

impl DoctorArgs {
    fn plan(&self) -> Outcome<Plan> {
        let values = flags::values([self.data.as_ref(), self.tpcc.as_ref()]);
        let named = self.workload.as_ref().or(self.proof.prove.as_ref());
        let workload = named.map(|workload| spec::options(workload, &values)).transpose()?;
        let most = self.threads.as_ref().and_then(|list| list.0.iter().copied().max());
        // Recommendations are tried with few clients, unless the user says how many.
        let usual = if self.proof.prove.is_some() { spec::PROOF_DEFAULTS.clients[0] } else { CLIENTS };
        Ok(Plan { clients: u64::from(most.unwrap_or(usual)), said: most.is_some(), workload })
    }
}

/// A load that is planned.
struct Plan {
    clients: u64,
    said: bool,
    workload: Option<WorkloadSpec>,
}

impl Plan {
    fn look(&self, target: &Target, connect: &ConnectOptions, place: Place) -> Outcome<(Note, Examination)> {
        let label = &target.label;
        let mut client = Client::connect(connect).map_err(|error| UserError::from(&error))?;
        let seen = probe::examine(&mut client).map_err(|error| UserError::told(&error))?;
        let machine = place.machine(target, &seen);
        let host = machine.as_ref();
        let today = today();
        let needs = self.workload.as_ref().map(|workload| {
            let what = format!("planned {}", workload.name());
            (what, runner::needs("load", std::slice::from_ref(workload), self.clients))
        });
        let planned = match (&self.workload, &needs) {
            (Some(workload), Some((_, needs))) => {
                Some(Planned { clients: self.clients, tables: needs.tables, writes: workload.writes() })
            }
            _ => self.said.then_some(Planned { clients: self.clients, tables: 1, writes: false }),
        };
        let runs = if target.is_sandbox() { Runs::Sandbox } else { Runs::User };
        let examined = Examined { seen: &seen, host, planned, measured: None, today: Some(&today), runs };
        let mut advice = Vec::new();
        let bare = probe::Needs { what: "load", clients: self.clients, statements_per_client: 0, tables: 1 };
        if planned.is_some() {
            let needs = needs.as_ref().map_or(bare, |(_, needs)| *needs);
            advice.extend(preflight(label, &mut client, &needs, &examined));
        }
        advice.extend(doctor::examine(&examined));
        advice.sort_by_key(|one| one.severity);
        let note = Note::new(
            label,
            &examined,
            advice,
            needs.map(|(what, _)| format!("{what} with {} clients", self.clients)),
        );
        Ok((note, seen))
    }
}

/// What would fail once the clients connect: a figure that was measured so would mean nothing. What would only be slower,
/// the rules say themselves.
fn preflight(
    label: &str,
    client: &mut Client,
    needs: &probe::Needs<'_>,
    examined: &Examined<'_>,
) -> Vec<Recommendation> {
    let Ok(limits) = probe::limits(client) else { return Vec::new() };
    probe::preflight(label, &limits, &probe::own_limits(), needs)
        .into_iter()
        .filter(|finding| finding.severity == probe::LimitSeverity::Fails)
        .map(|finding| {
            let texts = [
                finding.sentence.into(),
                message!("limits-why"),
                finding.advice.first().map(crate::advice::line).unwrap_or_default().into(),
                message!("limits-cost"),
            ];
            Recommendation::new(
                "preflight",
                RecommendationSeverity::High,
                texts,
                doctor::limits_manual(examined),
            )
        })
        .collect()
}

/// Today in UTC, as `2026-05-01`.
fn today() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string()
}
