//! The pages of docs/reference, written from the tables that the program itself uses, and held to them.
//!
//! Written anew with `MYDYNO_UPDATE=1 cargo test -p mydyno reference`. One function per page.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use analysis::{Severity, caveat};
use clap::{Arg, Command};
use knowledge::doctor;
use knowledge::variables::{self, Entry, Group, VariableDefault};
use model::Flavour;

use crate::exit::Exit;
use crate::experiment::{self, CATALOGUE};
use crate::verbs::texts;
use crate::{cli, metrics};

const GENERATED: &str = "<!-- Generated from the program's tables. Update: MYDYNO_UPDATE=1 cargo test -p mydyno reference -->\n\n";

/// File, title, the question it answers, and its text.
type Page = (&'static str, &'static str, &'static str, fn() -> String);

const PAGES: &[Page] = &[
    ("commands.md", "Commands and options", "every verb with its options and defaults", commands),
    (
        "specification.md",
        "Specification",
        "every option of a file for `mydyno run`, by section",
        specification,
    ),
    ("experiments.md", "Experiments", "the catalogue", experiments),
    ("exit-codes.md", "Exit codes", "what a script can rely on", exit_codes),
    ("caveats.md", "Caveats", "what makes a figure doubtful or not valid, with thresholds", caveats),
    ("doctor.md", "Doctor rules", "every recommendation with its reason, action and cost", doctor_rules),
    (
        "variables.md",
        "Server variables",
        "known variables with unit, defaults, meaning and effect",
        server_variables,
    ),
    ("metrics.md", "Metrics", "what `--metrics-listen` serves to Prometheus", served_metrics),
    ("recording.md", "Files of a recording", "what a run leaves on disk", recording),
    ("environment.md", "Environment and files", "environment variables and option files", environment),
];

/// A Markdown table.
fn table(columns: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head: Vec<String> = columns.iter().map(|&column| column.to_owned()).collect();
    let rule = vec!["---".to_owned(); columns.len()];
    let rows = rows
        .into_iter()
        .map(|row| line(&row.iter().map(|cell| cell.replace('|', "\\|")).collect::<Vec<_>>()));
    format!("{}{}{}\n", line(&head), line(&rule), rows.collect::<String>())
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

/// Text of the program in a page: what looks like a tag to Markdown must not become one.
fn plain(text: &str) -> String {
    text.replace('<', "&lt;").replace('>', "&gt;").replace('*', "\\*").replace('_', "\\_").replace('[', "\\[")
}

fn index() -> String {
    let rows =
        PAGES.iter().map(|(file, title, what, _)| vec![format!("[{title}]({file})"), (*what).to_owned()]);
    format!(
        "# Reference\n\nThese pages are generated from the program and hold for this version.\n\n{}",
        table(&["page", "has"], rows)
    )
}

/// Help of an option as one line, with defaults and possible values.
fn meaning(arg: &Arg) -> String {
    let mut text = plain(&arg.get_help().map(ToString::to_string).unwrap_or_default().replace('\n', " "));
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    let takes_value = arg.get_action().takes_values();
    if takes_value && !defaults.is_empty() && !arg.is_hide_default_value_set() {
        let _ = write!(text, " \\[default: {}]", code(&defaults.join(",")));
    }
    let possible: Vec<_> = arg.get_possible_values().iter().map(|value| code(value.get_name())).collect();
    let is_switch =
        arg.get_value_names().is_some_and(|names| names.iter().any(|name| name.as_str() == "on|off"));
    if !possible.is_empty() && !is_switch && takes_value {
        let _ = write!(text, ": {}", possible.join(", "));
    }
    text
}

/// `-h, --host <HOST>`, with aliases that the help shows.
fn name(arg: &Arg) -> String {
    let short = arg
        .get_short()
        .filter(|_| arg.get_long().is_some())
        .map(|short| format!("-{short}, "))
        .unwrap_or_default();
    let aliases = arg.get_visible_aliases().unwrap_or_default();
    let aliases: String = aliases.iter().map(|alias| format!(", `--{alias}`")).collect();
    format!("{}{aliases}", code(&format!("{short}{arg}")))
}

/// The identity of an option: distinguishes options of different verbs with the same name.
fn identity(arg: &Arg) -> (String, String, String) {
    (
        arg.get_help_heading().unwrap_or_default().to_owned(),
        arg.get_id().to_string(),
        format!("{}{}", name(arg), meaning(arg)),
    )
}

/// Every verb (`run`, `experiment run`) in the order of the help.
fn verbs(command: &Command) -> Vec<(String, &Command)> {
    let with_actions = |verb: &'_ Command| {
        let name = verb.get_name().to_owned();
        let actions: Vec<String> =
            verb.get_subcommands().map(|action| format!("{name} {}", action.get_name())).collect();
        if actions.is_empty() { vec![name] } else { actions }
    };
    let names: Vec<String> = command.get_subcommands().flat_map(with_actions).collect();
    let find = |name: &str| name.split(' ').try_fold(command, |command, word| command.find_subcommand(word));
    names.into_iter().filter_map(|name| Some((name.clone(), find(&name)?))).collect()
}

fn shown(verb: &Command) -> impl Iterator<Item = &Arg> {
    verb.get_arguments().filter(|arg| !arg.is_hide_set() && arg.get_help_heading() != Some(cli::COMMON))
}

/// Options that several verbs share come once, by heading; the rest under its verb.
fn commands() -> String {
    let mut command = cli::command();
    command.build();
    let verbs = verbs(&command);
    let mut times: BTreeMap<_, u32> = BTreeMap::new();
    for arg in verbs.iter().flat_map(|(_, verb)| shown(verb)) {
        *times.entry(identity(arg)).or_default() += 1;
    }
    let is_shared = |arg: &Arg| arg.get_help_heading().is_some() && times[&identity(arg)] > 1;
    let mut groups: Vec<(&str, Vec<&Arg>)> = Vec::new();
    for arg in verbs.iter().flat_map(|(_, verb)| shown(verb)).filter(|arg| is_shared(arg)) {
        let heading = arg.get_help_heading().unwrap_or_default();
        match groups.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, args)) if args.iter().any(|known| identity(known) == identity(arg)) => {}
            Some((_, args)) => args.push(arg),
            None => groups.push((heading, vec![arg])),
        }
    }
    let rows =
        |args: &[&Arg]| table(&["option", "meaning"], args.iter().map(|arg| vec![name(arg), meaning(arg)]));
    let anchor = |heading: &str| heading.to_lowercase().replace(' ', "-");
    let mut text = "# Commands and options\n\n`mydyno VERB --help` prints the same. `_` and `-` are the same in option names; \
                    switches take `on`, `off`, `true`, `false`, `1`, `0`, and mean `on` without a value. \
                    Durations take `90`, `90s`, `10m`, `8h`; counts take `K`, `M`, `G`, `T`.\n\n"
        .to_owned();
    for (verb_name, verb) in &verbs {
        let about = plain(&verb.get_about().map(ToString::to_string).unwrap_or_default());
        let positional: String =
            verb.get_positionals().filter(|arg| !arg.is_hide_set()).map(|arg| format!(" {arg}")).collect();
        let _ =
            write!(text, "## {verb_name}\n\n    mydyno {verb_name}{positional} [OPTIONS]\n\n{about}.\n\n");
        let own: Vec<&Arg> = shown(verb).filter(|arg| !is_shared(arg)).collect();
        if !own.is_empty() {
            text.push_str(&rows(&own));
        }
        let mut links = Vec::new();
        for (heading, all) in &groups {
            let here: Vec<&Arg> =
                shown(verb).filter(|arg| is_shared(arg) && arg.get_help_heading() == Some(heading)).collect();
            let link = format!("[{heading}](#{})", anchor(heading));
            match here.len() {
                0 => {}
                n if n == all.len() => links.push(link),
                n if n <= 3 => {
                    let names: Vec<String> = here
                        .iter()
                        .map(|arg| code(&format!("--{}", arg.get_long().unwrap_or_default())))
                        .collect();
                    links.push(format!("{} of {link}", names.join(", ")));
                }
                _ => links.push(format!("most of {link}")),
            }
        }
        if !links.is_empty() {
            let _ = write!(text, "Shared options: {}.\n\n", links.join("; "));
        }
    }
    text.push_str("# Shared options\n\n");
    for (heading, args) in &groups {
        let _ = write!(text, "## {heading}\n\n{}", rows(args));
    }
    let common: Vec<&Arg> =
        command.get_arguments().filter(|arg| arg.get_help_heading() == Some(cli::COMMON)).collect();
    let _ = write!(text, "## {}\n\n{}", cli::COMMON, rows(&common));
    text
}

fn specification() -> String {
    let row = |row: &spec::OptionRow| {
        let default = match row.default {
            spec::Default::Is(text) | spec::Default::Hidden(text) => text,
            spec::Default::None(note) => note,
        };
        vec![
            format!("`{}`", row.path),
            format!("`--{}`", row.flag()),
            plain(row.value_name()),
            plain(default),
            plain(row.help),
        ]
    };
    let rows = spec::rows().map(row);
    format!(
        "# Specification\n\nOptions of a file for `mydyno run FILE.toml`, with the flag that sets the same. What stands before the \
         dot is the section: `[load]`, `[design]`, and a `[[workload]]` or `[defaults]` for all workloads. Options without a dot stand \
         at the top of the file. A file has the defaults of `sweep`. How to write one: [Experiments](../how-to/experiments.md).\n\n{}",
        table(&["option", "flag", "value", "default", "what it does"], rows)
    )
}

fn experiments() -> String {
    let question =
        |name: &str| experiment::find(name).ok().and_then(|found| found.question).unwrap_or_default();
    let rows = CATALOGUE
        .iter()
        .map(|(name, _)| vec![format!("[`{name}`](../../experiments/{name}.toml)"), question(name)]);
    format!(
        "# Experiments\n\n    mydyno experiment run NAME --quick\n\nHow to write one: \
         [Experiments](../how-to/experiments.md).\n\n{}",
        table(&["name", "question"], rows)
    )
}

fn exit_codes() -> String {
    let rows = Exit::ALL.iter().map(|exit| vec![exit.code().to_string(), plain(exit.meaning())]);
    format!("# Exit codes\n\n{}", table(&["code", "means"], rows))
}

fn caveats() -> String {
    let word = |severity: &Severity| match severity {
        Severity::Invalid => "not valid",
        Severity::Warn => "warning",
        Severity::Note => "note",
    };
    let rows = caveat::listed::listed().into_iter().map(|one| {
        let severities: Vec<&str> = one.severities.iter().map(word).collect();
        let about = if one.of_trial { "trial" } else { "cell" };
        vec![code(one.id), severities.join(", "), about.to_owned(), plain(&one.when)]
    });
    format!(
        "# Caveats\n\nA trial with a *not valid* caveat is set aside as long as its cell has another valid trial. A cell with one gets no \
         verdict. A *warning* makes a measurement *valid with caveats*; a *note* does not. What this means: \
         [Validity and caveats](../explanation/validity.md).\n\n{}",
        table(&["id", "severity", "about", "when"], rows)
    )
}

fn doctor_rules() -> String {
    let mut text = "# Doctor rules\n\nThe severity (high, medium, low) depends on what was found. *High* is only what can lose data or makes a \
                    measured figure meaningless. Every recommendation comes with its evidence and the page of the manual.\n\n"
        .to_owned();
    let mut themes: Vec<(&str, Vec<Vec<String>>)> = Vec::new();
    for rule in doctor::listed() {
        let row = vec![
            code(rule.id),
            rule.servers.to_owned(),
            plain(rule.why),
            plain(rule.action),
            plain(rule.cost),
        ];
        match themes.last_mut() {
            Some((theme, rows)) if *theme == rule.theme => rows.push(row),
            _ => themes.push((rule.theme, vec![row])),
        }
    }
    for (theme, rows) in themes {
        let _ = write!(
            text,
            "## {}\n\n{}",
            theme_title(theme),
            table(&["rule", "servers", "why", "action", "cost"], rows)
        );
    }
    text
}

fn theme_title(theme: &str) -> &str {
    match theme {
        "durability" => "Durability",
        "causes" => "Causes of lost time",
        "measured" => "From the measured window",
        "parts" => "Where a transaction's time goes",
        "load" => "Planned load and limits",
        "memory" => "Memory",
        "io" => "I/O",
        "waits" => "Waits and contention",
        "replication" => "Replication",
        "safety" => "Security and maintenance",
        _ => "Machine and environment",
    }
}

fn server_variables() -> String {
    let series = [
        (Flavour::Mysql, (8, 4, 0)),
        (Flavour::Mysql, (9, 7, 0)),
        (Flavour::Mariadb, (10, 11, 0)),
        (Flavour::Mariadb, (11, 8, 0)),
    ];
    let default = |entry: &Entry, (flavour, version)| match entry.default(flavour, version) {
        Some(VariableDefault::Is("")) => "(empty)".to_owned(),
        Some(VariableDefault::Is(value)) if value.len() > 40 => "(long)".to_owned(),
        Some(VariableDefault::Is(value)) => plain(value),
        Some(VariableDefault::Sized) => "sized".to_owned(),
        None => String::new(),
    };
    let mut text = "# Server variables\n\nWhat `mydyno diff` and the report know of server variables, the most important of each group first. Where MySQL \
                    and MariaDB differ in name, the name is that of the newest MySQL. *sized*: computed by the server from the machine. An empty \
                    default is not known for certain, or the variable does not exist there.\n\n"
        .to_owned();
    let mut groups: Vec<(Group, Vec<Vec<String>>)> = Vec::new();
    for (group, entry) in variables::entries() {
        let mut row = vec![code(&entry.name), entry.unit.symbol().to_owned()];
        row.extend(series.map(|server| default(entry, server)));
        row.extend([plain(&entry.meaning.en), entry.touches.label().en, plain(&entry.effect.en)]);
        match groups.last_mut() {
            Some((known, rows)) if *known == group => rows.push(row),
            _ => groups.push((group, vec![row])),
        }
    }
    let columns = [
        "variable",
        "unit",
        "MySQL 8.4",
        "MySQL 9.7",
        "MariaDB 10.11",
        "MariaDB 11.8",
        "meaning",
        "affects",
        "effect of a difference",
    ];
    for (group, rows) in groups {
        let _ = write!(text, "## {}\n\n{}", group.label().en, table(&columns, rows));
    }
    text
}

fn served_metrics() -> String {
    let rows = metrics::listed()
        .into_iter()
        .map(|(name, kind, help)| vec![code(&name), kind.to_owned(), plain(help)]);
    format!(
        "# Metrics\n\n`--metrics-listen HOST:PORT` serves these as OpenMetrics 1.0 at `http://HOST:PORT/metrics` while the command runs. \
         Metrics of a trial have the labels `target`, `workload`, `threads` and `repeat`; metrics of the machine have none of them. \
         How to scrape them: [Watch a run with Prometheus](../how-to/prometheus.md).\n\n{}",
        table(&["metric", "type", "help"], rows)
    )
}

fn recording() -> String {
    let rows = store::FILES
        .iter()
        .map(|(directory, file, what)| vec![code(&format!("{directory}{file}")), (*what).to_owned()]);
    format!(
        "# Files of a recording\n\nA recording is the directory `results/ID/`. `TRIAL` is `NN-TARGET-WORKLOAD-tCLIENTS-rREPEAT`. Every JSON file carries its format version ({}) as `format`; \
         in `.jsonl` files it is the first line. Newer versions of mydyno read older formats.\n\n{}",
        model::FORMAT,
        table(&["file", "holds"], rows)
    )
}

fn environment() -> String {
    let rows = |list: &[(&str, &str)]| {
        let codes = |names: &str| names.split(", ").map(code).collect::<Vec<_>>().join(", ");
        list.iter().map(|(names, what)| vec![codes(names), plain(what)]).collect::<Vec<_>>()
    };
    format!(
        "# Environment and files\n\n## Environment variables\n\n{}## Files\n\n{}",
        table(&["variable", "meaning"], rows(texts::ENVIRONMENT)),
        table(&["file", "meaning"], rows(texts::FILES))
    )
}

fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference")
}

#[test]
fn the_reference_is_that_of_this_program() {
    let pages = PAGES.iter().map(|(file, _, _, text)| (*file, text()));
    let pages: Vec<(&str, String)> = std::iter::once(("README.md", index())).chain(pages).collect();
    let update = std::env::var_os("MYDYNO_UPDATE").is_some();
    let mut stale = Vec::new();
    for (file, text) in pages {
        let (path, wanted) = (directory().join(file), format!("{GENERATED}{}\n", text.trim_end()));
        if update {
            std::fs::write(&path, wanted).expect("the page can be written");
        } else if std::fs::read_to_string(&path).ok().as_ref() != Some(&wanted) {
            stale.push(file);
        }
    }
    assert_eq!(
        stale, [""; 0],
        "run MYDYNO_UPDATE=1 cargo test -p mydyno reference, then read the difference"
    );
}
