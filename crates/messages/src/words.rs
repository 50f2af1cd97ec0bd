//! A sentence in both languages, with the message that it came from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::language::Language;

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

/// Two texts are equal if they read the same.
impl PartialEq for Words {
    fn eq(&self, other: &Self) -> bool {
        (&self.en, &self.zh) == (&other.en, &other.zh)
    }
}

impl Eq for Words {}

/// A text that needs no translation: settings with their values, statements.
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

    /// The text in a language.
    pub fn text(&self, language: Language) -> &str {
        match language {
            Language::English => &self.en,
            Language::Chinese => &self.zh,
        }
    }
}
