//! Completions and the manual page, made from the definitions of the command line.

use std::collections::BTreeSet;

use clap::{Arg, Command};

use crate::cli::{self, CompletionsArgs};
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::output;

/// Environment variables that are read.
pub const ENVIRONMENT: &[(&str, &str)] = &[
    (
        "MYSQL_HOST, MYSQL_TCP_PORT, MYSQL_PWD",
        "host, port and password, as for the mysql client; option files and options override them",
    ),
    ("MYDYNO_HOME", "directory of sandboxed servers and dataset snapshots [~/.local/share/mydyno]"),
    ("XDG_DATA_HOME", "parent of that directory if MYDYNO_HOME is not set [~/.local/share]"),
    ("USER, LOGNAME", "account if neither option nor option file names one; the superuser is root"),
    ("TERM", "dumb: one line per trial instead of the progress display"),
    ("LC_ALL, LC_CTYPE, LANG", "block characters in the progress display only in a UTF-8 locale"),
];

/// Files that are read and written.
pub const FILES: &[(&str, &str)] = &[
    (
        "/etc/my.cnf, /etc/mysql/my.cnf, ~/.my.cnf",
        "option files, groups [client] and [mydyno], read in this order",
    ),
    ("results/", "recordings, one directory each"),
];

/// Prints the completions of a shell.
pub fn completions(args: &CompletionsArgs) -> Outcome<Exit> {
    let mut bytes = Vec::new();
    clap_complete::generate(args.shell, &mut cli::command(), "mydyno", &mut bytes);
    output::print(&String::from_utf8_lossy(&bytes))?;
    Ok(Exit::Ok)
}

/// Prints the manual page: the program, then verbs and options, then the environment.
pub fn man() -> Outcome<Exit> {
    output::print(
        &page().map_err(|error| UserError::failed(format!("cannot make the manual page: {error}")))?,
    )?;
    Ok(Exit::Ok)
}

fn page() -> std::io::Result<String> {
    let mut bytes = Vec::new();
    let mut command = cli::command();
    command.build();
    let man = clap_mangen::Man::new(command.clone());
    man.render_title(&mut bytes)?;
    man.render_name_section(&mut bytes)?;
    man.render_synopsis_section(&mut bytes)?;
    man.render_description_section(&mut bytes)?;
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    text.push_str(&section("VERBS", command.get_subcommands().map(|verb| (verb.get_name(), about(verb)))));
    for (heading, entries) in options(&command) {
        text.push_str(&section(&heading.to_uppercase(), entries));
    }
    let exits = Exit::ALL.map(|exit| (exit.code().to_string(), exit.meaning().to_owned()));
    text.push_str(&section("EXIT STATUS", exits));
    text.push_str(&section(
        "ENVIRONMENT",
        ENVIRONMENT.iter().map(|(name, what)| (*name, (*what).to_owned())),
    ));
    text.push_str(&section("FILES", FILES.iter().map(|(name, what)| (*name, (*what).to_owned()))));
    Ok(text)
}

/// Names and explanations of options under one heading.
type Entries = Vec<(String, String)>;

/// Every option once, under its heading, in the order of the first verb that has it. Arguments without a heading go
/// under their verb.
fn options(command: &Command) -> Vec<(String, Entries)> {
    let mut headings: Vec<(String, Entries)> = Vec::new();
    let mut seen = BTreeSet::new();
    let actions = |verb: &Command| -> Vec<(String, Command)> {
        let name = verb.get_name().to_owned();
        let nested = verb.get_subcommands().map(|it| (format!("{name} {}", it.get_name()), it.clone()));
        std::iter::once((name.clone(), verb.clone())).chain(nested).collect()
    };
    for (name, verb) in command.get_subcommands().flat_map(actions) {
        for arg in verb.get_arguments().filter(|arg| !arg.is_hide_set()) {
            let heading =
                arg.get_help_heading().map_or_else(|| format!("Arguments of {name}"), str::to_owned);
            if !seen.insert((heading.clone(), arg.get_id().to_string())) {
                continue;
            }
            let entry = (arg_name(arg), explanation(arg));
            match headings.iter_mut().find(|(known, _)| *known == heading) {
                Some((_, entries)) => entries.push(entry),
                None => headings.push((heading, vec![entry])),
            }
        }
    }
    // What every verb has comes last.
    headings.sort_by_key(|(heading, _)| heading == cli::COMMON);
    headings
}

/// `-h, --host <HOST>`.
fn arg_name(arg: &Arg) -> String {
    match arg.get_short() {
        Some(short) if arg.get_long().is_some() => format!("-{short}, {arg}"),
        _ => arg.to_string(),
    }
}

fn explanation(arg: &Arg) -> String {
    let mut text = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if !defaults.is_empty() && !arg.is_hide_default_value_set() {
        text.push_str(&format!(" [default: {}]", defaults.join(",")));
    }
    let possible: Vec<_> =
        arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    if !possible.is_empty() {
        text.push_str(&format!(" [possible values: {}]", possible.join(", ")));
    }
    text
}

fn about(verb: &Command) -> String {
    verb.get_about().map(ToString::to_string).unwrap_or_default()
}

fn section<Name: AsRef<str>>(title: &str, entries: impl IntoIterator<Item = (Name, String)>) -> String {
    let mut text = format!(".SH {}\n", quoted(title));
    for (name, what) in entries {
        text.push_str(&format!(".TP\n\\fB{}\\fR\n{}\n", escaped(name.as_ref()), escaped(&what)));
    }
    text
}

fn quoted(title: &str) -> String {
    format!("\"{title}\"")
}

/// roff reads `-` as a hyphen, and a line that begins with `.` as a request.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}
