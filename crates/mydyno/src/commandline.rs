//! Parses the command line: the words of the option files come before those that were typed, and clap reads the whole.
//!
//! The command line is read twice. The first pass reads it alone, to report its own mistakes and to know what was typed;
//! the second adds the options of the files that were not typed.

use std::collections::BTreeSet;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use crate::cli::{self, Cli, Verb};
use crate::complaint;
use crate::error::{Outcome, UserError, nearest};
use crate::given::Given;
use crate::options::connection::{ConnectionArgs, Environment};
use crate::options::optionfile::{self, Choice, FileOption};
use crate::options::typed::Typed;
use crate::options::workload::is_script;
use crate::options::{dialect, meaning};

/// The user's request.
pub struct Request {
    /// The verb with its arguments.
    pub verb: Verb,
    /// The way its arguments were given.
    pub given: Given,
    /// The words of the command line.
    pub words: Vec<String>,
    /// Sentences to show before anything else.
    pub remarks: Vec<String>,
}

/// The meaning of the words.
pub enum Asked {
    /// A request to carry out.
    Request(Box<Request>),
    /// A text to print: help or version.
    Text(String),
}

/// Reads the words of the command line, the option files and the environment.
pub fn read(words: Vec<String>) -> Outcome<Asked> {
    let words = dialect::modernise(meaning::rearranged(words), &cli::verb_names())?;
    let mut command = cli::command();
    command.build();
    let words = with_script_options(words, &command);
    let first = match parse(&command, &words) {
        Ok(matches) => matches,
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            return Ok(Asked::Text(error.to_string()));
        }
        Err(error) => {
            let error = with_negative_values(&command, &words).unwrap_or(error);
            return Err(complaint::from_clap(&error, verb_among(&command, &words).as_deref()));
        }
    };
    let (verb, arguments) = verb_of(&first);
    let verb = verb.as_str();
    let typed = typed(arguments);
    let environment = Environment::read()?;
    let cli = Cli::from_arg_matches(&first).map_err(|error| complaint::from_clap(&error, Some(verb)))?;
    let mut remarks = Vec::new();
    let mut cli = if reads_files(verb) {
        let files = cli.files;
        let choice = Choice {
            none: files.no_defaults,
            only: files.defaults_file,
            extra: files.defaults_extra_file,
            suffix: files.defaults_group_suffix,
        };
        let loaded = optionfile::load(&choice, environment.home.as_deref())?;
        remarks = loaded.remarks;
        let from_files = file_words(&command, verb, &typed, loaded.options)?;
        with_files(&command, &words, verb, &from_files)?
    } else {
        cli
    };
    if let Verb::Crash(args) = &mut cli.verb {
        args.beside_journal();
    }
    Ok(Asked::Request(Box::new(Request {
        verb: cli.verb,
        given: Given { typed, environment },
        words,
        remarks,
    })))
}

/// Hands options that mydyno does not have to the script that is run: `--x=y` becomes `--script-options=x=y`.
pub fn with_script_options(words: Vec<String>, command: &Command) -> Vec<String> {
    if !words.iter().any(|word| is_script(word)) {
        return words;
    }
    let below = |command: &'_ Command| words.iter().find_map(|word| command.find_subcommand(word)).cloned();
    let Some(mut verb) = below(command) else { return words };
    while let Some(action) = below(&verb) {
        verb = action;
    }
    let known = |name: &str| {
        let named = |arg: &Arg| {
            arg.get_long() == Some(name) || arg.get_all_aliases().is_some_and(|all| all.contains(&name))
        };
        verb.get_arguments().chain(command.get_arguments()).any(named)
    };
    let rewritten = words.iter().map(|word| {
        let Some(option) = word.strip_prefix("--").filter(|rest| !rest.is_empty()) else {
            return word.clone();
        };
        let (name, value) = option.split_once('=').unwrap_or((option, "on"));
        match known(name) || known(&name.replace('_', "-")) {
            true => word.clone(),
            false => format!("--script-options={name}={value}"),
        }
    });
    rewritten.collect()
}

/// The verb with its arguments; of verbs with several actions both: `experiment run`.
fn verb_of(matches: &ArgMatches) -> (String, &ArgMatches) {
    let (verb, arguments) = matches.subcommand().expect("the definitions require a verb");
    match arguments.subcommand() {
        Some((action, arguments)) => (format!("{verb} {action}"), arguments),
        None => (verb.to_owned(), arguments),
    }
}

fn parse(command: &Command, words: &[String]) -> Result<ArgMatches, clap::Error> {
    command.clone().try_get_matches_from(std::iter::once("mydyno").chain(words.iter().map(String::as_str)))
}

/// clap's complaint about `--threads -1` when the value is attached, which is about the value.
fn with_negative_values(command: &Command, words: &[String]) -> Option<clap::Error> {
    let is_negative = |word: &str| {
        word.strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let at = (1..words.len()).find(|at| {
        let option = &words[at - 1];
        is_negative(&words[*at]) && option.starts_with("--") && !option.contains('=')
    })?;
    let mut attached = words.to_vec();
    let value = attached.remove(at);
    attached[at - 1].push_str(&format!("={value}"));
    parse(command, &attached).err()
}

/// Refuses a number of clients that was typed twice, since the intended one is unclear.
pub fn refuse_two_numbers_of_clients(words: &[String]) -> Outcome<()> {
    let is_it = |word: &&String| {
        ["--threads", "--terminals"]
            .iter()
            .any(|name| word.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('=')))
    };
    if words.iter().filter(is_it).count() < 2 {
        return Ok(());
    }
    Err(UserError::usage("the number of clients is given twice")
        .hint("--threads and --terminals are one option; several numbers are a list: --threads 1,4,16"))
}

/// The verb, with its subcommand where it has several: `server start`.
fn verb_among(command: &Command, words: &[String]) -> Option<String> {
    let mut named = words.iter().filter_map(|word| Some((word, command.find_subcommand(word)?)));
    let (verb, definition) = named.next()?;
    let action = words.iter().find(|word| definition.find_subcommand(word).is_some());
    Some(action.map_or_else(|| verb.clone(), |action| format!("{verb} {action}")))
}

/// Text verbs must work whatever an option file says.
fn reads_files(verb: &str) -> bool {
    let verb = verb.split(' ').next().unwrap_or(verb);
    !matches!(verb, "completions" | "man" | "server" | "experiments")
}

fn typed(arguments: &ArgMatches) -> Typed {
    let by_user = |id: &&clap::Id| arguments.value_source(id.as_str()) == Some(ValueSource::CommandLine);
    arguments.ids().filter(by_user).map(|id| id.as_str().to_owned()).collect()
}

/// A word made from a line of an option file.
struct FileWord {
    word: String,
    long: String,
    place: String,
}

/// The options of the files that `verb` understands and that were not typed.
fn file_words(
    command: &Command,
    verb: &str,
    typed: &Typed,
    options: Vec<FileOption>,
) -> Outcome<Vec<FileWord>> {
    let verb = cli::definition(command, verb).expect("clap found the verb");
    let connection = ConnectionArgs::augment_args(Command::new("connection"));
    let mut words = Vec::new();
    for option in options {
        let written = match &option.value {
            Some(value) => format!("--{}={value}", option.name),
            None => format!("--{}", option.name),
        };
        let at_place =
            |error: UserError| UserError { message: format!("{}: {}", option.place, error.message), ..error };
        let word = dialect::modern_word(written).map_err(at_place)?;
        let name = word.trim_start_matches("--").split('=').next().unwrap_or_default().to_owned();
        if option.shared && find(&connection, &name).is_none() {
            continue;
        }
        let Some(arg) = find(verb, &name) else {
            if known_anywhere(command, &name) || option.loose || option.shared {
                continue;
            }
            return Err(unknown_in_file(command, &name, &option.place));
        };
        if typed.has(arg.get_id().as_str()) {
            continue;
        }
        let takes_value = arg.get_num_args().is_some_and(|range| range.min_values() > 0);
        if takes_value && !word.contains('=') {
            return Err(UserError::usage(format!("{}: {name} needs a value", option.place)));
        }
        let long = arg.get_long().unwrap_or(&name).to_owned();
        words.push(FileWord { word, long, place: option.place });
    }
    Ok(words)
}

fn unknown_in_file(command: &Command, name: &str, place: &str) -> UserError {
    let all = all_longs(command);
    let hint = match nearest(name, all.iter().map(String::as_str)) {
        Some(near) => {
            format!("did you mean {near}? Or write loose-{name}, to have it ignored where it is unknown")
        }
        None => format!("options of the group [mydyno] are those of mydyno's verbs; loose-{name} is ignored"),
    };
    UserError::usage(format!("{place}: unknown option '{name}'")).hint(hint)
}

fn find<'a>(command: &'a Command, name: &str) -> Option<&'a Arg> {
    command.get_arguments().find(|arg| {
        arg.get_long() == Some(name) || arg.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
    })
}

fn known_anywhere(command: &Command, name: &str) -> bool {
    let in_actions = |verb: &Command| verb.get_subcommands().any(|action| find(action, name).is_some());
    command.get_subcommands().any(|verb| find(verb, name).is_some() || in_actions(verb))
}

fn all_longs(command: &Command) -> BTreeSet<String> {
    let of_verb = |verb: &Command| -> Vec<String> {
        verb.get_arguments().filter_map(|arg| arg.get_long()).map(str::to_owned).collect()
    };
    command.get_subcommands().flat_map(of_verb).collect()
}

fn with_files(command: &Command, words: &[String], verb: &str, from_files: &[FileWord]) -> Outcome<Cli> {
    let last = verb.rsplit(' ').next().unwrap_or(verb);
    let at = words.iter().position(|word| word == last).map_or(0, |at| at + 1);
    let mut all = words.to_vec();
    all.splice(at..at, from_files.iter().map(|word| word.word.clone()));
    let read = parse(command, &all).and_then(|matches| Cli::from_arg_matches(&matches));
    read.map_err(|wrong| {
        let explained = complaint::from_clap(&wrong, Some(verb));
        // The typed words alone were fine, so a file is to blame.
        let named = complaint::options_named(&wrong);
        let culprit = from_files.iter().rfind(|word| named.contains(&word.long));
        match culprit {
            Some(word) => {
                UserError { message: format!("{}: {}", word.place, explained.message), ..explained }
            }
            None => explained,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(words: &[&str], file: &str) -> Outcome<(Box<cli::SweepArgs>, Typed)> {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("my.cnf");
        std::fs::write(&path, file).expect("a writable temporary directory");
        let mut all = vec!["sweep".to_owned(), "oltp_read_only".to_owned()];
        all.push(format!("--defaults-file={}", path.display()));
        all.extend(words.iter().map(|word| (*word).to_owned()));
        match read(all)? {
            Asked::Request(request) => match request.verb {
                Verb::Sweep(args) => Ok((args, request.given.typed)),
                _ => panic!("another verb than was asked for"),
            },
            Asked::Text(_) => panic!("a text instead of a verb"),
        }
    }

    #[test]
    fn the_command_line_wins_over_the_file_and_the_last_line_over_earlier_ones() {
        let (args, typed) = sweep(&["-P", "1"], "[client]\nport=2\nuser=a\n[mydyno]\nuser=b\nthreads=2,4")
            .expect("valid options");
        let connection = &args.trial.connection;
        assert_eq!((connection.port, connection.user.as_deref()), (Some(1), Some("b")));
        assert_eq!(spec::clients(&args.trial.values(), spec::SWEEP), [2, 4]);
        assert!(typed.has("port") && !typed.has("user"));
    }

    #[test]
    fn typed_targets_replace_those_of_the_file() {
        let file = "[mydyno]\ntarget=sandbox:mysql\ntarget=sandbox:mariadb";
        let (args, _) = sweep(&[], file).expect("valid options");
        assert_eq!(args.trial.targets.target, ["sandbox:mysql", "sandbox:mariadb"]);
        let (args, _) = sweep(&["--target", "mysql://db1"], file).expect("valid options");
        assert_eq!(args.trial.targets.target, ["mysql://db1"]);
    }

    #[test]
    fn options_of_other_programs_and_verbs_are_passed_over() {
        let file = "[client]\ndefault-character-set=utf8mb4\ntables=7\n[mydyno]\nlang=zh\nopen\nloose-quux=1";
        let (args, _) = sweep(&[], file).expect("nothing concerns this verb wrongly");
        assert!(!args.trial.values().is_set("workload.tables"));
    }

    #[test]
    fn mistakes_in_a_file_name_the_line() {
        for (file, message) in [
            ("[mydyno]\ntabels=4", "my.cnf:2: unknown option 'tabels'"),
            ("[client]\nport=abc", "my.cnf:2: --port cannot be 'abc'"),
            ("[mydyno]\nthreads", "my.cnf:2: threads needs a value"),
            ("[mydyno]\nmax-time=4", "my.cnf:2: --max-time is an old name"),
        ] {
            let error = sweep(&[], file).err().expect(file);
            assert!(error.message.contains(message), "{error}");
        }
    }

    #[test]
    fn sysbenchs_spellings_reach_the_same_fields() {
        let words = [
            "--mysql-host=db1",
            "--mysql_port=3307",
            "--mysql-user=u",
            "--mysql-db=d",
            "--mysql-ssl",
            "--rand_seed=5",
        ];
        let (args, _) = sweep(&words, "").expect("valid options");
        let connection = &args.trial.connection;
        assert_eq!(connection.host.as_deref(), Some("db1"));
        assert_eq!(connection.port, Some(3307));
        assert_eq!(connection.database.as_deref(), Some("d"));
        assert_eq!(connection.tls.ssl_mode, Some(model::TlsMode::Required));
        assert_eq!(spec::seed_of(&args.trial.values(), 0), 5);
    }
}
