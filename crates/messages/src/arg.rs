//! Arguments of messages, and how each is written in each language.

use fluent_bundle::FluentValue;
use serde_json::{Value, json};

use crate::language::Language;
use crate::number;
use crate::words::Words;

/// Value of an absent argument in a selector of a catalogue.
pub(crate) const ABSENT: &str = "not-given";

/// An argument of a message.
#[derive(Debug, Clone)]
pub enum Arg {
    /// A number of things, which selectors see with its plural category: `12,105`.
    Count(u64),
    /// A number with three significant digits: `8.31`, `12,105`.
    Figure(f64),
    /// A number rounded to whole ones, without thousands separators: `61`.
    Whole(f64),
    /// A number with one decimal: `12.5`.
    Tenths(f64),
    /// A number with two decimals: `12.53`.
    Hundredths(f64),
    /// One value over another: `1.41`.
    Ratio(f64),
    /// The interval of a ratio: `[1.34, 1.49]`.
    RatioInterval((f64, f64)),
    /// An interval of figures: `[880, 928]`.
    Interval((f64, f64)),
    /// An interval of shares of 1 in whole percent, without the unit: `[62, 80]`.
    PercentInterval((f64, f64)),
    /// A ratio as a change in percent: `+14.0`.
    Change(f64),
    /// A ratio as a change in percent, with its unit: `+14 %`.
    ChangePercent(f64),
    /// A share of 1: `12 %`.
    Percent(f64),
    /// Seconds: `3 s`.
    Seconds(f64),
    /// A size in bytes: `1.5 GiB`.
    Bytes(u64),
    /// A text that needs no translation: a label, a name, a statement.
    Text(String),
    /// Such texts: `1, 4 and 16`.
    List(Vec<String>),
    /// A word that only selectors of the catalogue read, one of those that the catalogue documents.
    Word(String),
    /// A message inside another one.
    Message(Words),
    /// A message at the beginning of a sentence: its first letter is a capital one.
    Opening(Words),
    /// Messages with commas between them.
    Parts(Vec<Words>),
    /// Messages with semicolons between them.
    Clauses(Vec<Words>),
    /// Messages with full stops between them, and none at the end.
    Sentences(Vec<Words>),
    /// Messages as a list: `1, 4 and 16`.
    Enumeration(Vec<Words>),
    /// Messages with "and" between them.
    Steps(Vec<Words>),
    /// An optional argument that is not there. Selectors see `not-given`.
    Absent,
}

impl Arg {
    /// The name of its type, as the catalogue has it.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Count(_) => "Count",
            Self::Figure(_) => "Figure",
            Self::Whole(_) => "Whole",
            Self::Tenths(_) => "Tenths",
            Self::Hundredths(_) => "Hundredths",
            Self::Ratio(_) => "Ratio",
            Self::RatioInterval(_) => "RatioInterval",
            Self::Interval(_) => "Interval",
            Self::PercentInterval(_) => "PercentInterval",
            Self::Change(_) => "Change",
            Self::ChangePercent(_) => "ChangePercent",
            Self::Percent(_) => "Percent",
            Self::Seconds(_) => "Seconds",
            Self::Bytes(_) => "Bytes",
            Self::Text(_) => "Text",
            Self::List(_) => "List",
            Self::Word(_) => "Word",
            Self::Message(_) => "Message",
            Self::Opening(_) => "Opening",
            Self::Parts(_) => "Parts",
            Self::Clauses(_) => "Clauses",
            Self::Sentences(_) => "Sentences",
            Self::Enumeration(_) => "Enumeration",
            Self::Steps(_) => "Steps",
            Self::Absent => "Absent",
        }
    }

    /// The value for a catalogue of this language.
    pub(crate) fn value(&self, language: Language) -> FluentValue<'static> {
        let joined = |parts: &[Words], en: &str, zh: &str| {
            let joint = language.pick(en, zh);
            parts.iter().map(|part| part.text(language)).collect::<Vec<_>>().join(joint)
        };
        let text = match self {
            // A number, for its plural; the bundle writes it with `number::thousands`.
            Self::Count(value) => return FluentValue::from(*value as f64),
            Self::Figure(value) => number::figure(*value),
            Self::Whole(value) => format!("{value:.0}"),
            Self::Tenths(value) => format!("{value:.1}"),
            Self::Hundredths(value) => format!("{value:.2}"),
            Self::Ratio(value) => number::ratio(*value),
            Self::RatioInterval((low, high)) => number::ratio_interval(*low, *high).text(language).to_owned(),
            Self::Interval((low, high)) => format!("[{}, {}]", number::figure(*low), number::figure(*high)),
            Self::PercentInterval((low, high)) => format!("[{:.0}, {:.0}]", low * 100.0, high * 100.0),
            Self::Change(ratio) => number::change(*ratio),
            Self::ChangePercent(ratio) => {
                let sign = if *ratio > 1.0 { "+" } else { "-" };
                format!("{sign}{}", number::percent((ratio - 1.0).abs()))
            }
            Self::Percent(share) => number::percent(*share),
            Self::Seconds(value) => match language {
                Language::English => number::seconds(*value),
                Language::Chinese => number::seconds(*value).replace('s', "秒"),
            },
            Self::Bytes(value) => number::bytes(*value),
            Self::Text(text) | Self::Word(text) => text.clone(),
            Self::List(items) => number::list(items).text(language).to_owned(),
            Self::Message(words) => words.text(language).to_owned(),
            Self::Opening(words) => match language {
                Language::English => capitalised(&words.en),
                Language::Chinese => words.zh.clone(),
            },
            Self::Parts(parts) => joined(parts, ", ", "，"),
            Self::Clauses(parts) => joined(parts, "; ", "；"),
            Self::Sentences(parts) => joined(parts, ". ", "。"),
            Self::Enumeration(parts) => {
                let own: Vec<String> = parts.iter().map(|part| part.text(language).to_owned()).collect();
                number::list(&own).text(language).to_owned()
            }
            Self::Steps(parts) => joined(parts, " and ", " 并"),
            Self::Absent => ABSENT.to_owned(),
        };
        FluentValue::from(text)
    }

    /// The JSON form: numbers unrounded; a message with its own id and arguments. A number that is not finite becomes null.
    pub(crate) fn json(&self) -> Value {
        match self {
            Self::Count(value) | Self::Bytes(value) => json!(value),
            Self::Figure(value)
            | Self::Whole(value)
            | Self::Tenths(value)
            | Self::Hundredths(value)
            | Self::Ratio(value)
            | Self::Change(value)
            | Self::ChangePercent(value)
            | Self::Percent(value)
            | Self::Seconds(value) => json!(value),
            Self::RatioInterval(ends) | Self::Interval(ends) | Self::PercentInterval(ends) => json!(ends),
            Self::Text(text) | Self::Word(text) => json!(text),
            Self::List(items) => json!(items),
            Self::Message(words) | Self::Opening(words) => json!(words),
            Self::Parts(parts)
            | Self::Clauses(parts)
            | Self::Sentences(parts)
            | Self::Enumeration(parts)
            | Self::Steps(parts) => {
                json!(parts)
            }
            Self::Absent => Value::Null,
        }
    }
}

fn capitalised(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
