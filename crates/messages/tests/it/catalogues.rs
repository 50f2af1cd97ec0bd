//! Both languages have the same messages with the same arguments, as documented, and the sources use all of them.

use std::collections::{BTreeMap, BTreeSet};

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey};

/// What a message uses.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Arguments that are written, or that words are chosen by.
    pub arguments: BTreeSet<String>,
    /// Keys of the selectors on an argument.
    pub keys: BTreeMap<String, BTreeSet<String>>,
    messages: BTreeSet<String>,
}

fn root() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../..").to_owned()
}

/// The messages of a language by their ids; panics at a mistake of syntax, or if an id stands twice.
pub fn messages(language: &str) -> BTreeMap<String, Used> {
    let mut found = BTreeMap::new();
    let folder = format!("{}/messages/{language}", root());
    for entry in std::fs::read_dir(&folder).expect("the folder is there") {
        let path = entry.expect("an entry can be read").path();
        // The labels of the page, which reads them itself.
        if path.ends_with("page.ftl") {
            continue;
        }
        let source = std::fs::read_to_string(&path).expect("a catalogue can be read");
        let resource = fluent_syntax::parser::parse(source.as_str())
            .unwrap_or_else(|(_, errors)| panic!("{}: {errors:?}", path.display()));
        for entry in resource.body {
            if let Entry::Message(message) = entry {
                let mut used = Used::default();
                used.read(&message.value.expect("a message has a text"));
                let twice = found.insert(message.id.name.to_owned(), used);
                assert!(twice.is_none(), "{}: {} stands twice", path.display(), message.id.name);
            }
        }
    }
    found
}

impl Used {
    fn read(&mut self, pattern: &Pattern<&str>) {
        for element in &pattern.elements {
            let PatternElement::Placeable { expression } = element else { continue };
            match expression {
                Expression::Inline(inline) => self.inline(inline),
                Expression::Select { selector, variants } => {
                    self.inline(selector);
                    let InlineExpression::VariableReference { id } = selector else {
                        panic!("a selector that is no argument")
                    };
                    let keys = self.keys.entry(id.name.to_owned()).or_default();
                    keys.extend(variants.iter().map(|variant| match variant.key {
                        VariantKey::Identifier { name } => name.to_owned(),
                        VariantKey::NumberLiteral { value } => value.to_owned(),
                    }));
                    variants.iter().for_each(|variant| self.read(&variant.value));
                }
            }
        }
    }

    fn inline(&mut self, inline: &InlineExpression<&str>) {
        match inline {
            InlineExpression::VariableReference { id } => {
                self.arguments.insert(id.name.to_owned());
            }
            InlineExpression::MessageReference { id, .. } => {
                self.messages.insert(id.name.to_owned());
            }
            InlineExpression::StringLiteral { .. } => {}
            other => panic!("catalogues use no {other:?}"),
        }
    }

    /// Whether an argument may choose words here.
    fn chooses(&self, argument: &str, all: &messages::Documented) -> bool {
        let kind = all.get(argument).map(|kind| kind.name.as_str());
        matches!(kind, Some("Count" | "Word")) && self.keys.contains_key(argument)
    }
}

/// With those of the messages that it refers to.
fn arguments(used: &Used, all: &BTreeMap<String, Used>) -> BTreeSet<String> {
    let inner = used.messages.iter().flat_map(|id| arguments(&all[id], all));
    used.arguments.iter().cloned().chain(inner).collect()
}

#[test]
fn both_languages_have_the_same_messages() {
    let ids = |language| messages(language).into_keys().collect::<Vec<_>>();
    assert_eq!(ids("en"), ids("zh"));
}

#[test]
fn every_argument_is_documented_and_used_in_both_languages() {
    let (en, zh) = (messages("en"), messages("zh"));
    for (id, own) in &en {
        let documented = &messages::documented()[id];
        let names: BTreeSet<String> = documented.keys().cloned().collect();
        let (in_en, in_zh) = (arguments(own, &en), arguments(&zh[id], &zh));
        let used: BTreeSet<String> = in_en.union(&in_zh).cloned().collect();
        assert_eq!(used, names, "{id}: used, and documented in messages/en");
        // A language that makes no such difference, as Chinese between one and many, need not choose.
        let wanted = |name: &&String| !own.chooses(name, documented) && !zh[id].chooses(name, documented);
        for (language, here) in [("en", &in_en), ("zh", &in_zh)] {
            let missing: Vec<_> = names.iter().filter(wanted).filter(|name| !here.contains(*name)).collect();
            assert!(missing.is_empty(), "{id}: messages/{language} does not use {missing:?}");
        }
    }
}

#[test]
fn selectors_know_every_documented_word_and_no_other() {
    for language in ["en", "zh"] {
        for (id, used) in messages(language) {
            for (argument, keys) in &used.keys {
                let kind = &messages::documented()[&id][argument];
                let fits = |key: &String| match kind.name.as_str() {
                    "Word" => kind.words.contains(key) || (kind.optional && key == "not-given"),
                    "Count" => {
                        ["one", "other"].contains(&key.as_str())
                            || key.parse::<u64>().is_ok()
                            || (kind.optional && key == "not-given")
                    }
                    _ => kind.optional && ["not-given", "other"].contains(&key.as_str()),
                };
                assert!(keys.iter().all(fits), "{language}, {id}: {argument} is {kind:?}, keys {keys:?}");
                let all = kind.words.iter().all(|word| keys.contains(word));
                assert!(all, "{language}, {id}: {argument} may be {:?}, keys {keys:?}", kind.words);
            }
        }
    }
}

#[test]
fn the_sources_use_every_message_and_no_other() {
    let all = messages("en");
    let mut used: BTreeSet<String> = all.values().flat_map(|used| used.messages.clone()).collect();
    for file in rust_files(&format!("{}/crates", root())).iter().filter(|file| file.contains("/src/")) {
        let text = std::fs::read_to_string(file).expect("a source file can be read");
        // The crate of the messages does not call its own macro.
        let own = if file.contains("/messages/src/") { "Self::of(" } else { "message!(" };
        for call in text.split("message!(").skip(1).chain(text.split(own).skip(1)) {
            let Some(id) = call.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next()) else {
                continue;
            };
            assert!(all.contains_key(id), "{file}: there is no message {id}");
            used.insert(id.to_owned());
        }
    }
    let unused: Vec<_> = all.keys().filter(|id| !used.contains(*id)).collect();
    assert!(unused.is_empty(), "nothing uses {unused:?}");
}

fn rust_files(directory: &str) -> Vec<String> {
    let entries = std::fs::read_dir(directory).expect("a directory can be read");
    let paths = entries.map(|entry| entry.expect("an entry can be read").path());
    let files = paths.flat_map(|path| match path.to_string_lossy().into_owned() {
        name if path.is_dir() => rust_files(&name),
        name if name.ends_with(".rs") => vec![name],
        _ => Vec::new(),
    });
    files.collect()
}
