//! Languages of a report, and picking one.

use analysis::Words;
use serde::{Deserialize, Serialize};

/// A language of the report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

impl Lang {
    /// A sentence in this language.
    pub fn of(self, words: &Words) -> &str {
        self.pick(&words.en, &words.zh)
    }

    /// One of two versions of a label.
    pub fn pick<'a>(self, en: &'a str, zh: &'a str) -> &'a str {
        match self {
            Self::En => en,
            Self::Zh => zh,
        }
    }
}
