//! `mydyno diff`: the differences between servers, between recordings, or between the two.
//!
//! It only reads. The answer comes first: whether commits have the same durability on all of them.

mod column;
mod comparison;
mod markdown;
mod named;
mod text;
mod texts;

use clap::{Args, ValueEnum};
use wire::Client;

use self::column::Column;
use self::comparison::Comparison;
use self::named::Named;
use super::surroundings::Surroundings;
use super::visit::visit;
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::given::Given;
use crate::options::connection::ConnectionArgs;
use crate::options::output::{Lang, ResultsArgs};
use crate::options::target::TargetArgs;
use crate::options::workload::WorkloadName;
use crate::output;
use crate::resolve::{self, Targets};

/// Arguments of `diff`.
#[derive(Args)]
pub struct DiffArgs {
    /// Servers as for --target (mysql://user@db1, NAME=sandbox:mysql?sync_binlog=0), and recordings (id, unique prefix,
    /// directory, latest); RECORDING:TARGET selects one target of a recording
    #[arg(value_name = "SERVER|RECORDING", required = true)]
    named: Vec<String>,
    /// Set a server variable of sandboxes (repeatable; applies to all unless NAME: is given)
    #[arg(long, value_name = "[NAME:]VARIABLE=VALUE")]
    set: Vec<String>,
    /// Judge the differences for this workload [default: that of the recordings]
    #[arg(long, value_name = "WORKLOAD", value_parser = WorkloadName, help_heading = "Output")]
    workload: Option<spec::NamedWorkload>,
    /// Include variables of little effect, and those that only one server has
    #[arg(long, help_heading = "Output")]
    all: bool,
    /// Output format
    #[arg(long, default_value = "text", help_heading = "Output")]
    format: DiffFormat,
    /// Language of the output
    #[arg(long, default_value = "en", help_heading = "Output")]
    lang: Lang,
    #[command(flatten)]
    #[allow(missing_docs)]
    results: ResultsArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    connection: ConnectionArgs,
}

/// Forms of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// Tables for a page.
    Markdown,
}

/// Compares the arguments. Differences are no failure: only unreadable arguments are.
pub fn diff(given: &Given, args: &DiffArgs) -> Outcome<Exit> {
    let named =
        args.named.iter().map(|text| Named::read(text, &args.results)).collect::<Outcome<Vec<_>>>()?;
    let recorded = named.iter().flat_map(Named::columns).count();
    let servers: Vec<String> = named.iter().filter_map(Named::server).collect();
    let count = |text: &String| spec::target(text).map_or(1, |target| target.servers.len());
    if recorded + servers.iter().map(count).sum::<usize>() < 2 {
        return Err(UserError::usage("diff needs a second server or recording").hint(
            "for example: mydyno diff sandbox:mysql sandbox:mariadb, or mydyno diff latest mysql://user@db1",
        ));
    }
    let mut live = look(given, args, servers)?.into_iter();
    let mut columns = Vec::new();
    let mut workloads = Vec::new();
    for one in named {
        match one {
            Named::Server(_) => columns.extend(live.next().into_iter().flatten()),
            Named::Run { columns: of_run, workloads: own } => {
                columns.extend(of_run);
                workloads.extend(own);
            }
        }
    }
    column::make_labels_unique(&mut columns);
    let load = comparison::Load::new(args.workload.as_ref(), &workloads);
    let comparison = Comparison::new(columns, load);
    let lang = args.lang.of_report();
    output::print(&match args.format {
        DiffFormat::Text => text::text(&comparison, lang, args.all),
        DiffFormat::Json => comparison.json(),
        DiffFormat::Markdown => markdown::markdown(&comparison, lang, args.all),
    })?;
    Ok(Exit::Ok)
}

/// Looks at every server, in the order given: at all servers of each target.
fn look(given: &Given, args: &DiffArgs, servers: Vec<String>) -> Outcome<Vec<Vec<Column>>> {
    if servers.is_empty() {
        return match args.set.as_slice() {
            [] => Ok(Vec::new()),
            _ => Err(UserError::usage("--set sets variables of sandboxes, and none is named")),
        };
    }
    let surroundings = Surroundings::new(given);
    let wanted = TargetArgs { target: servers, set: args.set.clone(), instance: Vec::new() };
    let targets: Targets =
        surroundings.with_context(|context| resolve::targets(&wanted, &args.connection, "", context))?;
    super::unrestored::warn(targets.list.iter().map(|one| &one.target), &args.results.results, None);
    let home = surroundings.home_for(&targets.list)?;
    let see = |server: model::Target| {
        visit(home, "diff", &server, &targets.passwords, |connect, place| {
            let mut client = Client::connect(connect).map_err(|error| UserError::from(&error))?;
            let seen = probe::examine(&mut client).map_err(|error| UserError::told(&error))?;
            let host = place.machine(&server, &seen);
            Ok(Column::seen(&server, seen, host))
        })
    };
    targets.list.iter().map(|one| one.target.split().map(see).collect()).collect()
}
