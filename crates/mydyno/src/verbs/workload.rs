//! `mydyno workload`: the workloads that can be named, and those in files.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use messages::number::{counted, thousands};
use model::{
    DataSet, LuaOptions, StatementText, StatementsOptions, TransactionDefinition, Workload, WorkloadSpec,
    draw_named,
};
use random::{DrawAt, Drawn, Rng};
use runner::Proof;
use spec::NamedWorkload;
use wire::{Client, ConnectOptions};

use super::data::Work;
use super::each_target::{self, Place};
use super::table::{Align, printable, table};
use crate::cli::{CallArgs, DataArgs};
use crate::display::Notices;
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::given::Given;
use crate::options::workload::in_file;
use crate::output;
use crate::signals;

/// Lists the workloads.
pub fn list() -> Outcome<Exit> {
    let row = |one: NamedWorkload| {
        let kind = if one.file().is_some() { "file" } else { "built in" };
        vec![one.name().to_owned(), kind.to_owned(), one.summary().to_owned()]
    };
    let columns = [("workload", Align::Left), ("", Align::Left), ("summary", Align::Left)];
    output::print(&table(&columns, &NamedWorkload::all().map(row).collect::<Vec<_>>()))?;
    output::note(
        "a file of your own: mydyno workload new FILE.toml    one of mydyno's: mydyno workload show ycsb_a",
    );
    Ok(Exit::Ok)
}

/// Prints the file of a workload.
pub fn show(name: &str) -> Outcome<Exit> {
    let text = match NamedWorkload::text_of(&name.replace('-', "_")) {
        Some(text) => text.to_owned(),
        None if NamedWorkload::from_name(&name.replace('-', "_")).is_some() => {
            return Err(UserError::usage(format!("{name} is built in: there is no file to show"))
                .hint("those with a file are listed by: mydyno workload list"));
        }
        None => {
            in_file(name)?;
            std::fs::read_to_string(name)
                .map_err(|error| UserError::usage(format!("{name} cannot be read: {error}")))?
        }
    };
    output::print(text.trim_end()).map(|()| Exit::Ok)
}

/// The file to start from.
const TEMPLATE: &str = include_str!("workload_template.toml");

/// Writes a file to start from; never over another.
pub fn new(file: &Path) -> Outcome<Exit> {
    use std::io::Write;
    let name = file.display();
    let failed = |error: std::io::Error| UserError::failed(format!("{name} cannot be written: {error}"));
    let mut created = std::fs::File::create_new(file).map_err(failed)?;
    created.write_all(TEMPLATE.as_bytes()).map_err(failed)?;
    output::print(&format!(
        "{name} is written; edit it, then: mydyno workload check {name} --target sandbox:mysql"
    ))?;
    Ok(Exit::Ok)
}

/// Checks a file: its form, its values, and its statements on a server.
pub fn check(given: &Given, args: &DataArgs) -> Outcome<Exit> {
    let workload = spec::options(&args.workload, &args.values())?;
    if let WorkloadSpec::Lua(options) = &workload {
        return check_script(options);
    }
    let WorkloadSpec::Statements(options) = &workload else {
        return Err(UserError::usage(format!(
            "{} is built in: there is nothing to check",
            args.workload.name()
        ))
        .hint("its tables are checked by: mydyno check"));
    };
    output::print(&summary(options))?;
    for transaction in &options.file.transactions {
        if let Some(values) = samples(options, transaction)? {
            output::print(&format!("\nvalues of {}\n{}", transaction.name, values.trim_end()))?;
        }
    }
    let work = Work::new(args, signals::listen(Notices::plain())?)?;
    let mut wrong = 0;
    let visited =
        each_target::each(given, args, Some(&work.sandbox_data(Proof::Counted)), &mut |label, place| {
            let (Place::Server(connect) | Place::Sandbox(connect, _)) = place;
            wrong += on_server(label, connect, &workload, options)?;
            Ok(())
        })?;
    match wrong {
        0 => Ok(visited),
        wrong => Err(UserError {
            exit: Exit::Gate,
            ..UserError::failed(format!("{} cannot be prepared", counted(wrong, "statement")))
        }),
    }
}

/// Shows what a script has.
fn check_script(options: &LuaOptions) -> Outcome<Exit> {
    let script = &options.script;
    let Some(DataSet::Lua(data)) = options.data_set(1) else { return Ok(Exit::Ok) };
    let commands = match data::lua_commands(&data)? {
        None => "known to a server only, since the script connects while it is loaded".to_owned(),
        Some(all) => all.into_iter().map(|one| one.name).collect::<Vec<_>>().join(", "),
    };
    output::print(&format!(
        "{}: script with the Lua interface of sysbench {}\ncommands: {commands}",
        script.name(),
        options.dialect.name()
    ))?;
    if !script.modules.is_empty() {
        let names: Vec<&str> = script.modules.keys().map(String::as_str).collect();
        output::print(&format!("it loads: {}", names.join(", ")))?;
    }
    let said = Mutex::new(String::new());
    let say = |text: &str| said.lock().expect("nobody panics here").push_str(text);
    data::run_lua_command(None, &data, "help", (1, 1), &AtomicBool::new(false), &say)?;
    output::print(said.into_inner().expect("nobody panics here").trim_end())?;
    Ok(Exit::Ok)
}

/// Runs a command of a script.
pub fn call(given: &Given, args: &CallArgs) -> Outcome<Exit> {
    let name = args.data.workload.name();
    let workload = spec::options(&args.data.workload, &args.data.values())?;
    let Some(DataSet::Lua(data)) = workload.data_set(1) else {
        return Err(UserError::usage(format!(
            "{name} is no Lua script, and only these have commands of their own"
        )));
    };
    let values = args.data.values();
    let clients = spec::clients(&values, spec::RUN).into_iter().max().unwrap_or(1);
    let seed = spec::seed_of(&values, 1);
    let cancel = signals::listen(Notices::plain())?;
    each_target::each(given, &args.data, None, &mut |label, place| {
        let (Place::Server(connect) | Place::Sandbox(connect, _)) = place;
        let say = |text: &str| output::note(text.trim_end());
        match data::run_lua_command(Some(connect), &data, &args.command, (clients, seed), &cancel, &say)? {
            true => output::print(&format!("{label}: {name} finished its command {}", args.command)),
            false => Err(UserError::usage(format!("{name} has no command {}", args.command))
                .hint(format!("those that it has: mydyno workload check {}", data.script.path))),
        }
    })
}

fn summary(options: &StatementsOptions) -> String {
    let file = &options.file;
    let statements = file.transactions.iter().map(|one| one.statements.len() as u64).sum();
    let rows: u64 = file.tables.iter().map(|one| one.rows_at(options.scale)).sum();
    let tables = match file.tables.len() as u64 {
        0 => "your tables".to_owned(),
        tables => format!("{} with {} rows", counted(tables, "table"), thousands(rows)),
    };
    let transactions = counted(file.transactions.len() as u64, "transaction");
    format!("{}: {transactions}, {}, {tables}", file.name, counted(statements, "statement"))
}

/// How many values are shown.
const SHOWN: u64 = 10;
/// The longest value that is shown whole.
const WIDTH: usize = 40;

/// Values of the parameters of a transaction, as a table.
fn samples(options: &StatementsOptions, transaction: &TransactionDefinition) -> Outcome<Option<String>> {
    let sizes = options.file.sizes(options.scale);
    let find = |name: &str| transaction.values.get(name).or_else(|| options.file.values.get(name));
    let mut names: Vec<String> = Vec::new();
    for statement in &transaction.statements {
        let text = StatementText::parse(&statement.sql).map_err(UserError::usage)?;
        for name in text.names {
            if find(&name).is_some() && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    if names.is_empty() {
        return Ok(None);
    }
    let mut rng = Rng::from_seed(1);
    let mut rows = Vec::new();
    for number in 0..SHOWN {
        let at = DrawAt { number, client: 1 };
        let drawn = draw_named(&names, find, &sizes, &mut rng, at).map_err(UserError::usage)?;
        let cell =
            |name: &String| drawn.get(name).map_or_else(String::new, |(drawn, text)| shown(*drawn, text));
        rows.push(names.iter().map(cell).collect::<Vec<_>>());
    }
    let columns: Vec<(&str, Align)> = names.iter().map(|name| (name.as_str(), Align::Left)).collect();
    Ok(Some(table(&columns, &rows)))
}

fn shown(drawn: Drawn, value: &[u8]) -> String {
    match drawn {
        Drawn::Null => "NULL".to_owned(),
        Drawn::Int(value) => value.to_string(),
        Drawn::Bytes => format!("{} bytes", value.len()),
        Drawn::Decimal | Drawn::Text => {
            let text = printable(&String::from_utf8_lossy(value));
            match text.chars().count() > WIDTH {
                true => format!(
                    "{}... ({} characters)",
                    text.chars().take(WIDTH).collect::<String>(),
                    text.chars().count()
                ),
                false => text,
            }
        }
    }
}

/// A full scan of fewer rows is nothing to speak of.
const SCANNED_MIN: f64 = 1_000.0;

/// Prepares and explains the statements. Returns how many the server refused.
fn on_server(
    label: &str,
    connect: &ConnectOptions,
    workload: &WorkloadSpec,
    options: &StatementsOptions,
) -> Outcome<u64> {
    let mut client = Client::connect(connect).map_err(|error| UserError::from(&error).about(label))?;
    let mut refused = 0;
    let mut prepared = 0u64;
    for transaction in &options.file.transactions {
        for (at, statement) in transaction.statements.iter().enumerate() {
            let text = StatementText::parse(&statement.sql).map_err(UserError::usage)?;
            match client.prepare(&text.template()) {
                Ok(made) => {
                    prepared += 1;
                    client.close_statement(made).map_err(|error| UserError::failed(error.to_string()))?;
                }
                Err(error) => {
                    refused += 1;
                    output::note(&format!("! {label}: {}: {error}", transaction.statement_name(at)));
                }
            }
        }
    }
    output::print(&format!("\n{label}: {} prepared", counted(prepared, "statement")))?;
    if refused > 0 {
        return Ok(refused);
    }
    let plans = probe::plans(&mut client, &runner::explained(workload));
    let plans = plans.map_err(|error| UserError::failed(error.to_string()).about(label))?;
    let mut rows = Vec::new();
    for plan in &plans {
        if let Some(why) = &plan.error {
            output::note(&format!("! {label}: {} cannot be explained: {why}", plan.operation));
        }
        for step in &plan.steps {
            let examined = step.actual_rows.unwrap_or(step.rows);
            let key = if step.key.is_empty() { "-" } else { step.key.as_str() };
            rows.push(
                [&plan.operation, &step.table, &step.access, key, &thousands(examined.round() as u64)]
                    .map(|cell: &str| cell.to_owned())
                    .to_vec(),
            );
            if step.access.eq_ignore_ascii_case("ALL") && examined >= SCANNED_MIN {
                output::note(&format!(
                    "! {label}: {} scans all of {} ({} rows) on each execution; an index may be missing",
                    plan.operation,
                    step.table,
                    thousands(examined.round() as u64)
                ));
            }
        }
    }
    let columns = [
        ("statement", Align::Left),
        ("table", Align::Left),
        ("access", Align::Left),
        ("key", Align::Left),
        ("rows", Align::Right),
    ];
    if !rows.is_empty() {
        output::print(table(&columns, &rows).trim_end())?;
    }
    Ok(0)
}
