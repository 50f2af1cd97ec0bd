//! The catalogues, parsed once, and messages written from them.

use std::fmt::Write as _;
use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};

use crate::arg::{ABSENT, Arg};
use crate::language::Language;
use crate::number;
use crate::sources::sources;

/// A message in a language. Never fails: what cannot be written is its id with the arguments, and a debug build has panicked
/// before.
pub(crate) fn written(language: Language, id: &str, args: &[(&str, Arg)]) -> String {
    let bundle = bundle(language);
    let mut values = FluentArgs::with_capacity(args.len());
    for (name, arg) in args {
        values.set(*name, arg.value(language));
    }
    let mut errors = Vec::new();
    let text = bundle
        .get_message(id)
        .and_then(|message| message.value())
        .map(|pattern| bundle.format_pattern(pattern, Some(&values), &mut errors).into_owned());
    debug_assert!(errors.is_empty(), "message {id} in {language:?}: {errors:?}");
    debug_assert!(
        !text.as_ref().is_some_and(|text| text.contains(ABSENT)),
        "message {id} in {language:?}: {text:?}"
    );
    text.filter(|_| errors.is_empty()).unwrap_or_else(|| unwritten(id, args))
}

fn unwritten(id: &str, args: &[(&str, Arg)]) -> String {
    let mut text = id.to_owned();
    for (name, arg) in args {
        // Writing to a String cannot fail.
        let _ = write!(text, " {name}={}", arg.json());
    }
    text
}

type Bundle = FluentBundle<FluentResource>;

fn bundle(language: Language) -> &'static Bundle {
    static BUNDLES: [OnceLock<Bundle>; 2] = [const { OnceLock::new() }; 2];
    BUNDLES[language as usize].get_or_init(|| parsed(language))
}

/// Parses a catalogue. Messages with a mistake are left out, and a test finds them.
fn parsed(language: Language) -> Bundle {
    let locale = language.pick("en", "zh-Hans").parse().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![locale]);
    bundle.set_use_isolating(false);
    bundle.set_formatter(Some(write_count));
    bundle.set_transform(Some(language.pick(unwrapped_en, unwrapped_zh)));
    for (_, source) in sources(language) {
        let resource = FluentResource::try_new(source.to_owned()).unwrap_or_else(|(good, _)| good);
        bundle.add_resource_overriding(resource);
    }
    bundle
}

/// Every number that reaches a bundle is a count.
fn write_count<M>(value: &FluentValue<'_>, _: &M) -> Option<String> {
    match value {
        FluentValue::Number(number) => Some(number::thousands(number.value as u64)),
        _ => None,
    }
}

/// Lines of a catalogue are broken for its reader only. Chinese has no space between words.
fn unwrapped_en(text: &str) -> std::borrow::Cow<'_, str> {
    if text.contains('\n') { text.replace('\n', " ").into() } else { text.into() }
}

fn unwrapped_zh(text: &str) -> std::borrow::Cow<'_, str> {
    if text.contains('\n') { text.replace('\n', "").into() } else { text.into() }
}
