//! Errors in the words of a command line: clap's messages in this program's wording.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::error::{UserError, nearest};
use crate::options::meaning;
use crate::{cli, conceal};

/// clap's complaint in this program's words. `verb` is the verb typed, for pointing at its help.
pub fn from_clap(error: &clap::Error, verb: Option<&str>) -> UserError {
    let text = |kind| context(error, kind);
    let help = match verb {
        Some(verb) => format!("mydyno {verb} --help"),
        None => "mydyno --help".to_owned(),
    };
    let all = |what: &str| format!("All {what}: {help}");
    let argument = text(ContextKind::InvalidArg).unwrap_or_default();
    match error.kind() {
        ErrorKind::UnknownArgument => unknown_argument(&argument, verb, &all("options")),
        ErrorKind::InvalidSubcommand => {
            let typed = text(ContextKind::InvalidSubcommand).unwrap_or_default();
            let near = meaning::verb(&typed).map(str::to_owned);
            let hint = match near.or_else(|| text(ContextKind::SuggestedSubcommand)) {
                Some(near) => format!("did you mean {near}? {}", all("verbs")),
                None => all("verbs"),
            };
            UserError::usage(format!("there is no verb '{typed}'")).hint(hint)
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => invalid_value(error, &argument, &help),
        ErrorKind::NoEquals => {
            UserError::usage(format!("the value of {argument} is attached with '='")).hint(all("options"))
        }
        ErrorKind::TooManyValues => {
            UserError::usage(format!("{argument} takes one value")).hint(all("options"))
        }
        ErrorKind::MissingRequiredArgument => {
            let what = argument.trim_matches(['<', '>', '.', '[', ']']);
            UserError::usage(format!("{what} is missing")).hint(all("arguments"))
        }
        ErrorKind::ArgumentConflict => {
            let prior = text(ContextKind::PriorArg).unwrap_or_default();
            UserError::usage(format!("{argument} and {prior} exclude each other")).hint(all("options"))
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let example = match verb {
                Some("experiment") => {
                    "mydyno experiment run durability --quick, or: mydyno experiment show durability"
                }
                Some("server") => "mydyno server install mysql, or: mydyno server list",
                _ => "mydyno sweep oltp_read_write",
            };
            let more = if verb == Some("experiment") { "\nThe catalogue: mydyno experiments" } else { "" };
            UserError::usage(format!("say what to do, for example: {example}"))
                .hint(format!("{}{more}", all("verbs")))
        }
        // The kinds above are those that this program's definitions can produce; whatever else clap says stays
        // readable, in its own words.
        _ => {
            let words = error.to_string();
            let first = words.lines().next().unwrap_or_default();
            UserError::usage(first.trim_start_matches("error: ")).hint(all("options"))
        }
    }
}

/// The long names of the options that clap complains of.
pub fn options_named(error: &clap::Error) -> Vec<String> {
    let arguments = [ContextKind::InvalidArg, ContextKind::PriorArg].into_iter().filter_map(|kind| {
        Some(match error.get(kind)? {
            ContextValue::Strings(texts) => texts.clone(),
            ContextValue::String(text) => vec![text.clone()],
            _ => Vec::new(),
        })
    });
    let name = |argument: String| Some(plain_name(&argument).strip_prefix("--")?.to_owned());
    arguments.flatten().filter_map(name).collect()
}

/// clap names an argument with its placeholder: `--threads <LIST>`, `--skip-trx[=<on|off>]`, `--prepare`.
fn plain_name(argument: &str) -> &str {
    argument.split([' ', '[', '=']).next().unwrap_or(argument).trim_matches(['<', '>'])
}

fn unknown_argument(argument: &str, verb: Option<&str>, all: &str) -> UserError {
    if argument == "-h" && verb.is_none_or(|verb| !cli::connects(verb)) {
        return UserError::usage("help is --help or -?; -h names the host, as in the mysql client").hint(all);
    }
    let Some(name) = argument.strip_prefix("--").map(|name| name.split('=').next().unwrap_or(name)) else {
        let what = if argument.starts_with('-') { "option" } else { "argument" };
        return UserError::usage(format!("unknown {what} '{}'", shortened(argument))).hint(all);
    };
    UserError::usage(format!("unknown option '{}'", shortened(argument))).hint(match suggestion(name, verb) {
        Some(suggestion) => format!("{suggestion} {all}"),
        None => all.to_owned(),
    })
}

/// A suggestion for an option that the verb lacks: the same one under another name, an option of another verb, or one with
/// a similar spelling.
fn suggestion(name: &str, verb: Option<&str>) -> Option<String> {
    const NAMED: usize = 3;
    let known = verb.map(cli::options_of).unwrap_or_default();
    if let Some(meant) = meaning::option(name, &known) {
        return Some(format!("did you mean --{meant}?"));
    }
    let others = cli::verbs_with(name);
    if !others.is_empty() {
        let dots = if others.len() > NAMED { ", ..." } else { "" };
        let some = others.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
        let after = if verb.is_none() { " and stands after the verb" } else { "" };
        return Some(format!("it is an option of {some}{dots}{after}."));
    }
    nearest(name, known.iter().map(String::as_str)).map(|near| format!("did you mean --{near}?"))
}

/// A value that is quoted: the beginning of a long one.
fn shortened(value: &str) -> String {
    const LONGEST: usize = 60;
    if value.chars().count() <= LONGEST {
        return value.to_owned();
    }
    format!("{}...", value.chars().take(LONGEST).collect::<String>())
}

fn invalid_value(error: &clap::Error, argument: &str, help: &str) -> UserError {
    let value = shortened(&context(error, ContextKind::InvalidValue).unwrap_or_default());
    let name = plain_name(argument);
    if value.is_empty() {
        return UserError::usage(format!("{name} needs a value")).hint(format!("see: {help}"));
    }
    if error.kind() == ErrorKind::ValueValidation {
        let why = std::error::Error::source(error).map(ToString::to_string).unwrap_or_default();
        return UserError::usage(format!("{name} cannot be '{value}': {}", plainly(&why)));
    }
    let message = if argument.contains("WORKLOAD") {
        format!("there is no workload '{value}'")
    } else {
        format!("{name} cannot be '{value}'")
    };
    let valid = context(error, ContextKind::ValidValue).unwrap_or_default();
    let hint = match context(error, ContextKind::SuggestedValue) {
        Some(near) => format!("did you mean {near}? There are: {valid}"),
        None => format!("There are: {valid}"),
    };
    UserError::usage(message).hint(hint)
}

/// The standard library's error messages, reworded for users.
fn plainly(why: &str) -> String {
    match why {
        "invalid digit found in string" => "it is not a whole number".to_owned(),
        "invalid float literal" => "it is not a number".to_owned(),
        "number too large to fit in target type" => "it is too large".to_owned(),
        other => bounds(other).unwrap_or_else(|| other.to_owned()),
    }
}

/// `0 is not in 1..=4294967295`, reworded for users.
fn bounds(why: &str) -> Option<String> {
    let (_, range) = why.split_once(" is not in ")?;
    let (low, high) = range.split_once("..=")?;
    let high: u64 = high.parse().ok()?;
    let unbounded = high >= u64::from(u32::MAX);
    Some(if unbounded {
        format!("it must be at least {low}")
    } else {
        format!("it must be from {low} to {high}")
    })
}

/// A context value of a clap error. A target's URL in the wrong place must not reveal its password.
fn context(error: &clap::Error, kind: ContextKind) -> Option<String> {
    let text = context_text(error, kind)?;
    Some(conceal::mask_url(&text).unwrap_or(text))
}

fn context_text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => Some(texts.join(", ")),
        ContextValue::StyledStr(text) => Some(text.to_string()),
        ContextValue::StyledStrs(texts) => {
            Some(texts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        }
        ContextValue::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_said_in_words() {
        assert_eq!(plainly("0 is not in 1..=4294967295"), "it must be at least 1");
        assert_eq!(plainly("101 is not in 0..=100"), "it must be from 0 to 100");
        assert_eq!(shortened(&"1,".repeat(3_000)).len(), 63);
    }
}
