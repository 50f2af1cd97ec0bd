//! Completions and the manual page, made from the definitions of the command line.

use crate::cli::{self, CompletionsArgs};
use crate::error::{Outcome, UserError};
use crate::exit::Exit;
use crate::output;

const ENVIRONMENT: &[(&str, &str)] = &[
    (
        "MYSQL_HOST, MYSQL_TCP_PORT, MYSQL_PWD",
        "as for the mysql client; weaker than options and option files",
    ),
    ("MYDYNO_HOME", "directory of sandboxed servers and kept data; ~/.local/share/mydyno without it"),
    ("XDG_DATA_HOME", "used for that directory in place of ~/.local/share"),
];

const FILES: &[(&str, &str)] = &[
    (
        "/etc/my.cnf, /etc/mysql/my.cnf, ~/.my.cnf",
        "option files, groups [client] and [mydyno], read in this order",
    ),
    ("results/", "recorded runs, one directory each; index.sqlite beside them may be deleted"),
];

/// Prints the completions of a shell.
pub fn completions(args: &CompletionsArgs) -> Outcome<Exit> {
    let mut bytes = Vec::new();
    clap_complete::generate(args.shell, &mut cli::command(), "mydyno", &mut bytes);
    output::print(&String::from_utf8_lossy(&bytes))?;
    Ok(Exit::Ok)
}

/// Prints the manual page: the program, then every verb, then what is around it.
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
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
        let mut options = Vec::new();
        clap_mangen::Man::new(verb.clone()).render_options_section(&mut options)?;
        // One page for all verbs: each section of options is named after its verb.
        let named = format!("OPTIONS OF {}", verb.get_name().to_uppercase());
        text.push_str(&String::from_utf8_lossy(&options).replacen("OPTIONS", &quoted(&named), 1));
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

fn about(verb: &clap::Command) -> String {
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
