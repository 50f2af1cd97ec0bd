//! The arguments of messages, from the comments of the English catalogue.
//!
//! `#   $share (Percent) - of the window`: name, type, meaning. `(Word: slower, faster)` lists the words, and `(Percent?)` may
//! be absent.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use fluent_syntax::ast::Entry;

use crate::arg::Arg;
use crate::language::Language;
use crate::sources::sources;

/// The documented arguments of a message, by name.
pub type Documented = BTreeMap<String, ArgKind>;

/// A documented type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgKind {
    /// A variant of [`Arg`].
    pub name: String,
    /// The words of a `Word`.
    pub words: Vec<String>,
    /// Whether it may be absent.
    pub optional: bool,
}

/// Every message of the catalogues by its id.
pub fn documented() -> &'static BTreeMap<String, Documented> {
    static ALL: OnceLock<BTreeMap<String, Documented>> = OnceLock::new();
    ALL.get_or_init(|| {
        let messages = |source: &'static str| {
            let resource = fluent_syntax::parser::parse(source).unwrap_or_else(|(good, _)| good);
            resource.body.into_iter().filter_map(|entry| match entry {
                Entry::Message(message) => {
                    let comment = message.comment.map(|comment| comment.content).unwrap_or_default();
                    Some((message.id.name.to_owned(), comment.into_iter().filter_map(argument).collect()))
                }
                _ => None,
            })
        };
        sources(Language::English).flat_map(|(_, source)| messages(source)).collect()
    })
}

/// `  $share (Percent) - of the window`.
fn argument(line: &str) -> Option<(String, ArgKind)> {
    let (name, rest) = line.trim().strip_prefix('$')?.split_once(" (")?;
    let (kind, _) = rest.split_once(')')?;
    let (kind, words) = kind.split_once(": ").unwrap_or((kind, ""));
    let words = words.split(", ").filter(|word| !word.is_empty()).map(str::to_owned).collect();
    let (name_of_kind, optional) = match kind.strip_suffix('?') {
        Some(kind) => (kind, true),
        None => (kind, false),
    };
    Some((name.to_owned(), ArgKind { name: name_of_kind.to_owned(), words, optional }))
}

/// Panics if a call does not match the documented arguments.
pub(crate) fn check(id: &str, args: &[(&str, Arg)]) {
    let Some(wanted) = documented().get(id) else { panic!("no message {id} in messages/en") };
    for (name, arg) in args {
        let Some(kind) = wanted.get(*name) else { panic!("message {id} has no argument {name}") };
        let fits = match arg {
            Arg::Absent => kind.optional,
            Arg::Word(word) => kind.name == "Word" && kind.words.contains(word),
            arg => kind.name == arg.kind(),
        };
        assert!(fits, "message {id}: argument {name} is {arg:?}, wanted is {kind:?}");
    }
    for name in wanted.keys() {
        assert!(args.iter().any(|(given, _)| given == name), "message {id}: argument {name} is missing");
    }
}
