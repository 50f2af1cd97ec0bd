//! A sentence in both languages, with the message that it came from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Arg, Language, catalogue, documented};

/// One sentence, in both languages.
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Words {
    /// English.
    pub en: String,
    /// Simplified Chinese.
    pub zh: String,
    /// The message of the catalogues: stable, for files and filters. None of what needs no translation, and in recordings
    /// of version 0.2 and earlier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub id: Option<String>,
    /// Its arguments, unrounded, in the units that the catalogue documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "Record<string, unknown>"))]
    pub args: Option<BTreeMap<String, Value>>,
}

/// Two are equal if they read the same.
impl PartialEq for Words {
    fn eq(&self, other: &Self) -> bool {
        (&self.en, &self.zh) == (&other.en, &other.zh)
    }
}

impl Eq for Words {}

/// What needs no translation: settings with their values, statements.
impl From<String> for Words {
    fn from(text: String) -> Self {
        Self::new(text.clone(), text)
    }
}

impl From<&str> for Words {
    fn from(text: &str) -> Self {
        Self::new(text, text)
    }
}

impl Words {
    /// A text that is in no catalogue, from its two versions.
    pub fn new(en: impl Into<String>, zh: impl Into<String>) -> Self {
        Self { en: en.into(), zh: zh.into(), id: None, args: None }
    }

    /// The message of this id with these arguments. Called by [`message!`](crate::message).
    #[doc(hidden)]
    pub fn of(id: &str, args: Vec<(&str, Arg)>) -> Self {
        if cfg!(debug_assertions) {
            documented::check(id, &args);
        }
        Self {
            en: catalogue::written(Language::English, id, &args),
            zh: catalogue::written(Language::Chinese, id, &args),
            id: Some(id.to_owned()),
            args: (!args.is_empty())
                .then(|| args.into_iter().map(|(name, arg)| (name.to_owned(), arg.json())).collect()),
        }
    }

    /// The text in a language.
    pub fn text(&self, language: Language) -> &str {
        match language {
            Language::English => &self.en,
            Language::Chinese => &self.zh,
        }
    }

    /// Clauses as one, with semicolons between them.
    pub fn clauses(mut clauses: Vec<Self>) -> Self {
        match clauses.len() {
            1 => clauses.remove(0),
            _ => crate::message!("clauses", clauses = Clauses(clauses)),
        }
    }

    /// Parts of a clause as one, with commas between them.
    pub fn parts(mut parts: Vec<Self>) -> Self {
        match parts.len() {
            1 => parts.remove(0),
            _ => crate::message!("parts", parts = Parts(parts)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_that_know_only_the_texts_are_read() {
        let read: Words = serde_json::from_str(r#"{"en": "a", "zh": "b"}"#).unwrap();
        assert_eq!((read.id.as_deref(), &read.args, read.en.as_str()), (None, &None, "a"));
        assert_eq!(serde_json::to_string(&read).unwrap(), r#"{"en":"a","zh":"b"}"#);
    }

    #[test]
    fn a_message_carries_its_id_and_its_arguments_unrounded() {
        let said = crate::message!("steal", share = Percent(0.12345));
        let json = serde_json::to_value(&said).unwrap();
        assert_eq!(json["id"], "steal");
        assert_eq!(json["args"], serde_json::json!({ "share": 0.12345 }));
        assert!(said.en.contains("12 %") && said.zh.contains("12 %"), "{said:?}");
        assert_eq!(serde_json::from_value::<Words>(json).unwrap(), said);
    }
}
